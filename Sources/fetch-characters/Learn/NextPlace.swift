// What may lead from one page to the next: a Link header, a URL, a cursor.

import PipelineCore
import PipelineHTTP

/// Such a place, as a description has it, and what it is called in messages.
struct NextPlace: Sendable {
    let kind: LearntPagination.Kind
    /// What it is called: `the URL at $.next`, or `cursor, from $.meta.next_cursor`.
    let text: String

    /// How the next page is got, in words.
    var sentence: String {
        switch kind {
        case .linkHeader, .nextURL: "the next page is \(text)"
        case .none, .cursor, .cursors, .page, .offset: "the next page is requested by \(text)"
        }
    }

    /// The places of an answer in the order in which they are tried.
    /// - Parameter typed: the parameter of the list's URL that says which page is meant.
    static func all(
        in answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders, typed: PageParameter?
    ) -> [NextPlace] {
        var places: [NextPlace] = []
        if linkHeader(headers) != nil {
            places.append(NextPlace(kind: .linkHeader, text: "the URL in the header Link"))
        }
        let values = EnvelopeValue.all(in: answer, beside: place)
        let leading = values.filter { $0.leadsOn }
        for value in leading where value.value.text.map(isLink) ?? false {
            places.append(NextPlace(kind: .nextURL(.string(value.path)), text: "the URL at \(value.path)"))
        }
        for field in headers.fields where LearntNames.plain(field.name).hasSuffix("next") && isLink(field.value) {
            let header = JSONTree.object([("header", .string(field.name))])
            places.append(NextPlace(kind: .nextURL(header), text: "the URL in the header \(field.name)"))
        }
        if let several = cursors(values) { places.append(several) }
        for value in leading where value.isCursor && !value.isPartOfSeveral {
            let own = typed.map { $0.kind == .cursor ? [$0.name] : [] } ?? []
            for name in (own + parameterNames(value.name)).prefix(2) {
                places.append(
                    NextPlace(
                        kind: .cursor(parameter: name, next: value.path),
                        text: "\(name), from \(value.path)"
                    ))
            }
        }
        return places
    }

    /// The links to the next page, as they are written.
    static func links(
        in answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders
    ) -> [String] {
        let header = linkHeader(headers).map { [$0] } ?? []
        let values = EnvelopeValue.all(in: answer, beside: place).filter(\.leadsOn)
        return header + values.compactMap { value in value.value.text.flatMap { isLink($0) ? $0 : nil } }
    }

    /// The next page by the header Link. Nil also for a header that can't be read: nothing is learnt from it.
    private static func linkHeader(_ headers: HTTPHeaders) -> String? {
        do throws(WebLink.Unreadable) { return try WebLink.next(in: headers.values("Link")) } catch { return nil }
    }

    /// Whether a text may be a URL, absolute or relative.
    private static func isLink(_ text: String) -> Bool {
        let start = text.prefix(9).lowercased()
        if start.hasPrefix("http://") || start.hasPrefix("https://") || text.hasPrefix("/") { return true }
        // A relative one, as OData writes it.
        return text.contains("?") && text.contains("=") && !text.contains(" ")
    }

    /// MediaWiki's `"continue":{"gcmcontinue":"…","continue":"…"}`, all of which go on together.
    private static func cursors(_ values: [EnvelopeValue]) -> NextPlace? {
        let parts = values.filter(\.isPartOfSeveral)
        guard !parts.isEmpty, parts.allSatisfy({ $0.value.isScalar }) else { return nil }
        // More would be no cursor.
        guard parts.count <= 8 else { return nil }
        let names = parts.map(\.name).joined(separator: " and ")
        return NextPlace(
            kind: .cursors(parts.map { ($0.name, $0.path) }), text: "\(names), from $.continue")
    }

    /// The parameters that a cursor may belong to: `nextPageToken` to `pageToken`, `endCursor` to `after`.
    private static func parameterNames(_ name: String) -> [String] {
        var rest = name
        for prefix in ["next", "Next", "end"] where rest.hasPrefix(prefix) { rest.removeFirst(prefix.count) }
        rest = String(rest.drop { $0 == "_" || $0 == "-" || $0 == "." })
        let lowered = rest.prefix(1).lowercased() + rest.dropFirst()
        if LearntNames.plain(name) == "endcursor" { return ["after", "cursor"] }
        let names = lowered.isEmpty ? ["cursor", "next"] : lowered == name ? [name] : [lowered, name]
        return names
    }
}

extension AnswerValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .text, .number: true
        case .object, .array, .boolean, .null: false
        }
    }
}

extension EnvelopeValue {
    /// Whether its names say that it leads on.
    fileprivate var leadsOn: Bool { LearntNames.leadsOn(names) }

    /// What a cursor is called within something that is next.
    private static let cursorNames = ["cursor", "token", "after", "value", "key", "position", "offset"]

    /// Whether it goes on together with others.
    fileprivate var isPartOfSeveral: Bool { names.count >= 2 && names[names.count - 2] == "continue" }

    private var isNamedCursor: Bool { LearntNames.cursors.contains(LearntNames.plain(name)) }

    private var isNamedAsNext: Bool {
        let plain = LearntNames.plain(name)
        return isNamedCursor || plain.contains("next") || Self.cursorNames.contains(plain)
    }

    /// Whether it may be a cursor: a text or a number, but not a URL or a page's number.
    fileprivate var isCursor: Bool {
        switch value {
        case .text(let text):
            !text.isEmpty && isNamedAsNext && !text.contains("://") && !text.contains("?")
                && (Int(text) == nil || isNamedCursor)
        case .number: isNamedCursor
        case .object, .array, .boolean, .null: false
        }
    }
}
