// The pagination of a description: an object for each type.

extension DescriptionValue {
    /// An object of any type; a cursor has two forms.
    static let pagination = Self.anyOf(
        Pagination.Word.allCases.map { .object(.pagination($0)) } + [.object(.paginationByCursors)])

    /// Where a response has what leads on.
    fileprivate static let next = Self.anyOf([.path, .object(.location)])
}

extension DescriptionObject {
    /// The members that a type has.
    static func pagination(_ type: Pagination.Word) -> DescriptionObject {
        let parameter = { DescriptionMember.required("parameter", .placement, $0) }
        return switch type {
        case .none: pages(type, "One response has everything.", [total], hasEnds: false)
        case .page:
            pages(
                type, "Pages are requested by their number.",
                [
                    parameter("Where the number of the page goes."),
                    .optional(
                        "first", .integer(Pagination.firstNumbers),
                        "The number of the first page; 1 if left out."),
                ])
        case .offset:
            pages(
                type, "Pages are requested by the number of records before them.",
                [
                    parameter("Where the number of records to skip goes."),
                    .optional(
                        "first", .integer(Pagination.firstNumbers),
                        "The number that requests the first page; 0 if left out, 1 where records are counted from 1."
                    ),
                ])
        case .cursor:
            pages(
                type, "Each response has the value that requests the next page.",
                [
                    parameter("Where that value goes."),
                    .required("next", .next, "Where a response has it."),
                ])
        case .nextURL:
            pages(
                type, "Each response has the URL of the next page.",
                [.required("next", .next, "Where a response has the URL."), keepQuery])
        case .linkHeader: pages(type, "The URL of the next page is in the header field Link.", [keepQuery])
        }
    }

    private static func pages(
        _ type: Pagination.Word, _ help: String, _ members: [DescriptionMember], hasEnds: Bool = true
    ) -> DescriptionObject {
        DescriptionObject(
            "pagination-" + type.rawValue, help,
            [.required("type", .word([type.rawValue]), help)] + members + (hasEnds ? ends(type) : []))
    }

    /// Where several values go on together, as with MediaWiki.
    fileprivate static let paginationByCursors = DescriptionObject(
        "pagination-cursors", "Each response has several values that request the next page together.",
        [
            .required(
                "type", .word([Pagination.Word.cursor.rawValue]), "Each response has what requests the next page."),
            .optional("parameter", .nothing, "Where the value goes, if there is one."),
            .required("next", .object(.nextValues), "Where a response has the values."),
        ] + ends(.cursor))

    static let nextValues = DescriptionObject(
        "next-values", "The values that request the next page.",
        [.required("values", .object(.cursorValues), "The query parameters, each with its path in the response.")])

    static let cursorValues = DescriptionObject(
        "cursor-values", "Query parameters with their paths in the response.",
        others: .optional("NAME", .path, "The path of its value."), count: 1...Int.max)

    private static let keepQuery = DescriptionMember.optional(
        "keepQuery", .boolean, "Whether query parameters that the URL has lost are added again.")

    private static let total = DescriptionMember.optional(
        "total", .object(.location), "How many records there are.")

    /// What says where the list ends.
    private static func ends(_ type: Pagination.Word) -> [DescriptionMember] {
        let words = Pagination.End.allCases.filter { $0 != .sameCursor || type == .cursor }.map(\.rawValue)
        return [
            .optional("size", .object(.size), "How many records a page has."), total,
            .optional("pages", .object(.location), "How many pages there are."),
            .optional("more", .path, "Finds something as long as another page follows."),
            .optional("end", .list(.word(words), least: 1), "What else is the end of the list."),
            .optional(
                "last", .integer(Pagination.lastNumbers), "The number of pages after which the API gives no more."),
        ]
    }

    static let size = DescriptionObject(
        "size", "How many records a page has.",
        [
            .required("parameter", .placement, "Where the number goes."),
            .required("value", .integer(Pagination.Size.numbers), "The number that is requested."),
            .optional("max", .integer(Pagination.Size.numbers), "The most that the API gives."),
        ])
}
