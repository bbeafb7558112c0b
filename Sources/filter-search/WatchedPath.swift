// The paths of a run, for a word about those that find nothing.

import PipelineCore

struct WatchedPath {
    enum Use {
        case field
        /// The field that is searched where no other is named.
        case usualField
        case condition(Condition.Comparison?)
    }

    let path: JSONPath
    let use: Use

    /// What the path has to find for a record to match at all.
    var wanted: Set<JSONNode.Kind> {
        switch use {
        case .field, .usualField: .texts
        case .condition(let comparison): comparison?.wanted ?? .anything
        }
    }

    /// What is said of the path if it found nothing of use.
    func message(_ index: Int, in findings: UnmatchedPaths.Findings) -> Message? {
        let message = findings.message(index, path) { kind in remedy(kind) }
        guard case .usualField = use, let message else { return message }
        return message + "; -f says where to search"
    }

    /// What to write where all values are of this kind.
    private func remedy(_ kind: JSONNode.Kind) -> String? {
        switch use {
        case .field, .usualField:
            kind == .number || kind == .boolean ? "only text is searched, --where compares other values" : nil
        case .condition(let comparison):
            switch kind {
            case .array: path.isSingular ? "write \(path.text)[*] for its elements" : nil
            case .object, .null: nil
            case .string, .number, .boolean: comparison?.remedy(path.text, kind)
            }
        }
    }
}
