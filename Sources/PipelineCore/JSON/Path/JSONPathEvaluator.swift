// Applies a path to record after record, with buffers that are reused.

/// Finds the nodes of a path. Use one evaluator for many records: once its buffers have grown to the largest
/// record, it allocates nothing.
///
/// A name selects all members of that name: the RFC leaves duplicate names open, and here a record matches if any
/// of them does. In a comparison, a query yields its first node. Half of a surrogate pair counts as U+FFFD.
///
/// A path of names, wildcards and indexes from the front is followed in one pass over the bytes. For any other path
/// the record is indexed first, which takes 16 bytes for each value and name, and the work is bounded: `stepLimit`
/// steps and `nodeLimit` nodes, plus an allowance for each byte of the record.
package struct JSONPathEvaluator: Sendable {
    /// The default number of steps a path may take on a record. A step looks at one value, or at 16 bytes of text.
    package static let defaultStepLimit = 100_000_000
    /// Additional steps for each byte of the record.
    package static let stepsPerByte = 4
    /// Nodes that may be held at once, plus one for each byte of the record.
    package static let nodeLimit = 1_000_000

    package let path: JSONPath
    /// The nodes found by the last `evaluate`, in the order of the RFC.
    package private(set) var nodes: [JSONNode] = []
    private var machine: JSONPathMachine
    /// The first name of the path with its closing quote: a text that lacks it, and has no escapes, has no nodes
    /// (Benchmarks/fetch-images, a million records without a URL: 1.4 times as fast).
    private let firstName: Needle?

    /// - Parameter stepLimit: steps allowed for a record, plus `stepsPerByte` for each of its bytes.
    package init(_ path: JSONPath, stepLimit: Int = JSONPathEvaluator.defaultStepLimit) {
        self.path = path
        machine = JSONPathMachine(stepLimit: stepLimit)
        firstName =
            if case .name(let name)? = path.steps?.first { Needle(name + [0x22]) } else { nil }
    }

    /// Finds the nodes of the path in a JSON text and stores them in `nodes`.
    /// - Parameters:
    ///   - isChecked: whether the text has been checked, or will be before its nodes are used. If it then turns out
    ///     not to be JSON, the nodes are meaningless.
    ///   - limit: stop after this many nodes.
    /// - Throws: the text's first fault; `tooMuchForPath` if the limits above are exceeded.
    package mutating func evaluate(
        _ text: Span<UInt8>, isChecked: Bool = false, limit: Int = .max
    ) throws(JSONError) {
        nodes.removeAll(keepingCapacity: true)
        guard let steps = path.steps else {
            return try machine.evaluate(path.query, on: text, limit: limit, to: &nodes)
        }
        if !isChecked {
            var reader = JSONReader(text)
            try reader.skipToEnd()
        }
        if let firstName, firstName.firstIndex(in: text) == nil, text.firstIndex(of: UInt8(ascii: "\\")) == nil {
            return
        }
        var scan = JSONPathScan(text, limit: max(limit, 1))
        // A fault that stops the scan of a text yet to be checked will fail the check too.
        do throws(JSONError) { try scan.follow(steps, to: &nodes) } catch {}
    }
}

/// Follows a path of names, wildcards and indexes from the front in one pass over a text's bytes, which is in the RFC's order.
struct JSONPathScan: ~Escapable {
    private let text: Span<UInt8>
    private var reader: JSONReader
    private let limit: Int

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, limit: Int) {
        self.text = text
        self.limit = limit
        reader = JSONReader(text)
    }

    @_lifetime(self: copy self)
    mutating func follow(_ steps: [JSONPathSelector], to nodes: inout [JSONNode]) throws(JSONError) {
        if let token = try reader.next() { _ = try follow(steps, from: 0, in: token, to: &nodes) }
    }

    /// Adds the nodes that the steps from `level` on find in a value, and reads that value.
    /// - Parameter token: the value's first token, which was just read.
    /// - Returns: false if the limit is reached; the value isn't read to its end then.
    @_lifetime(self: copy self)
    private mutating func follow(
        _ steps: [JSONPathSelector], from level: Int, in token: JSONToken, to nodes: inout [JSONNode]
    ) throws(JSONError) -> Bool {
        guard level < steps.count else {
            let start = reader.tokenStart
            try reader.skipRest(of: token)
            nodes.append(JSONNode(range: start..<reader.position, kind: JSONNode.Kind(firstByte: text[start])))
            return nodes.count < limit
        }
        switch (steps[level], token) {
        case (.name, .beginObject), (.index, .beginArray), (.wildcard, .beginObject), (.wildcard, .beginArray):
            break
        default:
            try reader.skipRest(of: token)
            return true
        }
        var index = 0
        while var child = try reader.next(), child != .endObject, child != .endArray {
            let isWanted =
                switch (steps[level], child) {
                case (.name(let wanted), .name(let name)): name.equals(wanted.span, in: text)
                case (.index(let wanted), _): wanted == index
                default: true
                }
            if case .name = child {
                guard let value = try reader.next() else { return false }
                child = value
            }
            if !isWanted {
                try reader.skipRest(of: child)
            } else if try !follow(steps, from: level + 1, in: child, to: &nodes) {
                return false
            }
            index += 1
        }
        return true
    }
}

package struct JSONNode: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        case object, array, string, number, boolean, null
    }

    /// The value's bytes, including a string's quotes.
    package let range: Range<Int>
    package let kind: Kind

    package init(range: Range<Int>, kind: Kind) {
        self.range = range
        self.kind = kind
    }

    /// A string's bytes between its quotes.
    package var content: Range<Int> {
        precondition(kind == .string)
        return range.lowerBound + 1..<range.upperBound - 1
    }
}

extension JSONNode.Kind {
    package init(firstByte byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }
}
