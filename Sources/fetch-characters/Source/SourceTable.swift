// The table of --list-sources: name, what the source gives, and the keys that it takes.
//
//     disney         Characters of Disney's films and shows      no key
//     cat-images     Pictures of cats                            key if there is one: CAT_API_KEY

import PipelineCore
import PipelineHTTP

/// The sources that have a name, as a person reads them.
enum SourceTable {
    /// A line for each source. One with mistakes is reported and left out.
    static func text(_ diagnostics: Diagnostics) throws(ToolFailure) -> String {
        var rows: [(name: String, summary: String, keys: String)] = []
        for name in SourceLibrary.names {
            guard let file = try SourceLibrary.description(name) else { continue }
            do throws(DescriptionError) {
                let source = try file.source()
                rows.append((name, source.summary ?? source.baseURL, keys(source)))
            } catch {
                diagnostics.warning("the description \(name) has mistakes; --source \(name) --plan names them")
            }
        }
        let widths = (name: rows.map(\.name.count).max() ?? 0, summary: rows.map(\.summary.count).max() ?? 0)
        return rows.map { row in
            padded(row.name, widths.name) + "  " + padded(row.summary, widths.summary) + "  \(row.keys)\n"
        }.joined()
    }

    private static func keys(_ source: Source) -> String {
        let needed =
            source.keys.filter(\.isRequired).compactMap(\.variable) + (source.token?.variables ?? [])
        let others = source.keys.filter { !$0.isRequired }.compactMap(\.variable)
        if !needed.isEmpty { return "key: " + needed.joined(separator: ", ") }
        return others.isEmpty ? "no key" : "key if there is one: " + others.joined(separator: ", ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
