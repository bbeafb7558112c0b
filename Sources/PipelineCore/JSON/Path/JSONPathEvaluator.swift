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
        do throws(JSONError) { _ = try scan.follow(steps, to: &nodes) } catch {}
    }
}

/// Follows a path of names, wildcards and indexes from the front in one pass over a text's bytes.
///
/// It finds the nodes in the order of the text, which is the RFC's order too.
struct JSONPathScan: ~Escapable {
    private let text: Span<UInt8>
    private var reader: JSONReader
    private let limit: Int

    /// - Parameters:
    ///   - text: checked on the way, up to the last node.
    ///   - limit: the number of nodes to stop at.
    @_lifetime(copy text)
    init(_ text: Span<UInt8>, limit: Int) {
        self.text = text
        self.limit = limit
        reader = JSONReader(text)
    }

    /// Adds the nodes that the steps from `level` on find in the next value, and reads that value.
    /// - Returns: false if the limit is reached or no value is left; the value isn't read to its end then.
    @_lifetime(self: copy self)
    mutating func follow(
        _ steps: [JSONPathSelector], from level: Int = 0, to nodes: inout [JSONNode]
    ) throws(JSONError) -> Bool {
        guard let token = try reader.next() else { return false }
        return try follow(steps, from: level, in: token, to: &nodes)
    }

    /// - Parameter token: the value's first token, which was just read.
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
        case (.name(let name), .beginObject): return try members(name, steps, level, &nodes)
        case (.wildcard, .beginObject): return try members(nil, steps, level, &nodes)
        case (.index(let index), .beginArray): return try elements(index, steps, level, &nodes)
        case (.wildcard, .beginArray): return try elements(nil, steps, level, &nodes)
        default:
            try reader.skipRest(of: token)
            return true
        }
    }

    /// - Parameter wanted: nil for all members.
    @_lifetime(self: copy self)
    private mutating func members(
        _ wanted: [UInt8]?, _ steps: [JSONPathSelector], _ level: Int, _ nodes: inout [JSONNode]
    ) throws(JSONError) -> Bool {
        while case .name(let name)? = try reader.next() {
            if isWanted(name, wanted) {
                guard try follow(steps, from: level + 1, to: &nodes) else { return false }
            } else if let value = try reader.next() {
                try reader.skipRest(of: value)
            }
        }
        return true
    }

    private func isWanted(_ name: JSONString, _ wanted: [UInt8]?) -> Bool {
        guard let wanted else { return true }
        let content = text.extracting(name.range)
        guard name.hasEscapes else { return content.count == wanted.count && content.equals(wanted.span) }
        return JSONStringDecoder.equals(content, wanted.span)
    }

    /// - Parameter wanted: nil for all elements.
    @_lifetime(self: copy self)
    private mutating func elements(
        _ wanted: Int?, _ steps: [JSONPathSelector], _ level: Int, _ nodes: inout [JSONNode]
    ) throws(JSONError) -> Bool {
        var index = 0
        while let token = try reader.next(), token != .endArray {
            if wanted == nil || wanted == index {
                guard try follow(steps, from: level + 1, in: token, to: &nodes) else { return false }
            } else {
                try reader.skipRest(of: token)
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
