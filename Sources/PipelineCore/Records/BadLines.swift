// What is said of bad lines: of an input that is something else one line, by its first bytes; otherwise each of the first
// ten, and then their number. The first record that lacks a member is explained.
//
//     <stdin>:17:93: expected ':' after a member name
//     <stdin> looks like CSV; pipe it through mlr --icsv --ojsonl cat

struct BadLine: Sendable {
    enum Fault: Equatable, Sendable {
        case json(JSONError)
        /// Longer than the limit, in bytes.
        case tooLong(Int)
        /// A record that the tool can't use, and the offset of what is wrong with it.
        case unusable(Message, offset: Int)
    }

    let line: Int
    let fault: Fault
    /// Whether no line before it has anything on it.
    let isFirst: Bool

    /// - Parameter lines: the lines of the input before those that are counted.
    fileprivate func message(_ name: String, after lines: Int) -> Message {
        let location = "\(name):\(lines + line)"
        return switch fault {
        case .json(let error):
            "\(location):\(error.offset + 1): \(error)"
                + (error.reason == .invalidUTF8 ? "; iconv -f LATIN1 -t UTF-8 converts Latin-1" : "")
        case .tooLong(let limitBytes):
            "\(location):\(limitBytes + 1): expected a line of at most \(limitBytes >> 20) MiB; split the record into smaller ones"
        case .unusable(let message, let offset): "\(location):\(offset + 1): \(message)"
        }
    }

    /// What the whole input seems to be, if this is its first line.
    fileprivate func kind(_ head: borrowing InputHead) -> InputKind? {
        guard isFirst else { return nil }
        switch fault {
        // A fault further on doesn't show in what is known of the input.
        case .json(let error): return error.offset < InputKind.headBytes ? head.kind : nil
        // So long a line is more often a document than a record.
        case .tooLong: return head.kind
        case .unusable: return nil
        }
    }
}

/// Reports the bad lines of a run, input after input.
struct BadLineReports: ~Copyable {
    /// The most messages, before the one that counts the rest.
    static let mostMessages = 10

    private let diagnostics: Diagnostics
    private let rejectsPath: String?
    /// A message has said what the input is, so its lines are of no interest.
    private var hasVerdict = false
    private var messages = 0
    /// Bad lines without a message of their own, and their input; nil where they are in several.
    private var rest = 0
    private var restName: String?

    init(_ diagnostics: Diagnostics, rejectsPath: String?) {
        self.diagnostics = diagnostics
        self.rejectsPath = rejectsPath
    }

    mutating func begin() { hasVerdict = false }

    /// - Parameter before: the lines of the input before the part it was found in.
    mutating func add(_ line: BadLine, of name: String, after before: Int = 0, head: borrowing InputHead) {
        guard !hasVerdict, messages < Self.mostMessages else { return add(count: 1, of: name) }
        messages += 1
        let kind = line.kind(head)
        hasVerdict = kind != nil && kind != .loose
        diagnostics.error(message(line, of: name, after: before, head))
    }

    mutating func add(count: Int, of name: String) {
        guard count > 0, !hasVerdict else { return }
        restName = rest == 0 || restName == name ? name : nil
        rest += count
    }

    func message(_ line: BadLine, of name: String, after before: Int = 0, _ head: borrowing InputHead) -> Message {
        switch line.kind(head) {
        case nil: line.message(name, after: before)
        // Other lines may be records.
        case .loose: line.message(name, after: before) + "; a record is on one line, its names in double quotes"
        case let kind?: kind.verdict(on: name, tool: "\(diagnostics.tool) …")
        }
    }

    mutating func close() {
        guard rest > 0 else { return }
        let place = restName.map { " in \($0)" } ?? ""
        let kept = rejectsPath.map { "\($0) has them all" } ?? "--on-bad-line=FILE keeps them all"
        diagnostics.error("\(rest.grouped) more bad \(rest == 1 ? "line" : "lines")\(place); \(kept)")
        rest = 0
    }
}

/// The file named by `--on-bad-line`: the lines that aren't records, byte for byte.
package struct Rejects: ~Copyable {
    private var output: OutputBuffer?

    /// - Parameter path: the file to create or empty; nil to keep nothing.
    /// - Throws: status 73 if the file can't be created.
    package init(_ path: String?) throws(ToolFailure) {
        guard let path else { return }
        output = OutputBuffer(
            try ToolFailure.of(
                .cannotCreate, orElse: "choose another file for --on-bad-line", Descriptor.writing(path)))
    }

    package mutating func append(line: Span<UInt8>) throws(ToolFailure) {
        output?.append(line)
        try endLine()
    }

    /// Keeps part of a line that is too long for memory.
    mutating func append(part: Span<UInt8>) throws(ToolFailure) {
        output?.append(part)
        try output?.endRecord()
    }

    mutating func endLine() throws(ToolFailure) {
        output?.append(0x0A)
        try output?.endRecord()
    }

    package mutating func close() throws(ToolFailure) {
        try output?.close()
        output = nil
    }
}
