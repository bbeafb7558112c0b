// The records of an input: a line that isn't one is reported and passed over, and a seal is held back until it is known
// to be the last line. What a tool makes of a record is its own.

/// Reads records, from one input or from several in turn.
package struct RecordInput: ~Copyable {
    /// What `nextWithoutWaiting` found.
    package enum Event: Equatable, Sendable {
        /// `record` is a line that isn't blank, and has yet to be read as JSON.
        case record
        /// More of the input has to come first.
        case later
        case end
    }

    private let settings: InputSettings
    private let diagnostics: Diagnostics
    private let failure: (SystemError) -> ToolFailure
    private var lines: LineReader
    private var rejects: Rejects
    /// What the last line is, where that is a seal.
    package private(set) var seal = HeldSeal()
    package private(set) var isAtEnd = false
    /// Lines that were passed over, or the one that ended the run.
    package private(set) var badLineCount = 0
    /// Bytes of the inputs before this one.
    private var bytesBefore = 0
    /// Bad lines are kept for the run that this one is a part of.
    private let isPart: Bool
    private var part = Part()

    /// Begins with stdin.
    /// - Parameters:
    ///   - isPart: nothing is reported; `takePart` gives what there is to say.
    ///   - failure: what a read that fails ends the run with.
    /// - Throws: status 73 where the file for bad lines can't be made.
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

    /// Goes on with another input.
    /// - Parameter part: the lines that begin in these bytes of a regular file are read; nil for all that comes.
    package mutating func begin(_ descriptor: Descriptor, part: Range<Int>? = nil) throws(ToolFailure) {
        bytesBefore += lines.bytesRead
        isAtEnd = false
        do throws(SystemError) { try lines.begin(descriptor, part: part) } catch { throw failure(error) }
    }

    package var name: String { lines.name }
    /// The number of the last line, from 1.
    package var lineNumber: Int { lines.lineNumber }
    package var bytesRead: Int { bytesBefore + lines.bytesRead }

    /// The record that was found, without its LF. Lent until the next one is looked for.
    package var record: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.line }
    }

    /// Goes to the next record. Where it has to wait for input, all that is buffered for output goes out first.
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

    /// Goes to the next record, if that takes no waiting.
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

    /// - Returns: nil for a line that is passed over.
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

    /// What has been read after the record: lines with their LF, the last of which may be cut off.
    package var ahead: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.ahead }
    }

    /// Passes over lines of `ahead`, of that many bytes with their LF, none of which is a seal.
    package mutating func pass(lines count: Int, bytes: Int) {
        part.isBlank = false
        seal.void()
        lines.pass(lines: count, bytes: bytes)
    }

    // MARK: Bad lines

    /// Reports that the record isn't one.
    /// - Throws: status 65 under `--on-bad-line=stop`.
    package mutating func reject(_ error: JSONError) throws(ToolFailure) {
        try keepReject()
        try report(Fault(line: lines.lineNumber, error: error))
    }

    /// Reports what the tool can't use of the record.
    /// - Parameter offset: of the fault in the record.
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
        // Said once: what the whole input is wrong in, its first line tells.
        let advice = lines + fault.line == 1 ? error.advice.map { "; \($0)" } ?? "" : ""
        try report("\(location):\(error.offset + 1): \(error)\(advice)")
    }

    private mutating func report(_ message: String) throws(ToolFailure) {
        badLineCount += 1
        guard settings.badLines == .skip else { throw ToolFailure(.badData, message) }
        diagnostics.error(message)
    }

    /// Writes what is left of the bad lines.
    package mutating func close() throws(ToolFailure) { try rejects.close() }

    // MARK: Parts

    /// A line that isn't a record.
    fileprivate struct Fault: Sendable {
        /// From 1 at the part's beginning.
        let line: Int
        /// Nil for a line that is too long.
        let error: JSONError?
    }

    /// What a part of a file holds beside its records.
    package struct Part: Sendable {
        package fileprivate(set) var lines = 0
        package fileprivate(set) var bytesRead = 0
        fileprivate var faults: [Fault] = []
        fileprivate var seal = HeldSeal()
        /// Whether it has no line that would void a seal before it.
        fileprivate var isBlank = true

        package init() {}
    }

    /// What the part that has been read holds; the next one begins without it.
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
    ///   - lines: of the file before the part.
    ///   - bytes: of the part.
    package mutating func join(_ part: Part, of name: String, after lines: Int, bytes: Int) throws(ToolFailure) {
        bytesBefore += bytes
        if !part.isBlank { seal = part.seal }
        for fault in part.faults { try report(fault, of: name, after: lines) }
    }
}
