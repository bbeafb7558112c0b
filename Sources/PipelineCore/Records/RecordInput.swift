// The records of an input. A line that isn't one is reported and skipped; a seal is held back until it is known to
// be the last line. What a record means is up to each tool.

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
    /// The last line, if it is a seal.
    package private(set) var seal = HeldSeal()
    package private(set) var isAtEnd = false
    /// Lines skipped as bad, or the one that ended the run.
    package private(set) var badLineCount = 0
    /// Bytes of the inputs before this one.
    private var bytesBefore = 0
    /// This input is part of a larger run, which reports its bad lines.
    private let isPart: Bool
    private var part = Part()

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
        lines = LineReader(
            .standardInput, limitBytes: settings.lineLimitBytes,
            progress: showsProgress ? diagnostics.progress : nil)
        rejects = try Rejects(settings.rejectsPath)
    }

    /// Continues with another input.
    /// - Parameter part: read only the lines that begin in these bytes of a regular file; nil for the whole input.
    package mutating func begin(_ descriptor: Descriptor, part: Range<Int>? = nil) throws(ToolFailure) {
        bytesBefore += lines.bytesRead
        isAtEnd = false
        do throws(SystemError) { try lines.begin(descriptor, part: part) } catch { throw failure(error) }
    }

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
        while true {
            let event: LineReader.Event
            do throws(SystemError) {
                event = try lines.advance(flushing: &output, rejects: &rejects)
            } catch {
                throw failure(error)
            }
            if let found = try take(event) { return found == .record }
        }
    }

    /// Moves to the next record if it can do so without waiting.
    package mutating func nextWithoutWaiting() throws(ToolFailure) -> Event {
        while true {
            let event: LineReader.Event?
            do throws(SystemError) {
                event = try lines.advanceWithoutWaiting(rejects: &rejects)
            } catch {
                throw failure(error)
            }
            guard let event else { return .later }
            if let found = try take(event) { return found }
        }
    }

    /// - Returns: nil for a line that is skipped.
    private mutating func take(_ event: LineReader.Event) throws(ToolFailure) -> Event? {
        switch event {
        case .line:
            guard !lines.line.isBlank else { return nil }
            part.isBlank = false
            return seal.take(lines.line) ? nil : .record
        case .tooLong:
            seal.void()
            part.isBlank = false
            try report(Fault(line: lines.lineNumber, error: nil))
            return nil
        case .end:
            isAtEnd = true
            return .end
        }
    }

    // MARK: Reading ahead

    /// The bytes already read after the record: lines with their LF, the last of which may be cut off.
    package var ahead: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.ahead }
    }

    /// Skips lines of `ahead`, of `bytes` bytes with their LFs. None of them is a seal.
    package mutating func pass(lines count: Int, bytes: Int) {
        part.isBlank = false
        seal.void()
        lines.pass(lines: count, bytes: bytes)
    }

    // MARK: Bad lines

    /// Reports that the current line isn't a record.
    /// - Throws: status 65 under `--on-bad-line=stop`.
    package mutating func reject(_ error: JSONError) throws(ToolFailure) {
        try keepReject()
        try report(Fault(line: lines.lineNumber, error: error))
    }

    /// Reports a fault that makes the record unusable to the tool.
    /// - Parameter offset: the fault's offset in the record.
    package mutating func reject(_ message: String, at offset: Int = 0) throws(ToolFailure) {
        try keepReject()
        try report("\(name):\(lineNumber):\(offset + 1): \(message)")
    }

    private mutating func keepReject() throws(ToolFailure) {
        do throws(SystemError) { try rejects.append(line: lines.line) } catch { throw ToolFailure(error) }
    }

    private mutating func report(_ fault: Fault) throws(ToolFailure) {
        guard !isPart else { return part.faults.append(fault) }
        try report(fault, of: name)
    }

    private mutating func report(_ fault: Fault, of name: String, after lines: Int = 0) throws(ToolFailure) {
        let location = "\(name):\(lines + fault.line)"
        guard let error = fault.error else {
            let limitBytes = settings.lineLimitBytes
            return try report(
                "\(location):\(limitBytes + 1): expected a line of at most \(limitBytes) bytes; --max-line raises the "
                    + "limit")
        }
        // Only once: advice about the whole input goes with its first line.
        let advice = lines + fault.line == 1 ? error.advice.map { "; \($0)" } ?? "" : ""
        try report("\(location):\(error.offset + 1): \(error)\(advice)")
    }

    private mutating func report(_ message: String) throws(ToolFailure) {
        badLineCount += 1
        guard settings.badLines == .skip else { throw ToolFailure(.badData, message) }
        diagnostics.error(message)
    }

    /// Writes the buffered bad lines.
    package mutating func close() throws(ToolFailure) { try rejects.close() }

    // MARK: Parts

    /// A line that isn't a record.
    fileprivate struct Fault: Sendable {
        /// From 1 at the start of the part.
        let line: Int
        /// Nil for a line that is too long.
        let error: JSONError?
    }

    /// What a part of a file holds besides its records.
    package struct Part: Sendable {
        package fileprivate(set) var lines = 0
        package fileprivate(set) var bytesRead = 0
        fileprivate var faults: [Fault] = []
        fileprivate var seal = HeldSeal()
        /// Whether no line in it would void a seal before it.
        fileprivate var isBlank = true

        package init() {}
    }

    /// Returns what the part just read holds, and resets for the next one.
    package mutating func takePart() -> Part {
        var taken = part
        taken.lines = lines.lineNumber
        taken.bytesRead = lines.bytesRead
        taken.seal = seal
        part = Part()
        seal.void()
        return taken
    }

    /// Reports what the next part of a file holds.
    /// - Parameters:
    ///   - lines: the lines of the file before the part.
    ///   - bytes: the bytes of the part.
    package mutating func join(_ part: Part, of name: String, after lines: Int, bytes: Int) throws(ToolFailure) {
        bytesBefore += bytes
        if !part.isBlank { seal = part.seal }
        for fault in part.faults { try report(fault, of: name, after: lines) }
    }
}
