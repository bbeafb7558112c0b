// What a description does, in one line for a person who has just written it:
//
//     GET /character; pages by page from 1, 50 records each by pageSize; ends after $.info.totalPages pages; search by name; no key

import PipelineCore
import PipelineHTTP

enum SourceSummary {
    static func text(_ source: Source, pageSize: Int?) -> String {
        let size = source.pagination.size.map { size in
            "\(pageSize ?? size.value) records each by \(name(size.parameter, source))"
        }
        let pages = [paging(source), size].compactMap { $0 }.joined(separator: ", ")
        let method = source.isPost ? "POST" : "GET"
        let path = source.path.isEmpty ? "/" : hidingKeys(source.path)
        let parts = [
            source.isOfNoService ? "responses come from --input or --base-url" : "\(method) \(path)", pages,
            end(source.pagination), merge(source.merge), values(source), keys(source),
            source.wantsContact ? "wants a contact" : "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The path with dots for keys that stand in its query.
    private static func hidingKeys(_ path: String) -> String {
        guard let mark = path.firstIndex(of: "?") else { return path }
        let parameters = path[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
        let shown = parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            let isKey = SecretNames.isSecret(HTTPURL.percentDecoded(String(name))) && !parameter.contains("{")
            return isKey && name.count < parameter.count ? "\(name)=…" : String(parameter)
        }
        return path[...mark] + shown.joined(separator: "&")
    }

    private static func paging(_ source: Source) -> String {
        switch source.pagination.kind {
        case .none: "one response has everything"
        case .page(let parameter, let first): "pages by \(name(parameter, source)) from \(first)"
        case .offset(let parameter, _): "pages by \(name(parameter, source)), the number of records before them"
        case .cursor(let cursors):
            "the next page by "
                + cursors.map { "\(name($0.parameter, source)), from \(text($0.places))" }.joined(
                    separator: ", and ")
        case .link(let places): "the next page's URL from \(places.isEmpty ? "the header Link" : text(places))"
        }
    }

    private static func text(_ places: [Pagination.Location]) -> String {
        places.map(\.text).joined(separator: " or ")
    }

    private static func end(_ pagination: Pagination) -> String {
        var ends = ([pagination.more].compactMap(\.self) + pagination.done).map { "ends when \($0.text) says so" }
        if let count = pagination.count {
            ends.append("ends after \(count.location.text) \(count.unit == .pages ? "pages" : "records")")
        }
        ends += pagination.ends.map(\.rawValue).sorted().map { "ends with \($0)" }
        if let last = pagination.lastPage { ends.append("sends at most \(last) pages") }
        return ends.joined(separator: ", ")
    }

    private static func merge(_ merge: Source.Merge?) -> String {
        guard let merge else { return "" }
        return "records in parts" + (merge.complete.map { ", complete when \($0.text) says so" } ?? "")
    }

    private static func values(_ source: Source) -> String {
        var values: [String] = []
        if let search = source.search { values.append("search by \(name(search.parameter, source))") }
        if !source.each.isEmpty {
            values.append(
                "--each sets " + source.each.map { name($0.placement, source) }.joined(separator: " and "))
        }
        if let since = source.since {
            let places = [since.placement, since.until].compactMap(\.self).map { name($0, source) }
            values.append(
                places.isEmpty
                    ? "--since ends at an older page" : "--since sets " + places.joined(separator: " and "))
        }
        return values.joined(separator: ", ")
    }

    private static func keys(_ source: Source) -> String {
        guard !source.keys.isEmpty else { return "no key" }
        return source.keys.map { key in
            guard let variable = key.variable else {
                let variables = (source.token?.variables ?? []).joined(separator: ", ")
                return "token in \(name(key.placement, source)), got with \(variables)"
            }
            return "key \(variable) in \(name(key.placement, source))\(key.isRequired ? "" : ", if there is one")"
        }.joined(separator: ", ")
    }

    private static func name(_ placement: Placement, _ source: Source) -> String {
        switch placement {
        case .query(let name): name
        case .header(let name): "the header \(name)"
        case .path(let name): "{\(name)} in \(places(of: name, in: source).joined(separator: " and "))"
        case .body(let steps): JSONLocation.path(of: steps, style: .rooted) + " in the body"
        case .form(let name): "\(name) in the form"
        }
    }

    /// Where a request has the placeholder.
    private static func places(of name: String, in source: Source) -> [String] {
        func has(_ texts: [String]) -> Bool { texts.contains { Placeholders.names(in: $0).contains(name) } }
        let path = source.path.prefix { $0 != "?" }
        let base = source.baseURL.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        var places: [String] = []
        if has(base.prefix(3).map(String.init)) { places.append("the host") }
        if has([String(path)] + base.dropFirst(3).map(String.init)) { places.append("the path") }
        if has([String(source.path.dropFirst(path.count))] + source.query.map(\.value)) {
            places.append("the query")
        }
        let headers = source.headers.filter { has([$0.value]) }
        places += headers.map { "the header \($0.name)" }
        switch source.content {
        case .json? where has(source.content?.texts ?? []): places.append("the body")
        case .form? where has(source.content?.texts ?? []): places.append("the form")
        case .json, .form, nil: break
        }
        // Requests for later pages alone, or a search, have it elsewhere.
        return places.isEmpty ? ["the request"] : places
    }
}

/// The table of --list-sources: name, what the source gives, and the keys that it takes.
///
///     disney         Characters of Disney's films and shows      no key
///     cat-images     Pictures of cats                            optional key: CAT_API_KEY
enum SourceTable {
    private typealias Row = (name: String, summary: String, keys: String)

    /// A line for each source. One with mistakes is reported and left out.
    static func text(_ diagnostics: Diagnostics) -> String {
        var rows = BuiltInSource.all.compactMap { row($0.name, $0.file, diagnostics) }
        for (name, path) in SourceLibrary.files() {
            do throws(SystemError) {
                let file = try DescriptionFile(path: path, isNamed: false)
                if let row = row(name, file, diagnostics) { rows.append(row) }
            } catch {
                diagnostics.warning("the description \(name) can't be read: \(error)")
            }
        }
        let widths = (name: rows.map(\.name.count).max() ?? 0, summary: rows.map(\.summary.count).max() ?? 0)
        let columns = Descriptor.standardOutput.isTerminal ? Terminal.columns : nil
        return rows.map { row in
            // At a terminal a row is one line, and summaries give way to what makes a source usable.
            let room = columns.map { max(0, $0 - widths.name - row.keys.count - 4) } ?? widths.summary
            var summary = row.summary
            if summary.count > room { summary = room > 0 ? "\(summary.prefix(room - 1))…" : "" }
            let padding = columns == nil ? room : min(room, widths.summary)
            return padded(row.name, widths.name) + "  " + padded(summary, padding) + "  \(row.keys)\n"
        }.joined()
    }

    private static func row(_ name: String, _ file: DescriptionFile, _ diagnostics: Diagnostics) -> Row? {
        do throws(DescriptionError) {
            let source = try file.source()
            let summary = (source.summary ?? source.baseURL).prefix(100)
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
        return others.isEmpty ? "no key" : "optional key: " + others.joined(separator: ", ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
