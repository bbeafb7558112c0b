// The parts of a description: its records, its parameters and searches, the steps of expand and the common members.

import PipelineCore
import PipelineHTTP

extension Source {
    struct Records: Sendable {
        enum Format: String, CaseIterable, Sendable {
            case json
            /// A value on each line.
            case lines

            /// Whether a response may have members beside its records. One that has none is JSON Lines once it is read.
            var hasEnvelope: Bool {
                switch self {
                case .json: true
                case .lines: false
                }
            }
        }

        /// The path to an array, to one object, or to an object of records if there is a `key`.
        let path: JSONPath
        /// The member that a record's name in that object becomes.
        let key: String?
        let format: Format

        init(in source: DescriptionReader, _ format: Format) {
            self.format = format
            let named = source.member("records")
            path = named?.path ?? named?.path("path") ?? .whole
            key = named?.text("key")
            if !format.hasEnvelope, !path.isWhole || key != nil {
                source.mistake("records", "takes $ where the format is \(format.rawValue): each line is a record")
            }
        }
    }

    /// Records come in parts: further pages have the same ones with other members.
    struct Merge: Sendable {
        /// Finds something, be it empty, in a page that completes its records. Nil if they are complete once a page has none.
        let complete: JSONPath?
    }

    struct Param: Sendable {
        let name: String
        /// Used if the user gives none.
        let standard: String?
        let help: String?

        init(_ name: String, _ param: DescriptionReader) {
            if !Placeholders.isName(name) || name == "id" {
                param.findings.add(
                    param.location, "is no name for a placeholder; it takes letters, digits, - and _")
            }
            self.name = name
            standard = param.text("default")
            help = param.text("help")
        }
    }

    struct Search: Sendable {
        let parameter: Placement
        /// The API treats the text as a regular expression.
        let isRegex: Bool
        /// What is searched instead of the list. Nil for what is the list's.
        let path: String?
        let records: Records?
        let pagination: Pagination?

        /// - Parameter format: the list's, as a service answers both alike.
        init(of object: DescriptionReader, _ format: Records.Format) {
            parameter = object.placement("parameter", .search)
            isRegex = object.text("escape") == "regex"
            path = object.text("path")
            records = object.has("records") ? Records(in: object, format) : nil
            pagination = object.has("pagination") ? Pagination(in: object) : nil
        }
    }

    struct Each: Equatable, Sendable {
        /// What `--each NAME=PATH` calls it.
        let name: String
        let placement: Placement

        /// One of `{"parameter": "breed_ids"}`, or of `{"owner": {"path": "owner"}, …}`.
        init(_ name: String, _ value: DescriptionReader) {
            placement = value.placement(.each)
            self.name = name == "parameter" ? placement.name : name
        }
    }

    /// A further request for each record, to a URL found in the previous response.
    struct Step: Sendable {
        let name: String
        /// The first one that has a text wins.
        let urls: [TextPlace]
        let isRecord: Bool
        /// Origins besides the API's own that it may request.
        let origins: [String]
        /// Those that the description has in the query of a URL.
        let keys: [Source.Parameter]

        init(of object: DescriptionReader, after steps: [Step]) {
            name = object.text("name") ?? ""
            urls = object.elements("url").compactMap(\.place)
            isRecord = object.isTrue("record")
            origins = object.elements("origins").compactMap { try? HTTPURL($0.tree.string ?? "").origin }
            keys = urls.flatMap(\.literalQuery).filter { SecretNames.isSecret($0.name) && !$0.value.isEmpty }
            if isRecord, steps.contains(where: \.isRecord) {
                object.mistake("record", "is already set for an earlier step")
            }
            if steps.map(\.name).contains(name) { object.mistake("name", "is that of an earlier step") }
        }
    }

    struct CommonMember: Sendable {
        let name: CommonName
        /// In the API's record. The first one that has a text wins.
        let locations: [MemberLocation]
        /// No record need have it.
        let isOptional: Bool

        init(_ name: CommonName, _ value: DescriptionReader, _ steps: [Step]) {
            self.name = name
            locations = value.elements.compactMap { MemberLocation(of: $0, steps) }
            isOptional = value.elements.contains { $0.isTrue("optional") }
        }
    }

    struct MemberLocation: Sendable {
        /// The index of the step whose response the place refers to. Nil for the record.
        let step: Int?
        let place: TextPlace
        let replacement: (old: String, new: String)?

        /// `"image.url"`, or `{"step": "image", "path": "$.url"}`.
        init?(of value: DescriptionReader, _ steps: [Step]) {
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

    func isAbsent(_ failure: HTTPFailure) -> Bool {
        switch failure.reason {
        case .status(let status), .unwelcome(let status): absent.contains(status)
        default: false
        }
    }
}

extension RequestContent {
    init?(in source: DescriptionReader, isPost: Bool, _ read: (DescriptionReader) -> JSONTree) {
        let body = source.member("body")
        guard body != nil || source.has("form") else { return nil }
        if body != nil, source.has("form") {
            source.mistake("form", "is a body too; a request has body or form")
        }
        if !isPost {
            source.mistake(body == nil ? "form" : "body", "is sent with POST only; add \"method\": \"POST\"")
        }
        self =
            body.map { .json(read($0)) }
            ?? .form(source.members("form").map { Source.Parameter($0.name, read($0.value).text) })
    }
}

extension DescriptionReader {
    var withFiles: JSONTree {
        readFiles()
        return tree
    }

    private func readFiles() {
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
