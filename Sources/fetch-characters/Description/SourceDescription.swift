// A source parsed from its description, a JSON file of about ten lines:
//
//     {"name": "disney", "baseURL": "https://api.disneyapi.dev", "path": "/character", "records": "$.data",
//      "pagination": {"type": "page", "parameter": "page", "first": 1,
//                     "size": {"parameter": "pageSize", "value": 50}, "pages": {"path": "$.info.totalPages"}},
//      "members": {"id": "_id", "name": "name", "imageURL": "imageUrl"}}
//
// Everything is checked before anything is sent, and all mistakes are reported at once, each with its location.

import PipelineCore
import PipelineHTTP

/// What is wrong with a description.
enum DescriptionError: Error, Equatable, Sendable {
    /// Not JSON. The line and the column of the error, both from 1.
    case syntax(JSONError, line: Int, column: Int)
    /// At least one, each as `$.location: what is wrong; what to write`.
    case mistakes([String])
}

extension Source {
    /// Parses a description.
    /// - Parameter file: the text of a file beside the description, nil if it can't be read.
    init(
        description text: Span<UInt8>, file: (String) -> String? = { _ in nil }
    ) throws(DescriptionError) {
        let value: JSONTree
        do throws(JSONError) { value = try JSONTree.read(text) } catch { throw Self.fault(error, text) }
        let mistakes = DescriptionErrors()
        guard let source = Source(value, file, mistakes), mistakes.all.isEmpty else {
            throw .mistakes(mistakes.all)
        }
        self = source
    }

    /// - Returns: nil after a mistake, though sometimes a source in spite of one.
    private init?(_ value: JSONTree, _ file: (String) -> String?, _ mistakes: DescriptionErrors) {
        guard let object = DescriptionReader(value, at: "$", as: .source, mistakes) else { return nil }
        for name in ["$schema", "note"] { _ = object.text(name) }
        let name = object.text("name", isRequired: true)
        summary = object.text("summary")
        let givenPath = object.text("path", mayBeEmpty: true)
        // Without either it describes answers that come by --input.
        let isOfService = givenPath != nil || object.value("records") == nil && object.value("format") == nil
        let base = object.text("baseURL", isRequired: isOfService) ?? (isOfService ? nil : "")
        if let base, !base.isEmpty { Self.check(base: base, "baseURL", object) }
        let path = givenPath ?? ""
        Self.check(path: path, "path", object)
        headers = Self.parameters("headers", object)
        Self.check(headers: headers, object)
        query = Self.parameters("query", object)
        params = Param.all(in: object)
        isPost = object.word("method") == Method.post
        content = RequestContent(in: object)
        files = content?.files(read: file, mistakes) ?? [:]
        let records = Records(in: object)
        merge = Merge(in: object)
        refusals = Refusals(errors: object.path("errors"), busy: object.path("busy"))
        absent = Self.absent(in: object)
        let pagination = Pagination(in: object)
        search = Search(in: object)
        item = object.text("item")
        if let item { Self.check(item: item, object) }
        each = Each.all(in: object)
        since = Since(in: object)
        rate = object.text("rate").flatMap { text in
            let rate = Rate(text)
            if rate == nil {
                object.mistake("rate", "'\(text)' isn't a rate; write 5/second, 30/minute or 1000/hour")
            }
            return rate
        }
        keys = Key.all(in: object)
        token = Token(in: object)
        Key.check(keys, object)
        expand = Step.all(in: object)
        members = CommonMember.all(in: object, expand)
        if let pagination, let records { records.check(pagination, mistakes) }
        guard let name, let base, let records, let pagination else { return nil }
        self.name = name
        self.baseURL = base
        self.path = path
        self.records = records
        self.pagination = pagination
        PlacementCheck(self, mistakes).check()
        if merge != nil { checkMerge(mistakes) }
        if search != nil, !members.contains(where: { $0.name == .name }) {
            mistakes.add("$.search", "needs $.members.name, which is searched again in what the API finds")
        }
    }

    static func parameters(_ name: String, _ object: DescriptionReader) -> [Parameter] {
        guard let list = object.object(name, as: .parameters) else { return [] }
        return list.members.compactMap { member in
            switch member.value {
            case .string(let text): return Parameter(member.name, text)
            case .integer(let number): return Parameter(member.name, "\(number)")
            case .boolean(let isTrue): return Parameter(member.name, "\(isTrue)")
            default:
                list.mistake(member.name, "takes a text, an integer, true or false, not \(member.value.kind)")
                return nil
            }
        }
    }

    // MARK: Checks

    static func check(base: String, _ name: String, _ object: DescriptionReader) {
        guard !base.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" }) else {
            return object.mistake(name, "takes a URL without a user, a query and a fragment")
        }
        do throws(HTTPFailure) {
            _ = try HTTPURL(Placeholders.filled(base, Placeholders.samples(in: base)) { $0 })
        } catch {
            object.mistake(name, "'\(base)' is no URL of http or https")
        }
    }

    static func check(path: String, _ name: String, _ object: DescriptionReader) {
        guard path.isEmpty || path.hasPrefix("/"), !path.contains("#") else {
            return object.mistake(name, "takes a path that begins with / and has no fragment")
        }
    }

    private static func check(item: String, _ object: DescriptionReader) {
        check(path: item, "item", object)
        if item.ranges(of: "{id}").count != 1 { object.mistake("item", "takes a path that has {id} once") }
    }

    /// Fields that determine where a request ends or belong to the connection (RFC 9110, sections 7.6.1 and 8.6).
    static let framing = [
        "Connection", "Content-Length", "Expect", "Keep-Alive", "Proxy-Connection", "TE", "Trailer",
        "Transfer-Encoding", "Upgrade",
    ]

    private static func check(headers: [Parameter], _ object: DescriptionReader) {
        for header in headers {
            if HTTPHeaders.isOne(header.name, of: framing) {
                object.mistakes.add(
                    DescriptionReader.location(of: header.name, in: object.location(of: "headers")),
                    "is said by the client itself; leave it out")
            }
            if !canBeSent(header) {
                object.mistakes.add(
                    DescriptionReader.location(of: header.name, in: object.location(of: "headers")),
                    "can't be sent as a header")
            }
        }
    }

    /// Whether a header field is one (RFC 9110, section 5.1).
    static func canBeSent(_ header: Parameter) -> Bool {
        do throws(HTTPFailure) {
            var request = try HTTPRequest("http://localhost/")
            try request.add(header.name, header.value)
            return true
        } catch {
            return false
        }
    }

    private static func fault(_ error: JSONError, _ text: Span<UInt8>) -> DescriptionError {
        var line = 1
        var start = 0
        for index in 0..<min(error.offset, text.count) where text[index] == 0x0A {
            line += 1
            start = index + 1
        }
        return .syntax(error, line: line, column: error.offset - start + 1)
    }
}
