// Where values go in a request, and where they come from in a response.

extension DescriptionValue {
    /// The name of a query parameter, or another place in the request.
    static let placement = Self.anyOf([.text, .object(.placement)])

    /// Where records are.
    static let records = Self.anyOf([.path, .object(.namedRecords)])

    fileprivate static let memberPlaces = Self.oneOrMore(.anyOf([.composedText, .object(.memberLocation)]))
}

extension DescriptionObject {
    static let placement = DescriptionObject(
        "placement", "Where a value goes in a request.",
        [
            .optional("query", .text, "A query parameter."),
            .optional("header", .text, "A header field."),
            .optional("path", .text, "The placeholder of this name in the path."),
            .optional("body", .path, "The place in the JSON body, as a path of names such as $.variables.page."),
            .optional("form", .text, "A field of the form that is the body."),
        ], count: 1...1)

    static let location = DescriptionObject(
        "location", "Where a response has a value.",
        [
            .optional("path", .path, "Its path in the body."), .optional("header", .text, "A header field."),
        ], count: 1...1)

    // MARK: Records

    static let namedRecords = DescriptionObject(
        "records", "Records that are the members of an object.",
        [
            .required("path", .path, "The path of the object."),
            .required("key", .text, "The member of a record that its name in the object becomes."),
        ])

    static let merge = DescriptionObject(
        "merge", "How records come in parts, joined by id.",
        [
            .optional(
                "complete", .path,
                "Finds something in the page that completes the records before it; without it they are complete before a "
                    + "page that has none of them.")
        ])

    static let members = DescriptionObject(
        "members", "The common members, each with its place; of several, the first that has a text wins.",
        Source.CommonName.allCases.map { .optional($0.rawValue, .memberPlaces, $0.help) })

    static let memberLocation = DescriptionObject(
        "member-location", "The place of a common member.",
        [
            .optional("step", .text, "The step of expand in whose response the path is read."),
            .required(
                "path", .composedText, "Its path, or a text composed of several, such as https://a.example/{$.id}."),
            .optional("replace", .text, "A part of the text that is replaced."),
            .optional("with", .textOrEmpty, "What takes the place of that part."),
            .optional("optional", .boolean, "No record need have it."),
        ])

    static let step = DescriptionObject(
        "step", "A further request for each record.",
        [
            .required("name", .text, "The name by which members refer to it."),
            .required(
                "url", .oneOrMore(.composedText), "The path of its URL in the previous response, or several."),
            .optional("record", .boolean, "Its response takes the record's place."),
            .optional("origins", .list(.text, least: 0), "Origins besides the API's own that it may lead to."),
        ])
}

extension Source.CommonName {
    fileprivate var help: String {
        switch self {
        case .id: "What identifies the record."
        case .name: "What it is called."
        case .description: "What is said about it."
        case .imageURL: "The URL of its picture."
        case .pageURL: "The URL of its page for people."
        }
    }
}
