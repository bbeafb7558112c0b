// What a description does, in one line for a person who has just written it:
//
//     GET /character; pages by page from 1, 50 records each by pageSize; ends after $.info.totalPages pages; search by name; no key

import PipelineCore
import PipelineHTTP

/// The summary of a source.
enum SourceSummary {
    static func text(_ source: Source, pageSize: Int?) -> String {
        let size = source.pagination.size.map { size in
            "\(pageSize ?? size.value) records each by \(name(size.parameter))"
        }
        let pages = [paging(source.pagination), size].compactMap { $0 }.joined(separator: ", ")
        let parts = [
            source.isOfNoService
                ? "answers come by --input, or from --base-url"
                : (source.isPost ? "POST " : "GET ") + (source.path.isEmpty ? "/" : source.path), pages,
            end(source.pagination), merge(source.merge), values(source), keys(source),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private static func paging(_ pagination: Pagination) -> String {
        switch pagination.kind {
        case .none: "one response has everything"
        case .page(let parameter, let first): "pages by \(name(parameter)) from \(first)"
        case .offset(let parameter, _): "pages by \(name(parameter)), the number of records before them"
        case .cursor(let cursors):
            "the next page by "
                + cursors.map { "\(name($0.parameter)), from \($0.value.text)" }.joined(separator: ", and ")
        case .link(.value(let location)): "the next page's URL from \(location.text)"
        case .link(.relation): "the next page's URL from the header Link"
        }
    }

    private static func end(_ pagination: Pagination) -> String {
        var ends = pagination.more.map { ["ends when \($0.text) says so"] } ?? []
        if let count = pagination.count {
            ends.append("ends after \(count.location.text) \(count.unit == .pages ? "pages" : "records")")
        }
        ends += pagination.ends.map(\.rawValue).sorted().map { "ends with \($0)" }
        if let last = pagination.lastPage { ends.append("gives \(last) pages at most") }
        return ends.joined(separator: ", ")
    }

    private static func merge(_ merge: Source.Merge?) -> String {
        guard let merge else { return "" }
        return "records in parts" + (merge.complete.map { ", complete when \($0.text) says so" } ?? "")
    }

    private static func values(_ source: Source) -> String {
        var values: [String] = []
        if let search = source.search { values.append("search by \(name(search.parameter))") }
        if !source.each.isEmpty {
            values.append("--each sets " + source.each.map { name($0.placement) }.joined(separator: " and "))
        }
        switch source.since?.means {
        case .parameter(let placement, _): values.append("--since sets \(name(placement))")
        case .newestFirst: values.append("--since ends at an older page")
        case nil: break
        }
        return values.joined(separator: ", ")
    }

    private static func keys(_ source: Source) -> String {
        guard !source.keys.isEmpty else { return "no key" }
        return source.keys.map { key in
            guard let variable = key.variable else {
                let variables = (source.token?.variables ?? []).joined(separator: ", ")
                return "token in \(name(key.placement)), got with \(variables)"
            }
            return "key \(variable) in \(name(key.placement))\(key.isRequired ? "" : ", if there is one")"
        }.joined(separator: ", ")
    }

    /// A place as a description says it.
    private static func name(_ placement: Placement) -> String {
        switch placement {
        case .query(let name): name
        case .header(let name): "the header \(name)"
        case .path(let name): "{\(name)} in the path"
        case .body(let steps):
            "$"
                + steps.map { step in
                    switch step {
                    case .name(let name): ".\(name)"
                    case .index(let index): "[\(index)]"
                    }
                }.joined() + " in the body"
        case .form(let name): "\(name) in the form"
        }
    }
}
