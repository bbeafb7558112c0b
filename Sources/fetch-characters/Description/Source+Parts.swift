// The parts of a description: its records, its parameters and searches, the steps of expand and the common members.

import PipelineCore
import PipelineHTTP

extension Source {
    /// Whether the service says so that there is nothing.
    func isAbsent(_ failure: HTTPFailure) -> Bool {
        switch failure.reason {
        case .status(let status), .unwelcome(let status): absent.contains(status)
        default: false
        }
    }
}

extension Source.Records {
    init(in source: DescriptionReader) {
        format = source.word("format") ?? .json
        let named = source.member("records")
        path = named?.path ?? named?.path("path") ?? .whole
        key = named?.text("key")
        if format == .lines, !path.isWhole || key != nil {
            source.mistake("records", "takes $ where the format is lines: each line is a record")
        }
    }
}

extension Source.Param {
    static func all(in source: DescriptionReader) -> [Source.Param] {
        source.members("params").map { name, param in
            if !Placeholders.isName(name) || name == "id" {
                param.findings.add(
                    param.location, "is no name for a placeholder; it takes letters, digits, - and _")
            }
            return Source.Param(name: name, standard: param.text("default"), help: param.text("help"))
        }
    }
}

extension RequestContent {
    init?(in source: DescriptionReader, isPost: Bool) {
        let body = source.member("body")
        guard body != nil || source.has("form") else { return nil }
        if body != nil, source.has("form") {
            source.mistake("form", "is a body too; a request has body or form")
        }
        if !isPost {
            source.mistake(body == nil ? "form" : "body", "is sent with POST only; add \"method\": \"POST\"")
        }
        body?.readFiles()
        self = body.map { .json($0.tree) } ?? .form(Source.parameters("form", source))
    }
}

extension DescriptionReader {
    fileprivate func readFiles() {
        if case .array = tree { for element in elements { element.readFiles() } }
        for (name, value) in members {
            guard name == RequestContent.fileMember else {
                value.readFiles()
                continue
            }
            guard let name = value.tree.string, !name.isEmpty, !name.contains("/") else {
                findings.add(value.location, "takes the name of a file beside the description")
                continue
            }
            findings.files[name] = findings.file(name)
            if findings.files[name] == nil {
                findings.add(value.location, "'\(name)' can't be read beside the description, or isn't UTF-8")
            }
        }
    }
}

extension Source.Search {
    init(of object: DescriptionReader) {
        parameter = object.placement("parameter", .search)
        isRegex = object.text("escape") == "regex"
        path = object.text("path")
        records = object.has("records") ? Source.Records(in: object) : nil
        pagination = object.has("pagination") ? Pagination(in: object) : nil
    }
}

extension Source.Each {
    /// One parameter, `{"parameter": "breed_ids"}`, or several with their names, `{"owner": {"path": "owner"}}`.
    static func all(in source: DescriptionReader) -> [Source.Each] {
        source.members("each").map { name, value in
            let placement = value.placement(.each)
            return Source.Each(name: name == "parameter" ? placement.name : name, placement: placement)
        }
    }
}

extension Source.Since {
    /// `{"parameter": "updated_after", "format": "iso", "member": "updatedAt", "lag": "5m"}`, or
    /// `{"newestFirst": true, "member": "updatedAt"}`
    init(of object: DescriptionReader) {
        let isNewestFirst = object.isTrue("newestFirst")
        if isNewestFirst {
            for name in ["parameter", "format"] where object.has(name) {
                object.mistake(name, "has no use if the newest records come first")
            }
        }
        placement = isNewestFirst ? nil : object.placement("parameter", .since)
        format = object.word("format") ?? .iso
        member = object.path("member") ?? .whole
        lagSeconds = object.duration("lag") ?? 0
    }
}

extension Source.Step {
    static func all(in source: DescriptionReader) -> [Source.Step] {
        var steps: [Source.Step] = []
        for object in source.elements("expand") {
            let name = object.text("name") ?? ""
            let isRecord = object.isTrue("record")
            if isRecord, steps.contains(where: \.isRecord) {
                object.mistake("record", "is already set for an earlier step")
            }
            if steps.contains(where: { $0.name == name }) { object.mistake("name", "is that of an earlier step") }
            let origins = object.elements("origins").compactMap { try? HTTPURL($0.tree.string ?? "").origin }
            steps.append(
                Source.Step(
                    name: name, urls: object.elements("url").compactMap(\.place), isRecord: isRecord,
                    origins: origins))
        }
        return steps
    }
}

extension Source.CommonMember {
    static func all(in source: DescriptionReader, _ steps: [Source.Step]) -> [Source.CommonMember] {
        guard let object = source.member("members") else { return [] }
        return Source.CommonName.allCases.compactMap { name in
            guard let value = object.member(name.rawValue) else { return nil }
            return Source.CommonMember(
                name: name, locations: value.elements.compactMap { Source.MemberLocation(of: $0, steps) },
                isOptional: value.elements.contains { $0.isTrue("optional") })
        }
    }
}

extension Source.MemberLocation {
    /// `"image.url"`, or `{"step": "image", "path": "$.url"}`.
    init?(of value: DescriptionReader, _ steps: [Source.Step]) {
        guard let place = value.place ?? value.member("path")?.place else { return nil }
        self.place = place
        step = value.text("step").flatMap { name in
            let step = steps.firstIndex { $0.name == name }
            if step == nil { value.mistake("step", "'\(name)' isn't a step of $.expand") }
            return step
        }
        let new = value.text("with")
        replacement = value.text("replace").flatMap { old in new.map { (old, $0) } }
        if value.has("replace") != value.has("with") {
            value.findings.add(value.location, "takes replace and with together")
        }
    }
}
