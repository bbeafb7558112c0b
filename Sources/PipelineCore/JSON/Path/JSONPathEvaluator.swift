// A path applied to record after record, with buffers that are reused.

/// Finds the nodes of a path. One evaluator serves many records; once its buffers have grown to the largest record,
/// a record costs no allocation.
///
/// A name selects all members of that name: the RFC leaves duplicate names open, and here a record matches if any of
/// them does. In a comparison a query stands for its first node. Half a surrogate pair counts as U+FFFD.
///
/// A path of names, wildcards and indexes from the front is followed in one pass through the bytes. For all others the
/// record is indexed first, which takes 16 bytes for each value and name, and the work is bounded: `stepLimit` steps
/// and `nodeLimit` nodes, and a share for each byte of the record.
package struct JSONPathEvaluator: Sendable {
    /// Steps that a path may take on any record, by default: a step looks at one value, or at 16 bytes of text.
    package static let defaultStepLimit = 100_000_000
    /// Steps more for each byte of the record.
    package static let stepsPerByte = 4
    /// Nodes that may be held at once, beside one for each byte of the record.
    package static let nodeLimit = 1_000_000

    package let path: JSONPath
    /// What the last `evaluate` found, in the order of the RFC.
    package private(set) var nodes: [JSONNode] = []
    private var machine: JSONPathMachine

    /// - Parameter stepLimit: the work for a record, beside `stepsPerByte` for each of its bytes.
    package init(_ path: JSONPath, stepLimit: Int = JSONPathEvaluator.defaultStepLimit) {
        self.path = path
        machine = JSONPathMachine(stepLimit: stepLimit)
    }

    /// Finds the nodes of the path in a JSON text and stores them in `nodes`.
    /// - Parameters:
    ///   - isChecked: the text has been checked, or will be before its nodes are used. On one that isn't JSON the
    ///     nodes mean nothing then.
    ///   - limit: stop when there are that many.
    /// - Throws: the text's first fault; `tooMuchForPath` where the limits above are passed.
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
        var scan = JSONPathScan(text, limit: max(limit, 1))
        // What stops the scan of a text that is to be checked later stops the check too.
        do throws(JSONError) { _ = try scan.follow(steps, to: &nodes) } catch {}
    }
}
