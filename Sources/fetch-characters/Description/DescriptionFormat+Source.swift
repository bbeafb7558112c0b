// What a description may have, member by member: the words of castline-source(5) and of the schema for editors.

import PipelineCore
import PipelineHTTP

extension DescriptionObject {
    static let source = DescriptionObject(
        "source",
        "A web API: how its records are requested page by page, and which of their members are the common ones.",
        [
            .optional("$schema", .text, "The schema for editors; the tools don't read it."),
            .required("name", .text, "The value of the member source of all records."),
            .optional("summary", .text, "What the API offers, for --list-sources."),
            .optional("note", .text, "A note for people who read the description."),
            .optional(
                "baseURL", .string(.base),
                "The scheme and host, with a path if all requests share one. Left out, like path, where responses come from "
                    + "--input alone."),
            .optional(
                "path", .string(.targetOrEmpty), "The path of the list, appended to baseURL; it may have a query."),
            .optional("params", .object(.params), "The placeholders that --param sets."),
            .optional("headers", .object(.parameters), "Header fields of every request."),
            .optional("query", .object(.parameters), "Query parameters of every request for a list."),
            .optional(
                "method", .word(Source.Method.self), "The method of requests for a list; GET if left out."),
            .optional(
                "body", .json,
                "The JSON body of every request for a list; {\"$file\": NAME} in it stands for that file's text."),
            .optional(
                "form", .object(.parameters), "The fields of a form that is the body of every request for a list."),
            .required(
                "records", .records, "Where a response has its records.",
                unless: ("format", .string(Source.Records.Format.lines.rawValue))),
            .optional(
                "format", .word(Source.Records.Format.self),
                "What a response is: JSON, or lines with a record on each; json if left out."),
            .optional(
                "merge", .object(.merge), "Further pages have other members of the same records; these are joined."),
            .required("pagination", .pagination, "How the list is paginated."),
            .optional("errors", .path, "A successful response in which this finds something is a refusal."),
            .optional(
                "busy", .path, "A response in which this finds something counts as 429 and is requested again."),
            .optional(
                "absent", .list(.integer(Source.absentStatuses), least: 1),
                "The statuses that mean that nothing was found."),
            .optional("search", .object(.search), "How the API searches."),
            .optional("item", .string(.target), "The path of one record, with {id} for its id."),
            .optional("each", .anyOf([.object(.each), .object(.eachValues)]), "What --each sets."),
            .optional("since", .object(.since), "How to request only records newer than a time."),
            .optional(
                "rate", .string(.rate), "The most requests to send, such as 5/second, 30/minute or 1000/hour."),
            .optional("contact", .word(["required"]), "The API requires a contact for questions about requests."),
            .optional("key", .oneOrMore(.object(.key)), "A key, or several."),
            .optional("token", .token, "How to obtain a token."),
            .optional("members", .object(.members), "The common members, each with its place in the API's record."),
            .optional("expand", .list(.object(.step), least: 0), "Further requests for each record."),
        ])

    /// Header fields, query parameters, fields of a form.
    static let parameters = DescriptionObject(
        "parameters", "Names with their values.",
        others: .optional("NAME", .scalar, "A text, an integer, true or false; {NAME} in a text is set by --param.")
    )

    static let params = DescriptionObject(
        "params", "Placeholders by name.",
        others: .optional("NAME", .object(.param), "A placeholder, {NAME} in the texts of the description."))

    static let param = DescriptionObject(
        "param", "A placeholder.",
        [
            .optional("default", .textOrEmpty, "Its value if --param sets none."),
            .optional("help", .text, "What it means, for people."),
        ])

    // MARK: Lists that are asked for otherwise

    static let search = DescriptionObject(
        "search", "The API's own search.",
        [
            .required("parameter", .placement, "Where the searched text goes."),
            .optional(
                "escape", .word(Source.Search.Escape.self),
                "How the text is escaped: regex if the API reads it as a regular expression; none if left out."
            ),
            .optional("path", .string(.target), "The path of a search, if it isn't the list's."),
            .optional(
                "records", .records, "Where a response to a search has its records, if not where the list has them."
            ),
            .optional("pagination", .pagination, "How results are paginated, if not like the list."),
        ])

    static let each = DescriptionObject(
        "each", "The one parameter that --each sets.",
        [.required("parameter", .placement, "Where the value goes.")])

    static let eachValues = DescriptionObject(
        "each-values", "The values of --each, by name.",
        [.optional("parameter", .nothing("can't be used with other names"), "The one parameter.")],
        others: .optional("NAME", .placement, "Where the value of --each NAME=PATH goes."),
        mayBeEmpty: false)

    static let since = DescriptionObject(
        "since", "How to request only records newer than a time.",
        [
            .required(
                "parameter", .placement, "Where the time goes.",
                unless: ("newestFirst", .boolean(true))),
            .optional(
                "format", .word(Source.Since.Format.self), "How the API takes a time; iso if left out."),
            .required("member", .path, "A record's own time."),
            .optional(
                "lag", .string(.duration),
                "How much to subtract from the time, such as 5m, if the API shows changes late."),
            .optional(
                "newestFirst", .boolean,
                "The list begins with the newest records, so reading stops at a page whose records are all older."),
        ])
}

extension DescriptionValue {
    /// An object of any type; a cursor has two forms.
    static let pagination = Self.anyOf(
        Pagination.Word.allCases.map { .object(.pagination($0)) } + [.object(.paginationByCursors)])

    fileprivate static let next = Self.oneOrMore(.anyOf([.path, .object(.location)]))
}

extension DescriptionObject {
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
                    .required(
                        "next", .next, "Where a response has it; the first of several places that has one counts."),
                ])
        case .nextURL:
            pages(
                type, "Each response has the URL of the next page.",
                [
                    .required(
                        "next", .next,
                        "Where a response has the URL; the first of several places that has one counts."),
                    keepQuery,
                ])
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
                "type", .word([Pagination.Word.cursor.rawValue]),
                "Each response has the values that request the next page."),
            .optional(
                "parameter", .nothing("has no place where next has values, which name their parameters"),
                "Where the value goes, if there is one."),
            .required("next", .object(.nextValues), "Where a response has the values."),
        ] + ends(.cursor))

    static let nextValues = DescriptionObject(
        "next-values", "The values that request the next page.",
        [.required("values", .object(.cursorValues), "The query parameters, each with its path in the response.")])

    static let cursorValues = DescriptionObject(
        "cursor-values", "Query parameters with their paths in the response.",
        others: .optional("NAME", .path, "The path of its value."), mayBeEmpty: false)

    private static let keepQuery = DescriptionMember.optional(
        "keepQuery", .boolean, "Whether to add query parameters that the URL lacks.")

    private static let total = DescriptionMember.optional(
        "total", .object(.location), "How many records there are.")

    private static func ends(_ type: Pagination.Word) -> [DescriptionMember] {
        let words = Pagination.End.allCases.filter { $0 != .sameCursor || type == .cursor }.map(\.rawValue)
        return [
            .optional("size", .object(.size), "How many records a page has."), total,
            .optional("pages", .object(.location), "How many pages there are."),
            .optional("more", .path, "Finds something as long as another page follows."),
            .optional(
                "end", .list(.anyOf([.word(words), .object(.endWhere)]), least: 1),
                "Other conditions that end the list."),
            .optional(
                "last", .integer(Pagination.lastNumbers), "The number of pages after which the API sends no more."),
        ] + (type == .nextURL || type == .linkHeader ? [] : [later])
    }

    private static let later = DescriptionMember.optional(
        "later",
        .object(
            DescriptionObject(
                "later", "Replaces the same member of the description in requests for later pages.",
                [
                    .optional("path", .string(.targetOrEmpty), "The path of later pages."),
                    .optional("query", .object(.parameters), "Their query parameters."),
                    .optional("body", .json, "Their JSON body."),
                    .optional("form", .object(.parameters), "The fields of their form."),
                ], oneOf: ["path", "query", "body", "form"], takesSeveral: true)),
        "Members that differ in requests for later pages.")

    static let endWhere = DescriptionObject(
        "end-where", "A member that says that the list ends.",
        [.required("where", .path, "Finds something on the last page.")])

    static let size = DescriptionObject(
        "size", "How many records a page has.",
        [
            .required("parameter", .placement, "Where the number goes."),
            .required("value", .integer(Pagination.Size.numbers), "The number to request."),
            .optional("max", .integer(Pagination.Size.numbers), "The API's maximum."),
        ])
}

extension DescriptionValue {
    /// The name of a query parameter, or another place in the request.
    static let placement = Self.anyOf([.text, .object(.placement)])

    static let records = Self.anyOf([.path, .object(.namedRecords)])

    fileprivate static let memberPlaces = Self.oneOrMore(.anyOf([.composedText, .object(.memberLocation)]))
}

extension DescriptionObject {
    static let placement = DescriptionObject(
        "placement", "Where a value goes in a request.",
        [
            .optional("query", .text, "A query parameter."),
            .optional("header", .string(.header), "A header field."),
            .optional("path", .string(.placeholder), "The placeholder of this name in the path."),
            .optional(
                "placeholder", .string(.placeholder), "The placeholder of this name, in a text of the body too."),
            .optional("body", .path, "The place in the JSON body, as a path of names such as $.variables.page."),
            .optional("form", .text, "A field of the form that is the body."),
        ], oneOf: ["query", "header", "path", "placeholder", "body", "form"])

    static let location = DescriptionObject(
        "location", "Where a response has a value.",
        [
            .optional("path", .path, "Its path in the body, or in the JSON of the header field."),
            .optional("header", .text, "A header field."),
        ], oneOf: ["path", "header"], takesSeveral: true)

    // MARK: Records

    static let namedRecords = DescriptionObject(
        "records", "Records that are the members of an object.",
        [
            .required("path", .path, "The path of the object."),
            .required("key", .text, "The member of a record that its name in the object becomes."),
        ])

    static let merge = DescriptionObject(
        "merge", "How to join records that arrive in parts.",
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
            .optional("with", .textOrEmpty, "The text that replaces that part."),
            .optional("optional", .boolean, "It may be missing in every record."),
        ])

    static let step = DescriptionObject(
        "step", "A further request for each record.",
        [
            .required("name", .text, "The name by which members refer to it."),
            .required(
                "url", .oneOrMore(.composedText), "The path of its URL in the previous response, or several."),
            .optional("record", .boolean, "Its response takes the record's place."),
            .optional(
                "origins", .list(.string(.origin), least: 0), "Origins besides the API's own that it may lead to."),
        ])
}

extension Source.CommonName {
    fileprivate var help: String {
        switch self {
        case .id: "What identifies the record."
        case .name: "Its name."
        case .description: "A text about it."
        case .imageURL: "The URL of its picture."
        case .pageURL: "The URL of its page for people."
        }
    }
}

extension DescriptionValue {
    static let token = Self.anyOf(Source.Token.Grant.allCases.map { .object(.token($0)) } + [.object(.login)])
}

extension DescriptionObject {
    static let key = DescriptionObject(
        "key", "A key: where it goes, and the environment variable that holds it.",
        [
            .optional("query", .text, "The query parameter for it."),
            .optional("header", .string(.header), "The header field for it."),
            .optional(
                "path", .nothing("would show the key to everybody; it can be in header, query or body"),
                "A path would show the key to everybody."),
            .optional("body", .path, "The place in the JSON body for it, as a path of names."),
            .optional("form", .text, "The form field for it."),
            .optional("prefix", .text, "A text before it, such as \"Bearer \"."),
            .optional(
                "basic", .boolean, "The variable holds user:password, sent in the header field Authorization."),
            .optional(
                "env", .string(.variable), "The environment variable that holds it; without one it is the token."),
            .optional("required", .boolean, "The API refuses requests without it."),
        ], oneOf: ["query", "header", "body", "form", "basic"])

    static func token(_ grant: Source.Token.Grant) -> DescriptionObject {
        let help =
            switch grant {
            case .clientCredentials: "A token for an id and a secret."
            case .refreshToken: "A token for a refresh token."
            }
        let needsClient = grant == .clientCredentials
        func variable(_ name: String, _ help: String) -> DescriptionMember {
            needsClient
                ? .required(name, .object(.variable), help) : .optional(name, .object(.variable), help)
        }
        let members: [DescriptionMember] = [
            url, .required("grant", .word([grant.rawValue]), help),
            variable("id", "The variable that holds the client's id."),
            variable("secret", "The variable that holds the client's secret."),
            .optional(
                "client", .word(Source.Token.Client.Place.self),
                "How to send id and secret: by HTTP authentication, or in the body."),
            .optional("scope", .text, "The scope of the token."),
            .optional("form", .object(.secretTexts), "Further fields of the form."),
        ]
        let refresh = DescriptionMember.required(
            "refresh", .object(.variable), "The variable that holds the first refresh token.")
        return DescriptionObject("token-" + grant.rawValue, help, needsClient ? members : members + [refresh])
    }

    static let login = DescriptionObject(
        "token-login", "A token in the response to a login.",
        [
            url, .optional("grant", .nothing("can't be used with a login"), "A grant of OAuth 2."),
            .optional("method", .word(Source.Method.self), "The method of the login; POST if left out."),
            .optional("query", .object(.secretTexts), "The query parameters."),
            .optional("headers", .object(.secretTexts), "The header fields."),
            .optional("body", .json, "The JSON body; {\"$env\": NAME} in it stands for an environment variable."),
            .optional("form", .object(.secretTexts), "The fields of a form that is the body."),
            .optional("key", .oneOrMore(.object(.key)), "A key of the login, or several, each with its variable."),
            .required("token", .path, "The path of the token in the response."),
            .optional(
                "lifetime", .string(.duration),
                "How long to use it, such as 1h; until it is refused if left out."),
        ])

    private static let url = DescriptionMember.required(
        "url", .string(.base), "The URL to request a token from, which may be at another service.")

    static let secretTexts = DescriptionObject(
        "secret-texts", "Names with their values.",
        others: .optional(
            "NAME", .anyOf([.textOrEmpty, .object(.secretText)]), "A text, or the variable that holds it."))

    static let variable = DescriptionObject(
        "variable", "An environment variable.", [.required("env", .string(.variable), "Its name.")])

    static let secretText = DescriptionObject(
        "secret-text", "A text in an environment variable.",
        [.required("$env", .string(.variable), "The variable's name.")])
}
