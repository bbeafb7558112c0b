// The pagination of a description. Its type decides which members it has.

import PipelineCore
import PipelineHTTP

extension Pagination {
    /// The types as a description spells them.
    enum Word: String, CaseIterable {
        case none
        case page
        case offset
        case cursor
        case nextURL = "next-url"
        case linkHeader = "link-header"
    }

    /// The number of the first page, or of the first record.
    static let firstNumbers = 0...1_000_000
    /// How many pages an API gives.
    static let lastNumbers = 1...1_000_000

    init?(in source: DescriptionReader) {
        guard let object = source.object("pagination", as: nil, isRequired: true) else { return nil }
        guard let word: Word = object.word("type", isRequired: true) else { return nil }
        object.refuseUnknown(beside: .pagination(word))
        let size = Size(in: object)
        let total = Location(in: object, "total")
        let pages = Location(in: object, "pages")
        if total != nil, pages != nil { object.mistakes.add(object.location, "takes total or pages, not both") }
        let kind = Self.kind(word, object)
        let keepsQuery = object.boolean("keepQuery")
        more = object.path("more")
        ends = Set(End.all(word == .cursor, in: object))
        lastPage = object.integer("last", in: Self.lastNumbers)
        guard let kind else { return nil }
        self.kind = kind
        self.size = size
        self.keepsQuery = keepsQuery
        count = total.map { (.records, $0) } ?? pages.map { (.pages, $0) }
    }

    private static func kind(_ word: Word, _ object: DescriptionReader) -> Kind? {
        switch word {
        case .none: return Kind.none
        case .page:
            let first = object.integer("first", in: firstNumbers) ?? 1
            return Placement(in: object, "parameter", isRequired: true).map { .page(parameter: $0, first: first) }
        case .offset:
            let first = object.integer("first", in: firstNumbers) ?? 0
            return Placement(in: object, "parameter", isRequired: true).map { .offset(parameter: $0, first: first) }
        case .cursor: return Cursor.all(in: object).map { .cursor($0) }
        case .nextURL: return Location(orPathIn: object, "next").map { .link(.value($0)) }
        case .linkHeader: return .link(.relation)
        }
    }
}

extension Pagination.Cursor {
    /// One parameter and where its value is, or `{"values": {PARAMETER: PATH}}` for several that lead on together.
    fileprivate static func all(in pagination: DescriptionReader) -> [Self]? {
        guard case .object(let members)? = pagination.value("next"),
            members.contains(where: { $0.name == "values" })
        else {
            let parameter = Placement(in: pagination, "parameter", isRequired: true)
            let value = Pagination.Location(orPathIn: pagination, "next")
            return parameter.flatMap { parameter in value.map { [Self(parameter: parameter, value: $0)] } }
        }
        if pagination.value("parameter") != nil {
            pagination.mistake("parameter", "has no place where next has values, which name their parameters")
        }
        guard let next = pagination.object("next", as: .nextValues),
            let values = next.object("values", as: .cursorValues)
        else { return nil }
        if values.members.isEmpty { next.mistake("values", "takes at least one parameter with its path") }
        return values.members.compactMap { member in
            values.path(member.name).map { Self(parameter: .query(member.name), value: .path($0)) }
        }
    }
}

extension Pagination.End {
    /// - Parameter hasCursor: the pagination's type is `cursor`.
    fileprivate static func all(_ hasCursor: Bool, in pagination: DescriptionReader) -> [Self] {
        guard let value = pagination.value("end") else { return [] }
        let words = allCases.map(\.rawValue).joined(separator: ", ")
        guard case .array(let elements) = value, !elements.isEmpty else {
            pagination.mistake("end", "takes an array of at least one of \(words)")
            return []
        }
        return elements.enumerated().compactMap { index, element in
            let location = "\(pagination.location(of: "end"))[\(index)]"
            guard let end = element.string.flatMap({ Self(rawValue: $0) }) else {
                let found = element.string.map { "'\($0)' is not known" } ?? "takes a text, not \(element.kind)"
                pagination.mistakes.add(location, "\(found); use one of \(words)")
                return nil
            }
            if end == .sameCursor, !hasCursor {
                pagination.mistakes.add(location, "same-cursor is an end for the type cursor only")
            }
            return end
        }
    }
}

extension Pagination.Size {
    /// The most that a description or `--page-size` may name.
    static let largest = 1_000_000
    static let numbers = 1...largest

    init?(in pagination: DescriptionReader) {
        guard let object = pagination.object("size", as: .size) else { return nil }
        let parameter = Placement(in: object, "parameter", isRequired: true)
        let value = object.integer("value", in: Self.numbers, isRequired: true)
        limit = object.integer("max", in: Self.numbers)
        if let value, let limit, value > limit { object.mistake("value", "is more than max, \(limit)") }
        guard let parameter, let value else { return nil }
        self.parameter = parameter
        self.value = value
    }
}

extension Pagination.Location {
    init?(in pagination: DescriptionReader, _ name: String) {
        guard let object = pagination.object(name, as: .location) else { return nil }
        let path = object.path("path")
        let header = object.text("header")
        switch (path, header) {
        case (let path?, nil): self = .path(path)
        case (nil, let header?): self = .header(header)
        default:
            if object.value("path") == nil || header != nil {
                object.mistakes.add(object.location, "takes a path in the body or the name of a header")
            }
            return nil
        }
    }

    /// A path is short for `{"path": PATH}`.
    fileprivate init?(orPathIn pagination: DescriptionReader, _ name: String) {
        guard case .object? = pagination.value(name) else {
            guard let path = pagination.path(name, isRequired: true) else { return nil }
            self = .path(path)
            return
        }
        self.init(in: pagination, name)
    }
}
