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

enum DescriptionError: Error, Equatable, Sendable {
    /// Not JSON. The line and the column of the error, both from 1.
    case syntax(JSONError, line: Int, column: Int)
    /// At least one, each as `$.location: what is wrong; what to write`.
    case mistakes([String])
}

extension Source {
    /// - Parameter file: the text of a file beside the description, nil if it can't be read.
    init(
        description text: Span<UInt8>, file: @escaping (String) -> String? = { _ in nil }
    ) throws(DescriptionError) {
        let tree: JSONTree
        do throws(JSONError) { tree = try JSONTree.read(text) } catch {
            let before = text.extracting(first: error.offset).array
            let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            throw .syntax(error, line: 1 + before.count { $0 == 0x0A }, column: error.offset - start + 1)
        }
        let wrong = DescriptionCheck(tree, by: .source).mistakes
        guard wrong.isEmpty else { throw .mistakes(wrong) }
        let findings = DescriptionFindings(file)
        self.init(DescriptionReader(tree: tree, location: "$", findings: findings))
        guard findings.mistakes.isEmpty else { throw .mistakes(findings.mistakes) }
    }

    private init(_ object: DescriptionReader) {
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
        params = object.members("params").map { Param($0.name, $0.value) }
        isPost = object.text("method") == "POST"
        content = RequestContent(in: object, isPost: isPost) { $0.withFiles }
        let format: Records.Format = object.word("format") ?? .json
        records = Records(in: object, format)
        merge = object.member("merge").map { Merge(complete: $0.path("complete")) }
        errors = object.path("errors")
        busy = object.path("busy")
        absent = object.elements("absent").compactMap(\.tree.integer)
        pagination = Pagination(in: object)
        beside = BesideShape(in: object)
        search = object.member("search").map { Search(of: $0, format) }
        files = object.findings.files
        item = object.text("item")
        each = object.members("each").map { Each($0.name, $0.value) }
        since = object.member("since").map { Since(of: $0) }
        rate = object.text("rate").flatMap { Rate($0) }
        wantsContact = object.has("contact")
        keys = object.elements("key").map { Key(of: $0, hasToken: object.has("token")) }
        token = object.member("token").map { Token(of: $0) }
        let steps = object.elements("expand").reduce(into: [Step]()) { $0.append(Step(of: $1, after: $0)) }
        expand = steps
        let members = object.member("members")
        self.members = CommonName.allCases.compactMap { name in
            members?.member(name.rawValue).map { CommonMember(name, $0, steps) }
        }
        ownMembers = OwnMember.all(in: members, steps)
        check(object.findings)
    }

    static func parameters(_ name: String, _ object: DescriptionReader) -> [Parameter] {
        object.members(name).map { Parameter($0.name, $0.value.tree.text) }
    }

    private func check(_ findings: DescriptionFindings) {
        Self.check(headers, "$.headers", findings)
        if let item, Placeholders.names(in: item).count(where: { $0 == "id" }) != 1 {
            findings.add("$.item", "takes a path that has {id} once")
        }
        checkLines(pagination, findings)
        if beside != nil, !pagination.hasOnePage {
            findings.add("$.beside", "is for a list of one response; leave it out where pagination leads on")
        }
        checkMerge(findings)
        if token != nil, keys.allSatisfy({ $0.variable != nil }) {
            findings.add("$.token", "goes nowhere; add a key without env that says where it goes")
        }
        if search != nil, !members.contains(where: { $0.name == .name }) {
            findings.add("$.search", "needs $.members.name, which is searched again in what the API finds")
        }
        PlacementCheck(source: self, findings: findings).check()
    }

    /// A response of lines has no place for anything but records.
    private func checkLines(_ pagination: Pagination, _ findings: DescriptionFindings) {
        guard !records.format.hasEnvelope else { return }
        if pagination.nextLocations.contains(where: { $0.path != nil }) {
            findings.add("$.pagination.next", "has no place in a response of lines; a header has")
        }
        if pagination.more != nil { findings.add("$.pagination.more", "has no place in a response of lines") }
        if beside != nil { findings.add("$.beside", "has no place in a response of lines") }
        if !pagination.done.isEmpty { findings.add("$.pagination.end", "has no path in a response of lines") }
        guard let count = pagination.count, case .path = count.location else { return }
        findings.add(
            "$.pagination.\(count.unit == .pages ? "pages" : "total")",
            "has no place in a response of lines; a header has")
    }

    private func checkMerge(_ findings: DescriptionFindings) {
        guard merge != nil else { return }
        let id = members.first { $0.name == .id }
        if id?.locations.contains(where: { $0.step == nil }) != true {
            findings.add("$.merge", "needs $.members.id in the record itself, which says what is part of what")
        }
        let format = records.format
        if !format.hasEnvelope { findings.add("$.merge", "has no place where the format is \(format.rawValue)") }
        let paginations = [("$.pagination", pagination), ("$.search.pagination", search?.pagination)]
        for (location, pagination) in paginations where pagination?.count?.unit == .records {
            findings.add("\(location).total", "can't be used with merge, as each record is on several pages")
        }
    }

    /// Fields of the connection, and those that say where a request ends (RFC 9110, sections 7.6.1 and 8.6).
    private static let framing = [
        "Connection", "Content-Length", "Expect", "Keep-Alive", "Proxy-Connection", "TE", "Trailer",
        "Transfer-Encoding", "Upgrade",
    ]

    static func check(_ headers: [Parameter], _ location: String, _ findings: DescriptionFindings) {
        for (index, header) in headers.enumerated() {
            let place = DescriptionCheck.location(of: header.name, in: location)
            if let mistake = mistake(inHeader: header.name, header.value) { findings.add(place, mistake) }
            guard let other = headers[..<index].first(where: { HTTPHeaders.areEqual($0.name, header.name) })
            else { continue }
            findings.add(place, "is the same header field as \(other.name); leave one")
        }
    }

    /// RFC 9110, section 5.1.
    static func mistake(inHeader name: String, _ value: String) -> String? {
        if HTTPHeaders.isOne(name, of: framing) { return "is set by the client itself; leave it out" }
        var request = try? HTTPRequest("http://localhost/")
        return (try? request?.add(name, value)) == nil ? "can't be sent as a header" : nil
    }
}
