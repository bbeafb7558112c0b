// The records of an input. A line that isn't one is reported and skipped; seals are taken out and added up. What a
// record means is up to each tool.

/// Reads records, from one input or from several in turn.
package struct RecordInput: ~Copyable {
    /// What `nextWithoutWaiting` found.
    package enum Event: Equatable, Sendable {
        /// `record` holds a line that isn't blank. It hasn't been parsed as JSON.
        case record
        /// More input is needed first.
        case later
        case end
    }

    private let settings: InputSettings
    private let diagnostics: Diagnostics
    private let failure: (SystemError) -> ToolFailure
    private var lines: LineReader
    private var rejects: Rejects
    package private(set) var seals = InputSeals()
    package private(set) var isAtEnd = false
    /// Lines skipped as bad, or the one that ended the run.
    package private(set) var badLineCount = 0
    private var reports: BadLineReports
    /// Whether the last line found may be a record: the tool hasn't rejected it.
    private var isPending = false
    /// No line of the input with anything on it has come before.
    private var isFirst = true
    /// The longest time that bad lines wait for more input before they are told.
    private static let pauseMilliseconds: Int32 = 500
    /// When the first of the bad lines that wait was found.
    private var holdingSince = 0.0
    /// Bytes of the inputs before this one.
    private var bytesBefore = 0
    /// This input is part of a larger run, which reports its bad lines.
    private let isPart: Bool
    private var part = Part()
    /// The file whose parts are being joined.
    private var joined: (name: String, head: InputHead)?

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
        self.failure = failure
        reports = BadLineReports(
            diagnostics, rejectsPath: settings.rejectsPath, isOneOfSeveral: settings.hasSeveralInputs)
        lines = LineReader(
            .standardInput, limitBytes: settings.lineLimitBytes,
            progress: showsProgress ? diagnostics.progress : nil)
        rejects = try Rejects(settings.rejectsPath)
    }

    /// Continues with another input.
    /// - Parameters:
    ///   - part: read only the lines that begin in these bytes of a regular file; nil for the whole input.
    ///   - origin: the offset in the file that the part counts from.
    package mutating func begin(
        _ descriptor: Descriptor, part: Range<Int>? = nil, origin: Int = 0
    ) throws(ToolFailure) {
        endInput(isWhole: isAtEnd)
        bytesBefore += lines.bytesRead
        isAtEnd = false
        isFirst = (part?.lowerBound ?? 0) == 0
        do throws(SystemError) { try lines.begin(descriptor, part: part, origin: origin) } catch {
            throw failure(error)
        }
    }

    /// Leaves a regular file right after the last record, not where reading in blocks has come to.
    package func giveBack() { lines.giveBack() }

    package var name: String { lines.name }
    /// The number of the last line, from 1.
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
        if isPending { accept() }
        while true {
            let event: LineReader.Event?
            do throws(SystemError) {
                if reports.isHolding {
                    event = try advancePausing()
                } else {
                    event = try lines.advance(flushing: &output, rejects: &rejects)
                }
            } catch {
                tellBadLines()
                throw failure(error)
            }
            guard let event else { continue }
            if let found = try take(event) { return found == .record }
        }
    }

    /// Moves to the next record if it can do so without waiting.
    package mutating func nextWithoutWaiting() throws(ToolFailure) -> Event {
        if isPending { accept() }
        while true {
            let event: LineReader.Event?
            do throws(SystemError) {
                event = try lines.advanceWithoutWaiting(rejects: &rejects)
            } catch {
                tellBadLines()
                throw failure(error)
            }
            guard let event else { return .later }
            if let found = try take(event) { return found }
        }
    }

    /// Moves on while bad lines wait to be told, which they do only for a short time.
    /// - Returns: nil when more input has come, or they have been told.
    private mutating func advancePausing() throws(SystemError) -> LineReader.Event? {
        if let event = try lines.advanceWithoutWaiting(rejects: &rejects) { return event }
        let waited = Int32((MonotonicClock.seconds - holdingSince) * 1000)
        let rest = Self.pauseMilliseconds - min(waited, Self.pauseMilliseconds)
        if !lines.isReady(withinMilliseconds: rest) || Signals.isRequested { tellWaiting() }
        return nil
    }

    /// Takes the current line as a record: bad lines before it are told now.
    package mutating func accept() {
        isPending = false
        part.hasRecord = true
        if reports.awaitsRecord, !isPart { reports.foundRecord(in: name, lines.head) }
    }

    /// - Returns: nil for a line that is skipped.
    private mutating func take(_ event: LineReader.Event) throws(ToolFailure) -> Event? {
        switch event {
        case .line:
            guard !lines.line.isBlank else { return nil }
            guard !seals.take(lines.line) else {
                isFirst = false
                return nil
            }
            isPending = true
            return .record
        case .tooLong:
            seals.addLine()
            try report(.tooLong(settings.lineLimitBytes))
            return nil
        case .end:
            isAtEnd = true
            endInput(isWhole: true)
            return .end
        }
    }

    // MARK: Reading ahead

    /// The bytes already read after the record: lines with their LF, the last of which may be cut off.
    package var ahead: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.ahead }
    }

    /// Skips lines of `ahead`, of `bytes` bytes with their LFs. Each counts as a record.
    package mutating func pass(lines count: Int, bytes: Int) {
        isFirst = false
        accept()
        seals.addRecords(count)
        lines.pass(lines: count, bytes: bytes)
    }

    // MARK: Bad lines

    /// Reports that the current line isn't a record.
    /// - Throws: status 65 under `--on-bad-line=stop`.
    package mutating func reject(_ error: JSONError) throws(ToolFailure) {
        try keepReject()
        try report(.json(error))
    }

    /// Reports a fault that makes the record unusable to the tool.
    /// - Parameter offset: the fault's offset in the record.
    package mutating func reject(_ message: String, at offset: Int = 0) throws(ToolFailure) {
        try keepReject()
        try report(.unusable(message, offset: offset))
    }

    /// Reports that the record lacks a member that the tool needs.
    package mutating func reject(_ member: BadLine.MissingMember) throws(ToolFailure) {
        try keepReject()
        reports.keep(lines.line)
        try report(.missing(member))
    }

    private mutating func keepReject() throws(ToolFailure) {
        seals.rejectRecord()
        do throws(SystemError) { try rejects.append(line: lines.line) } catch { throw ToolFailure(error) }
    }

    private mutating func report(_ fault: BadLine.Fault) throws(ToolFailure) {
        let line = BadLine(line: lines.lineNumber, fault: fault, isFirst: isFirst)
        isFirst = false
        isPending = false
        guard !isPart else { return part.add(line) }
        badLineCount += 1
        guard settings.badLines == .skip else {
            throw ToolFailure(.badData, reports.ending(line, of: name, lines.head))
        }
        if !reports.isHolding { holdingSince = MonotonicClock.seconds }
        reports.add(line, of: name, head: lines.head)
    }

    /// Tells what is held of bad lines, since more input may not come soon.
    package mutating func tellWaiting() { reports.pause(in: name, lines.head) }

    /// Tells what is left to say of bad lines.
    package mutating func tellBadLines() {
        if isPending { accept() }
        endInput(isWhole: isAtEnd)
        reports.close()
    }

    private mutating func endInput(isWhole: Bool) {
        guard !isPart else { return }
        if let joined {
            reports.end(joined.name, joined.head, isWhole: false)
            self.joined = nil
        } else {
            reports.end(name, lines.head, isWhole: isWhole)
        }
    }

    /// Tells what is left to say of bad lines, and writes those that are still buffered.
    package mutating func close() throws(ToolFailure) {
        tellBadLines()
        try rejects.close()
    }

    // MARK: Seals

    /// The one seal to pass on at the end; a warning says why there is none.
    package func sealToPassOn() -> [UInt8] {
        if let doubt = seals.doubt { diagnostics.warning("no seal is passed on: \(doubt)") }
        return seals.line
    }

    // MARK: Parts

    /// Returns what the part just read holds, and resets for the next one.
    package mutating func takePart() -> Part {
        if isPending { accept() }
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
    ///   - lines: the lines of the file before the part.
    ///   - bytes: the bytes of the part.
    package mutating func join(
        _ part: Part, of name: String, after lines: Int, bytes: Int, isLast: Bool
    ) {
        bytesBefore += bytes
        badLineCount += part.badLineCount
        seals.add(part.seals)
        let head = joined?.head ?? part.head
        joined = isLast ? nil : (name, head)
        // In the order of the lines: those before the first record may wait for more of their kind.
        let early = part.badLines.prefix(part.badLinesBefore)
        let late = part.badLines.dropFirst(part.badLinesBefore)
        for line in early { reports.add(line, of: name, after: lines, head: head) }
        reports.add(count: part.badLinesBefore - early.count, of: name)
        if part.hasRecord { reports.foundRecord(in: name, head) }
        for line in late { reports.add(line, of: name, after: lines, head: head) }
        reports.add(count: part.badLineCount - part.badLinesBefore - late.count, of: name)
        if isLast { reports.end(name, head, isWhole: true) }
    }
}

// Options that describe the input.

/// The input options of every tool that reads records.
package struct InputSettings: Sendable {
    /// `--on-bad-line`: each bad line is reported on stderr, and then the run continues or ends.
    package enum BadLinePolicy: Sendable {
        case skip
        case stop
    }

    package var badLines: BadLinePolicy
    package var lineLimitBytes = LineReader.defaultLimitBytes
    /// `--rejects`.
    package var rejectsPath: String?
    /// Whether files besides stdin are read, so that a command with stdin in place of one has to name it.
    package var hasSeveralInputs = false

    package init(badLines: BadLinePolicy) { self.badLines = badLines }
}

// A part of a file, as a thread of a larger run has read it: what is reported of it once its turn has come.

extension RecordInput {
    /// What a part of a file holds besides its records.
    package struct Part: Sendable {
        package internal(set) var lines = 0
        package internal(set) var bytesRead = 0
        /// The first bad lines, and how many there are.
        var badLines: [BadLine] = []
        var badLineCount = 0
        var hasRecord = false
        /// How many of the bad lines come before the first record.
        var badLinesBefore = 0
        /// The first bytes of the file, if the part begins with them.
        var head = InputHead()
        var seals = InputSeals()

        package init() {}

        mutating func add(_ line: BadLine) {
            badLineCount += 1
            if !hasRecord { badLinesBefore += 1 }
            if badLines.count < BadLineReports.mostMessages { badLines.append(line) }
        }
    }
}
