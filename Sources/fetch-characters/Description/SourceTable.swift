// The table of --list-sources: name, what the source gives, and the keys that it takes.
//
//     disney         Characters of Disney's films and shows      no key
//     cat-images     Pictures of cats                            key if there is one: CAT_API_KEY

import PipelineCore
import PipelineHTTP

/// The sources that have a name, as a person reads them.
enum SourceTable {
    private typealias Row = (name: String, summary: String, keys: String)
    private static let summaryCharacters = 100

    /// The built-in sources with their summaries, for completion.
    static var builtIn: [OptionChoice] {
        BuiltInSource.all.map { source in
            do throws(DescriptionError) {
                return OptionChoice(source.name, try DescriptionFile(source).source().summary ?? "")
            } catch {
                preconditionFailure("the built-in source \(source.name) has mistakes")
            }
        }
    }

    /// A line for each source. One with mistakes is reported and left out.
    static func text(_ diagnostics: Diagnostics) -> String {
        var rows = BuiltInSource.all.compactMap { row($0.name, DescriptionFile($0), diagnostics) }
        for (name, path) in SourceLibrary.files() {
            do throws(SystemError) {
                let file = try DescriptionFile(path: path, isNamed: false)
                if let row = row(name, file, diagnostics) { rows.append(row) }
            } catch {
                diagnostics.warning("the description \(name) can't be read: \(error)")
            }
        }
        let widths = (name: rows.map(\.name.count).max() ?? 0, summary: rows.map(\.summary.count).max() ?? 0)
        return rows.map { row in
            padded(row.name, widths.name) + "  " + padded(row.summary, widths.summary) + "  \(row.keys)\n"
        }.joined()
    }

    /// - Returns: nil for a description with mistakes.
    private static func row(_ name: String, _ file: DescriptionFile, _ diagnostics: Diagnostics) -> Row? {
        do throws(DescriptionError) {
            let source = try file.source()
            let summary = (source.summary ?? source.baseURL).prefix(summaryCharacters)
            return (Diagnostics.printable(name), Diagnostics.printable(String(summary)), keys(source))
        } catch {
            diagnostics.warning("the description \(name) has mistakes; --source \(name) --plan names them")
            return nil
        }
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
