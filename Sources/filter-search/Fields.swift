// The texts of a record that are searched: `-f PATH`, `--any`, or the name.

import PipelineCore

/// The fields of a run.
enum Fields {
    /// Every string value of the record.
    case any
    /// The record's own members of these names, in UTF-8.
    case members([[UInt8]])
    /// The nodes found by these paths.
    case paths([JSONPathEvaluator])

    /// - Throws: if a path is invalid.
    init(_ settings: FilterSettings) throws(UsageError) {
        guard !settings.searchesAnyField else {
            self = .any
            return
        }
        guard !settings.fields.isEmpty else {
            self = .members([Array("name".utf8)])
            return
        }
        var paths: [JSONPath] = []
        for text in settings.fields { paths.append(try ArgumentValue.path(text, option: "--field")) }
        let names = paths.compactMap { $0.simpleMember }
        self = names.count == paths.count ? .members(names) : .paths(paths.map { JSONPathEvaluator($0) })
    }
}
