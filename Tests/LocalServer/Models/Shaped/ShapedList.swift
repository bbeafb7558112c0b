// A list of an API: which records a request asks for, and the answer that has them.

import PipelineCore
import TestSupport

struct ShapedList {
    private static let known =
        ShapedRoute.known + [
            "paging", "answer", "headers", "record", "lines", "shuffled", "search", "since", "parents",
        ]

    let route: ShapedRoute
    private let paging: ShapedPaging
    private let answer: ShapeTemplate
    private let headers: [(name: String, value: ShapeTemplate)]
    private let record: ShapeTemplate
    /// One record a line, and nothing else.
    private let isLines: Bool
    /// The order is another one for each query, as that of a service which answers by chance.
    private let isShuffled: Bool
    private let search: RequestPlace?
    /// Where the search looks.
    private let member: String
    /// The answer to a search that finds nothing, where it isn't an empty list.
    private let absent: ShapedFailure?
    private let since: RequestPlace?
    /// The values of `{parent}` that have a list; any where none are said.
    private let parents: [String]

    init(_ value: JSONTree, _ place: String, record usual: JSONTree) throws(ToolFailure) {
        let reader = try ShapeReader(value, place, known: Self.known)
        route = try ShapedRoute(reader)
        paging = try ShapedPaging(reader.value("paging"), place + ".paging")
        answer = try reader.template("answer", .string("{records}"))
        record = try reader.template("record", usual)
        isLines = try reader.flag("lines")
        isShuffled = try reader.flag("shuffled")
        since = try reader.place("since")
        parents = try reader.elements("parents") { (value, _) throws(ToolFailure) in value.string ?? "" }
        let fields = try ShapeReader(reader.value("headers") ?? .object([]), place, known: Self.fields)
        var headers: [(name: String, value: ShapeTemplate)] = []
        for field in fields.members { headers.append((field.name, try ShapeTemplate(field.value, place))) }
        self.headers = headers
        guard let value = reader.value("search") else {
            search = nil
            member = ""
            absent = nil
            return
        }
        let searching = try ShapeReader(value, place + ".search", known: ["parameter", "member", "absent"])
        search = try searching.place("parameter")
        member = try searching.text("member") ?? "name"
        absent = searching.value("absent") == nil ? nil : try searching.refusal("absent", status: 404)
    }

    private static let fields = ["Link", "Total-Count", "X-Total", "X-Next", "Pagination-Count", "X-Pagination"]

    /// The numbers of the places that the request asks for, before they are paged.
    private func places(_ records: ShapedRecords, _ request: Request, _ captures: [String: String]) -> [Int] {
        let text = search?.text(in: request, captures)?.lowercased() ?? ""
        let date = since?.text(in: request, captures) ?? ""
        let found = records.places.filter { number in
            guard !text.isEmpty || !date.isEmpty else { return true }
            guard records.isThere(number), ShapedRecords.date(number) >= date else { return false }
            return text.isEmpty || records.finds(text, number, in: member)
        }
        guard isShuffled else { return found }
        var order = SplitMix64(seed: Checksum.fnv(Array(request.rawQuery.utf8)))
        return found.shuffled(using: &order)
    }

    func window(_ records: ShapedRecords, _ request: Request, _ captures: [String: String]) -> Window? {
        paging.window(request, captures, count: places(records, request, captures).count)
    }

    /// - Parameter window: nil for a position that isn't one.
    /// - Returns: nil where there is no such list.
    func response(
        _ records: ShapedRecords, _ request: Request, _ captures: [String: String], window: Window?,
        common: [String: JSONTree]
    ) -> Response? {
        if let parent = captures["parent"], !parents.isEmpty, !parents.contains(parent) { return nil }
        let places = places(records, request, captures)
        if places.isEmpty, let absent { return absent.response() }
        guard let window else { return .json(["error": "no such position"], status: 400) }
        guard let part = paging.answered(window, count: places.count) else {
            if case .failure(let failure) = paging.past { return failure.response() }
            return .json(["error": "no pages behind this one"], status: 400)
        }
        let found = places[part.range(in: places.count)].filter { records.isThere($0) }
        let filled = found.compactMap { record.filled(records.values($0).merging(common) { $1 }) }
        if isLines { return Self.lines(filled) }
        let total = places.count { records.isThere($0) }
        var values = common.merging(paging.values(part, count: places.count, total: total, request)) { $1 }
        values["records"] = .array(filled)
        values["count"] = .integer(filled.count)
        values["keyed"] = .object(zip(found.compactMap { records.id($0) }, filled).map { ($0, $1) })
        let fields = headers.compactMap { name, value in value.text(values).map { Header(name, $0) } }
        return .json(answer.filled(values) ?? .null, headers: fields)
    }

    private static func lines(_ records: [JSONTree]) -> Response {
        Response(type: "application/x-ndjson", body: records.flatMap { Array($0.json.utf8) + [0x0A] })
    }
}
