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
        let tree: JSONTree
        do throws(JSONError) { tree = try JSONTree.read(text) } catch { throw Self.fault(error, text) }
        let wrong = DescriptionCheck(tree, is: .object(.source)).mistakes
        guard wrong.isEmpty else { throw .mistakes(wrong) }
        let mistakes = DescriptionErrors()
        self.init(DescriptionReader(tree: tree, location: "$", mistakes: mistakes), file)
        guard mistakes.all.isEmpty else { throw .mistakes(mistakes.all) }
    }

    private init(_ object: DescriptionReader, _ file: (String) -> String?) {
        // Without a path and records it describes a service whose path is its base.
        if !object.has("baseURL"), object.has("path") || !object.has("records") && !object.has("format") {
            object.mistake("baseURL", "is missing")
        }
        name = object.text("name") ?? ""
        summary = object.text("summary")
        baseURL = object.text("baseURL") ?? ""
        path = object.text("path") ?? ""
        headers = Self.parameters("headers", object)
        query = Self.parameters("query", object)
        params = Param.all(in: object)
        isPost = object.word("method") == Method.post
        content = RequestContent(in: object, isPost: isPost)
        records = Records(in: object)
        merge = object.member("merge").map { Merge(complete: $0.path("complete")) }
        refusals = Refusals(errors: object.path("errors"), busy: object.path("busy"))
        absent = object.elements("absent").compactMap(\.tree.integer)
        pagination = Pagination(in: object)
        search = object.member("search").map { Search(of: $0) }
        let contents = [
            ("$.body", content), ("$.pagination.later.body", pagination.later?.content),
            ("$.search.pagination.later.body", search?.pagination?.later?.content),
        ]
        files = contents.reduce(into: [:]) { files, content in
            files.merge(content.1?.files(at: content.0, read: file, object.mistakes) ?? [:]) { $1 }
        }
        item = object.text("item")
        each = Each.all(in: object)
        since = object.member("since").map { Since(of: $0) }
        rate = object.text("rate").flatMap { Rate($0) }
        wantsContact = object.has("contact")
        keys = object.elements("key").map { Key(of: $0) }
        token = object.member("token").map { Token(of: $0) }
        expand = Step.all(in: object)
        members = CommonMember.all(in: object, expand)
        check(object.mistakes)
    }

    static func parameters(_ name: String, _ object: DescriptionReader) -> [Parameter] {
        object.member(name)?.members.map { name, value in
            Parameter(name, value.tree.string ?? value.tree.json)
        } ?? []
    }

    // MARK: Checks

    /// What only several members together can get wrong.
    private func check(_ mistakes: DescriptionErrors) {
        for header in headers {
            let location = DescriptionCheck.location(of: header.name, in: "$.headers")
            if HTTPHeaders.isOne(header.name, of: Self.framing) {
                mistakes.add(location, "is set by the client itself; leave it out")
            } else if !Self.canBeSent(header) {
                mistakes.add(location, "can't be sent as a header")
            }
        }
        if let item, item.ranges(of: "{id}").count != 1 {
            mistakes.add("$.item", "takes a path that has {id} once")
        }
        checkLines(pagination, mistakes)
        checkMerge(mistakes)
        checkTokens(mistakes)
        if search != nil, !members.contains(where: { $0.name == .name }) {
            mistakes.add("$.search", "needs $.members.name, which is searched again in what the API finds")
        }
        PlacementCheck(self, mistakes).check()
    }

    /// An answer of lines has no place for anything but records.
    private func checkLines(_ pagination: Pagination, _ mistakes: DescriptionErrors) {
        guard records.format == .lines else { return }
        if pagination.nextLocations.contains(where: { $0.path != nil }) {
            mistakes.add("$.pagination.next", "has no place in a response of lines; a header has")
        }
        if pagination.more != nil { mistakes.add("$.pagination.more", "has no place in a response of lines") }
        if !pagination.done.isEmpty { mistakes.add("$.pagination.end", "has no path in a response of lines") }
        guard let count = pagination.count, case .path = count.location else { return }
        mistakes.add(
            "$.pagination.\(count.unit == .pages ? "pages" : "total")",
            "has no place in a response of lines; a header has")
    }

    private func checkMerge(_ mistakes: DescriptionErrors) {
        guard merge != nil else { return }
        let id = members.first { $0.name == .id }
        if id?.locations.contains(where: { $0.step == nil }) != true {
            mistakes.add("$.merge", "needs $.members.id in the record itself, which says what is part of what")
        }
        if records.format == .lines { mistakes.add("$.merge", "has no place where the format is lines") }
        let paginations = [("$.pagination", pagination), ("$.search.pagination", search?.pagination)]
        for (location, pagination) in paginations where pagination?.count?.unit == .records {
            mistakes.add("\(location).total", "can't be used with merge, as each record is on several pages")
        }
    }

    /// A token needs a key that says where it goes, and a key without a variable needs a token.
    private func checkTokens(_ mistakes: DescriptionErrors) {
        let places = keys.filter { $0.value == .token }
        if token == nil {
            for key in places { mistakes.add(key.location + ".env", "is missing") }
        } else if places.isEmpty {
            mistakes.add("$.token", "goes nowhere; add a key without env that says where it goes")
        }
    }

    /// Fields that determine where a request ends or belong to the connection (RFC 9110, sections 7.6.1 and 8.6).
    static let framing = [
        "Connection", "Content-Length", "Expect", "Keep-Alive", "Proxy-Connection", "TE", "Trailer",
        "Transfer-Encoding", "Upgrade",
    ]

    /// Whether a header field is one (RFC 9110, section 5.1).
    static func canBeSent(_ header: Parameter) -> Bool {
        var request = try? HTTPRequest("http://localhost/")
        return (try? request?.add(header.name, header.value)) != nil
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
