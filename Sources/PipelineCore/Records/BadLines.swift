// What is said of bad lines. Of many, ten are told and then their number. Those before the first record wait: where
// none comes, the whole input is something else, and one message says what it seems to be.
//
//     bad bad bad record bad     three messages once the record is there, and one more
//     bad bad bad end            <stdin> looks like CSV; pipe it through mlr --icsv --ojsonl cat | filter-search mick

/// Reports the bad lines of a run, input after input.
struct BadLineReports: ~Copyable {
    /// The most messages, before the one that counts the rest.
    static let mostMessages = 10

    /// How much is known of the current input.
    private enum State {
        /// No record has come.
        case open
        /// A record has come, or the bad lines were told as they are.
        case told
        /// It was told what the input seems to be; no record has come.
        case judged
    }

    private let diagnostics: Diagnostics
    private let rejectsPath: String?
    private let isOneOfSeveral: Bool

    private var state = State.open
    /// The first bad lines of the input, as long as it is open, with the lines before the part each was found in.
    private var held: [(line: BadLine, before: Int)] = []
    /// All of them.
    private var heldCount = 0
    /// Records that lack what the tool demands.
    private var sample = RecordSample()
    /// What the input is beyond doubt, whatever comes next.
    private var certain: InputKind?
    private var messages = 0
    /// Bad lines that were not told, and the input that they are in; nil where it is more than one.
    private var rest = 0
    private var restName: String?

    init(_ diagnostics: Diagnostics, rejectsPath: String?, isOneOfSeveral: Bool) {
        self.diagnostics = diagnostics
        self.rejectsPath = rejectsPath
        self.isOneOfSeveral = isOneOfSeveral
    }

    /// Whether bad lines wait to be told.
    var isHolding: Bool { heldCount > 0 && state == .open }

    /// Whether a record of the input would make a difference.
    var awaitsRecord: Bool { state != .told && (state == .open || certain == nil) }

    /// Starts on another input.
    mutating func begin() {
        state = .open
        held.removeAll()
        heldCount = 0
        sample = RecordSample()
        certain = nil
    }

    /// Adds a bad line of the input.
    /// - Parameter before: the lines of the input before the part it was found in.
    mutating func add(_ line: BadLine, of name: String, after before: Int = 0, head: borrowing InputHead) {
        switch state {
        case .open:
            heldCount += 1
            if held.count < Self.mostMessages { held.append((line, before)) }
            if line.isFirst, let kind = head.kind, line.suits(kind), kind.isCertain || head.isOneDocument {
                certain = kind
            }
        case .told: tell(line.message(name, after: before), name)
        case .judged: heldCount += 1
        }
    }

    /// Adds bad lines of the input that nothing is known of.
    mutating func add(count: Int, of name: String) {
        guard count > 0 else { return }
        if state == .told { skip(count, name) } else { heldCount += count }
    }

    /// Keeps a record that lacks what the tool demands.
    mutating func keep(_ record: Span<UInt8>) { if state == .open { sample.add(record) } }

    /// A record of the input has come.
    mutating func foundRecord(in name: String, _ head: borrowing InputHead) {
        // What is one document whatever its lines look like stays one.
        if let certain {
            if state == .open { judge(source(name).verdict(certain), name) }
            return
        }
        if state == .open { tellHeld(name, head) }
        skip(heldCount, name)
        heldCount = 0
        state = .told
    }

    /// The input is slow, so that what is held shouldn't wait for more of it.
    mutating func pause(in name: String, _ head: borrowing InputHead) {
        guard isHolding else { return }
        if let kind = kind(head) {
            judge(source(name).verdict(kind), name)
        } else {
            tellHeld(name, head)
            state = .told
        }
    }

    /// The input ended.
    /// - Parameter isWhole: whether it was read to its end.
    mutating func end(_ name: String, _ head: borrowing InputHead, isWhole: Bool) {
        defer { begin() }
        guard isHolding else { return }
        if let kind = kind(head) { return judge(source(name).verdict(kind), name) }
        if isWhole, let verdict = verdict(name) { return judge(verdict, name) }
        tellHeld(name, head)
    }

    /// The message with which the first bad line ends a run.
    func ending(_ line: BadLine, of name: String, _ head: borrowing InputHead) -> String {
        if line.isFirst, let kind = head.kind, line.suits(kind) { return source(name).verdict(kind) }
        let message = line.message(name)
        if case .missing(let member) = line.fault, let advice = sample.advice(for: member.path, isOne: true) {
            return "\(message); \(advice)"
        }
        return message
    }

    /// Says how many bad lines were not told.
    mutating func close() {
        guard rest > 0 else { return }
        let place = restName.map { " in \($0)" } ?? ""
        let kept = rejectsPath.map { "\($0) has them all" } ?? "--rejects FILE keeps them all"
        diagnostics.error("\(rest.grouped) more bad \(rest == 1 ? "line" : "lines")\(place); \(kept)")
        rest = 0
    }

    // MARK: Telling

    private mutating func tell(_ message: String, _ name: String) {
        guard messages < Self.mostMessages else { return skip(1, name) }
        messages += 1
        diagnostics.error(message)
    }

    private mutating func skip(_ count: Int, _ name: String) {
        guard count > 0 else { return }
        restName = rest == 0 || restName == name ? name : nil
        rest += count
    }

    /// Says one thing in place of what is held.
    private mutating func judge(_ verdict: String, _ name: String) {
        if messages < Self.mostMessages { tell(verdict, name) } else { skip(heldCount, name) }
        state = .judged
        held.removeAll()
        heldCount = 0
    }

    private mutating func tellHeld(_ name: String, _ head: borrowing InputHead) {
        let kind = kind(head)
        for (index, entry) in held.enumerated() {
            let hint = index == 0 ? kind.map { "; " + source(name).hint($0) } ?? "" : ""
            tell(entry.line.message(name, after: entry.before) + hint, name)
        }
        skip(heldCount - held.count, name)
        held.removeAll()
        heldCount = 0
    }

    /// What the input seems to be; nil if its first line says nothing about that.
    private func kind(_ head: borrowing InputHead) -> InputKind? {
        guard let first = held.first, first.line.isFirst, let kind = head.kind, first.line.suits(kind) else {
            return nil
        }
        return kind
    }

    /// What is said of an input that has no records and looks like nothing that is known. Nil where its lines say more.
    private func verdict(_ name: String) -> String? {
        guard heldCount > 1, let first = held.first else { return nil }
        switch first.line.fault {
        case .json:
            guard held.allSatisfy({ if case .json = $0.line.fault { true } else { false } }) else { return nil }
            return "\(name) has no records: none of its \(heldCount.grouped) lines is a JSON object; "
                + first.line.message(name, after: first.before)
        case .missing(let member):
            guard held.allSatisfy({ $0.line.fault == .missing(member) }) else { return nil }
            return "none of the \(heldCount.grouped) records of \(name) has \(member.value) in \(member.path.text)"
                + member.origin + (sample.advice(for: member.path).map { "; \($0)" } ?? "")
        case .tooLong, .unusable: return nil
        }
    }

    private func source(_ name: String) -> InputSource {
        let arguments = Environment.arguments
        return InputSource(name, tool: diagnostics.tool, arguments: arguments, isOneOfSeveral: isOneOfSeveral)
    }
}

extension BadLine {
    /// Whether an input whose first line this is may be of that kind. A record that a tool can't use says nothing of it.
    fileprivate func suits(_ kind: InputKind) -> Bool {
        switch fault {
        // A fault further on doesn't show in what is known of the input.
        case .json(let error): error.offset < InputKind.headBytes
        // So long a line is more often a document than a record.
        case .tooLong: true
        case .unusable, .missing: false
        }
    }
}

// One line that isn't a record, or one that a tool can't use.

/// A bad line of an input.
package struct BadLine: Sendable {
    package enum Fault: Equatable, Sendable {
        case json(JSONError)
        /// Longer than the limit, in bytes.
        case tooLong(Int)
        /// A record that the tool can't use, and the offset of what is wrong with it.
        case unusable(String, offset: Int)
        case missing(MissingMember)
    }

    /// A member that a record has to have.
    package struct MissingMember: Equatable, Sendable {
        /// `a string or a number`.
        let value: String
        let path: JSONPath
        /// What asks for it, such as `, which --key names`; may be empty.
        let origin: String

        package init(_ value: String, at path: JSONPath, origin: String = "") {
            self.value = value
            self.path = path
            self.origin = origin
        }

        package static func == (left: MissingMember, right: MissingMember) -> Bool {
            left.path.text == right.path.text && left.value == right.value && left.origin == right.origin
        }
    }

    /// From 1.
    let line: Int
    let fault: Fault
    /// Whether no line before it has anything on it.
    let isFirst: Bool

    /// What is wrong, and where: `<stdin>:17:93: expected a value`.
    /// - Parameter lines: the lines of the input before those that are counted.
    func message(_ name: String, after lines: Int = 0) -> String {
        let location = "\(name):\(lines + line)"
        return switch fault {
        case .json(let error): "\(location):\(error.offset + 1): \(error)"
        case .tooLong(let limitBytes):
            "\(location):\(limitBytes + 1): expected a line of at most \(limitBytes) bytes; --max-line raises the limit"
        case .unusable(let message, let offset): "\(location):\(offset + 1): \(message)"
        case .missing(let member):
            "\(location):1: expected \(member.value) in \(member.path.text)\(member.origin)"
        }
    }
}

// The file named by `--rejects`: the lines that aren't records, byte for byte.

/// Keeps bad lines, or drops them.
package struct Rejects: ~Copyable {
    private var output: OutputBuffer?
    private let descriptor: Descriptor?

    /// - Parameter path: the file to create or empty; nil to keep nothing.
    /// - Throws: status 73 if the file can't be created.
    package init(_ path: String?) throws(ToolFailure) {
        guard let path else {
            output = nil
            descriptor = nil
            return
        }
        do throws(SystemError) {
            let descriptor = try Descriptor.writing(path)
            output = OutputBuffer(descriptor)
            self.descriptor = descriptor
        } catch {
            throw ToolFailure(.cannotCreate, error.advice(orElse: "choose another file for --rejects"))
        }
    }

    /// Keeps a line.
    package mutating func append(line: Span<UInt8>) throws(SystemError) {
        output?.append(line)
        try endLine()
    }

    /// Keeps part of a line that is too long for memory.
    mutating func append(part: Span<UInt8>) throws(SystemError) {
        output?.append(part)
        try output?.endRecord()
    }

    mutating func endLine() throws(SystemError) {
        output?.append(0x0A)
        try output?.endRecord()
    }

    /// Writes the buffered lines and closes the file.
    package mutating func close() throws(ToolFailure) {
        do throws(SystemError) {
            try output?.flush()
            output = nil
            try descriptor?.close()
        } catch {
            throw ToolFailure(error)
        }
    }
}
