// The records of an input. A line that isn't one is reported and skipped; seals are taken out and added up. What a
// record means is up to each tool.

package struct RecordInput: ~Copyable {
    package enum Event: Equatable, Sendable {
        /// `record` holds a line that isn't blank. It hasn't been parsed as JSON.
        case record
        /// More input is needed first.
        case later
        case end
    }

    private let settings: InputSettings
    private let diagnostics: Diagnostics
    private var lines: LineReader
    private var rejects: Rejects
    package private(set) var seals = InputSeals()
    package private(set) var isAtEnd = false
    /// Lines skipped as bad, or the one that ended the run.
    package private(set) var badLineCount = 0
    private var reports: BadLineReports
    /// Lines of the input with anything on them.
    private var linesSeen = 0
    /// The paths of missing members that a message has named.
    private var missing: Set<String> = []
    /// Bytes of the inputs before this one.
    private var bytesBefore = 0
    /// This input is part of a larger run, which reports its bad lines.
    private let isPart: Bool
    private var part = Part()
    /// The first bytes of the file whose parts are being joined.
    private var joinedHead: InputHead?

    /// Starts with stdin.
    /// - Parameters:
    ///   - isPart: report nothing; `takePart` returns what there is to report.
    ///   - failure: turns a failed read into the failure that ends the run.
    /// - Throws: status 73 if the file for bad lines can't be created.
    package init(
        _ settings: InputSettings, _ diagnostics: Diagnostics, showsProgress: Bool = false, isPart: Bool = false,
        failure: @escaping (SystemError) -> ToolFailure = { ToolFailure($0) }
    ) throws(ToolFailure) {
        self.settings = settings
        self.diagnostics = diagnostics
        self.isPart = isPart
        reports = BadLineReports(diagnostics, rejectsPath: settings.rejectsPath)
        lines = LineReader(
            .standardInput, progress: showsProgress ? diagnostics.progress : nil, failure: failure)
        rejects = try Rejects(settings.rejectsPath)
    }

    /// Continues with another input, or part of one: as `LineReader.begin`.
    package mutating func begin(
        _ descriptor: Descriptor, part: Range<Int>? = nil, origin: Int = 0
    ) throws(ToolFailure) {
        reports.begin()
        bytesBefore += lines.bytesRead
        isAtEnd = false
        joinedHead = nil
        linesSeen = min(part?.lowerBound ?? 0, 1)
        try lines.begin(descriptor, part: part, origin: origin)
    }

    /// Leaves a regular file right after the last record.
    package func giveBack() { lines.giveBack() }

    package var name: String { lines.name }
    package var lineNumber: Int { lines.lineNumber }
    package var bytesRead: Int { bytesBefore + lines.bytesRead }

    /// The current record, without its LF. Lent until the next call that looks for one.
    package var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.line }
    }

    /// Moves to the next record. Flushes the buffered output before it waits for input.
    /// - Returns: false at the end.
    package mutating func next(flushing output: inout OutputBuffer) throws(ToolFailure) -> Bool {
        while true {
            let event = try lines.advance(flushing: &output, rejects: &rejects)
            if let found = try take(event) { return found == .record }
        }
    }

    /// Moves to the next record, where no output has to be flushed before a wait.
    /// - Returns: never `later`.
    package mutating func next() throws(ToolFailure) -> Event {
        while true {
            if let found = try take(try lines.advance(rejects: &rejects)) { return found }
        }
    }

    package mutating func nextWithoutWaiting() throws(ToolFailure) -> Event {
        while let event = try lines.advanceWithoutWaiting(rejects: &rejects) {
            if let found = try take(event) { return found }
        }
        return .later
    }

    /// - Returns: nil for a line that is skipped.
    private mutating func take(_ event: LineReader.Event) throws(ToolFailure) -> Event? {
        switch event {
        case .line:
            guard !lines.line.isBlank else { return nil }
            linesSeen += 1
            return seals.take(lines.line) ? nil : .record
        case .tooLong:
            linesSeen += 1
            seals.addLine()
            try report(.tooLong(LineReader.defaultLimitBytes))
            return nil
        case .end:
            isAtEnd = true
            return .end
        }
    }

    package var ahead: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.ahead }
    }

    /// Skips lines of `ahead`, of `bytes` bytes with their LFs. Each counts as a record.
    package mutating func pass(lines count: Int, bytes: Int) {
        linesSeen += count
        seals.addRecords(count)
        lines.pass(lines: count, bytes: bytes)
    }

    // MARK: Bad lines

    /// - Throws: status 65 under `--on-bad-line=stop`.
    package mutating func reject(_ error: JSONError) throws(ToolFailure) {
        try keepReject()
        try report(.json(error))
    }

    /// Reports a fault that makes the record unusable to the tool.
    /// - Parameter offset: the fault's offset in the record.
    package mutating func reject(_ message: Message, at offset: Int = 0) throws(ToolFailure) {
        try keepReject()
        try report(.unusable(message, offset: offset))
    }

    /// Reports that the record lacks a member that the tool needs: once, with what it has instead.
    /// - Parameters:
    ///   - value: `a string or a number`.
    ///   - origin: what asks for it, such as `, which --key names`.
    package mutating func reject(
        missing value: String, at path: JSONPath, origin: String = ""
    ) throws(ToolFailure) {
        try keepReject()
        guard missing.insert(path.text).inserted else {
            badLineCount += 1
            return reports.add(count: 1, of: name)
        }
        var sample = RecordSample()
        sample.add(lines.line)
        let advice = sample.advice(for: [path], isOne: true)
        try report(.unusable(Message("expected \(value) in \(path.text)\(origin)", cure: advice), offset: 0))
    }

    private mutating func keepReject() throws(ToolFailure) {
        seals.rejectRecord()
        try rejects.append(line: lines.line)
    }

    private mutating func report(_ fault: BadLine.Fault) throws(ToolFailure) {
        let line = BadLine(line: lines.lineNumber, fault: fault, isFirst: linesSeen == 1)
        guard !isPart else { return part.add(line) }
        badLineCount += 1
        guard settings.badLines != .stop else {
            throw ToolFailure(.badData, reports.message(line, of: name, lines.head))
        }
        reports.add(line, of: name, head: lines.head)
    }

    package mutating func tellBadLines() { reports.close() }

    /// Tells what is left to say of bad lines, and writes those that are still buffered.
    package mutating func close() throws(ToolFailure) {
        tellBadLines()
        try rejects.close()
    }

    /// What the output of a tool that skips bad lines lacks, for `sealToPassOn`.
    package var skipped: Message? { badLineCount > 0 ? "a line was skipped; correct it" : nil }

    /// The one seal to pass on at the end; a warning says why there is none.
    /// - Parameter loss: what the output lacks of the input, in words. Nil if nothing.
    package func sealToPassOn(loss: Message? = nil) -> [UInt8] {
        guard !seals.isEmpty, let doubt = seals.doubt ?? loss else { return seals.line }
        diagnostics.warning("no seal is passed on: \(doubt)")
        return []
    }

    /// Returns what the part just read holds, and resets for the next one.
    package mutating func takePart() -> Part {
        var taken = part
        taken.lines = lines.lineNumber
        taken.bytesRead = lines.bytesRead
        taken.seals = seals
        taken.head = lines.head
        part = Part()
        seals = InputSeals()
        return taken
    }

    /// Reports what the next part of a file holds.
    /// - Parameters:
    ///   - lines: of the file before the part.
    ///   - bytes: of the part.
    package mutating func join(_ part: Part, of name: String, after lines: Int, bytes: Int, isLast: Bool) {
        bytesBefore += bytes
        badLineCount += part.badLineCount
        seals.add(part.seals)
        let head = joinedHead ?? part.head
        joinedHead = isLast ? nil : head
        for line in part.badLines { reports.add(line, of: name, after: lines, head: head) }
        reports.add(count: part.badLineCount - part.badLines.count, of: name)
        if isLast { reports.begin() }
    }
}

package struct InputSettings: Sendable {
    /// `--on-bad-line`: each bad line is reported on stderr, and then the run continues or ends.
    package enum BadLinePolicy: Equatable, Sendable {
        case skip
        case stop
        /// Skip the line, and write it to the file of this name.
        case keep(String)
    }

    package var badLines: BadLinePolicy
    package var rejectsPath: String? { if case .keep(let path) = badLines { path } else { nil } }

    package init(badLines: BadLinePolicy) { self.badLines = badLines }
}

extension RecordInput {
    /// What a part of a file holds besides its records, as a thread of a larger run has read it.
    package struct Part: Sendable {
        package internal(set) var lines = 0
        package internal(set) var bytesRead = 0
        /// The first bad lines, and how many there are.
        var badLines: [BadLine] = []
        var badLineCount = 0
        /// The first bytes of the file, if the part begins with them.
        var head = InputHead()
        var seals = InputSeals()

        package init() {}

        mutating func add(_ line: BadLine) {
            badLineCount += 1
            if badLines.count < BadLineReports.mostMessages { badLines.append(line) }
        }
    }
}
