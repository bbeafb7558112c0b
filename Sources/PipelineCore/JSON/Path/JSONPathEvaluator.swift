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
            if case .name(let name)? = path.steps?.first { Needle(name + [0x22], isQuoted: true) } else { nil }
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
