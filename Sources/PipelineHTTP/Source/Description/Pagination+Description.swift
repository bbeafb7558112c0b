// The pagination of a description. Its type decides which members it has.

import PipelineCore

extension Pagination {
    /// The types as a description spells them.
    private enum Word: String, CaseIterable {
        case none
        case page
        case offset
        case cursor
        case nextURL = "next-url"
        case linkHeader = "link-header"

        /// The members besides `type`.
        var members: [String] {
            switch self {
            case .none: ["total"]
            case .page: ["parameter", "first", "size", "total", "pages"]
            case .offset: ["parameter", "size", "total", "pages"]
            case .cursor: ["parameter", "next", "size", "total", "pages"]
            case .nextURL: ["next", "keepQuery", "size", "total", "pages"]
            case .linkHeader: ["keepQuery", "size", "total", "pages"]
            }
        }
    }

    init?(in source: DescriptionReader) {
        guard let object = source.object("pagination", known: nil, isRequired: true) else { return nil }
        guard let word: Word = object.word("type", isRequired: true) else { return nil }
        object.refuseUnknown(["type"] + word.members)
        let size = Size(in: object)
        let total = Location(in: object, "total")
        let pages = Location(in: object, "pages")
        if total != nil, pages != nil { object.mistakes.add(object.location, "takes total or pages, not both") }
        let kind = Self.kind(word, object)
        let keepsQuery = object.boolean("keepQuery") ?? false
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
            let first = object.integer("first", in: 0...1_000_000) ?? 1
            return Placement(in: object, "parameter", isRequired: true).map { .page(parameter: $0, first: first) }
        case .offset: return Placement(in: object, "parameter", isRequired: true).map { .offset(parameter: $0) }
        case .cursor:
            let parameter = Placement(in: object, "parameter", isRequired: true)
            let next = object.path("next", isRequired: true)
            return parameter.flatMap { parameter in next.map { .cursor(parameter: parameter, next: $0) } }
        case .nextURL: return object.path("next", isRequired: true).map { .nextURL(next: $0) }
        case .linkHeader: return .linkHeader
        }
    }
}

extension Pagination.Size {
    init?(in pagination: DescriptionReader) {
        guard let object = pagination.object("size", known: ["parameter", "value"]) else { return nil }
        let parameter = Placement(in: object, "parameter", isRequired: true)
        let value = object.integer("value", in: 1...10_000, isRequired: true)
        guard let parameter, let value else { return nil }
        self.parameter = parameter
        self.value = value
    }
}

extension Pagination.Location {
    init?(in pagination: DescriptionReader, _ name: String) {
        guard let object = pagination.object(name, known: ["path", "header"]) else { return nil }
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
}
