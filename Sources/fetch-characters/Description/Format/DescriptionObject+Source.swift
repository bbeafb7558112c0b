// A description itself: its address, its requests, its records.

import PipelineCore
import PipelineHTTP

extension DescriptionObject {
    /// The whole description.
    static let source = DescriptionObject(
        "source",
        "A web API: how its records are requested page by page, and which of their members are the common ones.",
        [
            .optional("$schema", .text, "The schema that the description is written for; the tools don't read it."),
            .required("name", .text, "The value of the member source of all records."),
            .optional("summary", .text, "What the API gives, for a list of sources."),
            .optional("note", .text, "A note for people who read the description."),
            .optional(
                "baseURL", .text,
                "The scheme and host, with a path if all requests share one. Left out, like path, where answers come by "
                    + "--input alone."),
            .optional("path", .textOrEmpty, "The path of the list, appended to baseURL; it may have a query."),
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
                unless: DescriptionMember.Exemption(
                    name: "format", value: .string(Source.Records.Format.lines.rawValue))),
            .optional(
                "format", .word(Source.Records.Format.self),
                "What a response is: JSON, or lines with a record on each; json if left out."),
            .optional(
                "merge", .object(.merge), "Further pages have other members of the same records; these are joined."),
            .required("pagination", .pagination, "How the list is divided into pages."),
            .optional("errors", .path, "A successful response in which this finds something is a refusal."),
            .optional(
                "busy", .path, "A response in which this finds something counts as 429 and is requested again."),
            .optional(
                "absent", .list(.integer(Source.absentStatuses), least: 1),
                "The statuses that mean that nothing was found."),
            .optional("search", .object(.search), "How the API searches."),
            .optional("item", .text, "The path of one record, with {id} for its id."),
            .optional("each", .anyOf([.object(.each), .object(.eachValues)]), "What --each sets."),
            .optional("since", .object(.since), "How to request only what is newer than a time."),
            .optional("rate", .text, "The most requests to send, such as 5/second, 30/minute or 1000/hour."),
            .optional("key", .oneOrMore(.object(.key)), "A key, or several."),
            .optional("token", .token, "How a token is obtained."),
            .optional("members", .object(.members), "The common members, each with its place in the API's record."),
            .optional("expand", .list(.object(.step), least: 0), "Further requests for each record."),
        ])

    /// Header fields, query parameters, fields of a form.
    static let parameters = DescriptionObject(
        "parameters", "Names with their values.",
        others: .optional("NAME", .scalar, "A text, an integer, true or false; {NAME} in a text is set by --param.")
    )

    static let params = DescriptionObject(
        "params", "Placeholders by their names.",
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
            .required("parameter", .placement, "Where the text goes that is searched for."),
            .optional(
                "escape", .word(Source.Search.Escape.self),
                "How the text is escaped: regex if the API reads it as a regular expression; none if left out."
            ),
            .optional("path", .text, "The path that is searched, if it isn't the list's."),
            .optional(
                "records", .records, "Where a response to a search has its records, if not where the list has."),
            .optional("pagination", .pagination, "How results are divided into pages, if not as the list is."),
        ])

    static let each = DescriptionObject(
        "each", "The one parameter that --each sets.",
        [.required("parameter", .placement, "Where the value goes.")])

    static let eachValues = DescriptionObject(
        "each-values", "The values that --each sets by their names.",
        [.optional("parameter", .nothing, "The one parameter.")],
        others: .optional("NAME", .placement, "Where the value goes that --each NAME=PATH takes from a record."),
        count: 1...Int.max)

    static let since = DescriptionObject(
        "since", "How to request only what is newer than a time.",
        [
            .required(
                "parameter", .placement, "Where the time goes.",
                unless: DescriptionMember.Exemption(name: "newestFirst", value: .boolean(true))),
            .optional(
                "format", .word(Source.Since.Format.self), "How the API takes a time; iso if left out."),
            .required("member", .path, "A record's own time."),
            .optional("lag", .text, "How much earlier to ask, such as 5m, if the API shows changes late."),
            .optional(
                "newestFirst", .boolean,
                "The list begins with the newest records, so reading stops at a page whose records are all older."),
        ])
}
