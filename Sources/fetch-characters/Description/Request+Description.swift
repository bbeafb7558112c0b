// What a description says of its requests beside the query: the user's values, the body, the search, and the values
// of --each.

import PipelineCore
import PipelineHTTP

extension Source {
    enum Method: String, CaseIterable {
        case get = "GET"
        case post = "POST"
    }
}

extension Source.Param {
    static func all(in source: DescriptionReader) -> [Source.Param] {
        guard let object = source.object("params", as: .params) else { return [] }
        return object.members.compactMap { member in
            guard Placeholders.isName(member.name), member.name != "id" else {
                object.mistake(member.name, "is no name for a placeholder; it takes letters, digits, - and _")
                return nil
            }
            guard let param = object.object(member.name, as: .param) else { return nil }
            return Source.Param(
                name: member.name, standard: param.text("default", mayBeEmpty: true), help: param.text("help"))
        }
    }
}

extension RequestContent {
    init?(in source: DescriptionReader) {
        let body = source.value("body")
        let form = source.value("form") == nil ? nil : Source.parameters("form", source)
        guard body != nil || form != nil else { return nil }
        if body != nil, form != nil { source.mistake("form", "is a body too; a request has body or form") }
        if source.value("method")?.string != Source.Method.post.rawValue {
            source.mistake(body == nil ? "form" : "body", "is sent with POST only; add \"method\": \"POST\"")
        }
        self = body.map { .json($0) } ?? .form(form ?? [])
    }

    /// The texts of the files that a JSON body names.
    func files(read: (String) -> String?, _ mistakes: DescriptionErrors) -> [String: String] {
        guard case .json(let tree) = self else { return [:] }
        var texts: [String: String] = [:]
        for (location, value) in tree.files(at: "$.body") {
            guard let name = value.string, !name.isEmpty, !name.contains("/") else {
                mistakes.add(location, "takes the name of a file beside the description")
                continue
            }
            guard let text = read(name) else {
                mistakes.add(location, "'\(name)' can't be read beside the description, or isn't UTF-8")
                continue
            }
            texts[name] = text
        }
        return texts
    }
}

extension Source.Search {
    init?(in source: DescriptionReader) {
        guard let object = source.object("search", as: .search) else { return nil }
        path = object.text("path")
        if let path { Source.check(path: path, "path", object) }
        escape = object.word("escape") ?? .none
        records = object.value("records") == nil ? nil : Source.Records(in: object)
        pagination = object.value("pagination") == nil ? nil : Pagination(in: object)
        guard let parameter = Placement(in: object, "parameter", isRequired: true) else { return nil }
        self.parameter = parameter
    }
}

extension Source.Each {
    /// One parameter, `{"parameter": "breed_ids"}`, or several with their names, `{"owner": {"path": "owner"}}`.
    static func all(in source: DescriptionReader) -> [Source.Each] {
        guard let object = source.object("each", as: nil) else { return [] }
        if object.members.isEmpty { object.mistake("parameter", "is missing") }
        object.refuseUnknown(beside: object.value("parameter") == nil ? .eachValues : .each)
        return object.members.compactMap { member in
            guard let placement = Placement(in: object, member.name) else { return nil }
            return Source.Each(
                name: member.name == "parameter" ? placement.name : member.name, placement: placement)
        }
    }
}
