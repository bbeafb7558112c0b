// A path at which an API has one record, by its id.

import PipelineCore

/// The way to one record.
struct ShapedItem {
    private let route: ShapedRoute
    private let id: RequestPlace
    /// How ids are written there, where it isn't as everywhere.
    private let form: ShapeTemplate?
    private let answer: ShapeTemplate
    private let record: ShapeTemplate
    /// The answer for an id that isn't there.
    private let absent: ShapedFailure

    init(_ value: JSONTree, _ place: String, record usual: JSONTree) throws(ToolFailure) {
        let known = ShapedRoute.known + ["id", "form", "answer", "record", "absent"]
        let reader = try ShapeReader(value, place, known: known)
        route = try ShapedRoute(reader)
        id = try reader.place("id") ?? .path("id")
        form = try reader.value("form").map { (value) throws(ToolFailure) in try ShapeTemplate(value, place) }
        answer = try reader.template("answer", .string("{record}"))
        record = try reader.template("record", usual)
        absent = try reader.refusal("absent", status: 404)
    }

    /// What the request's path has in place of the placeholders; nil where it asks for no record here.
    func captures(_ request: Request, _ segments: [String]) -> [String: String]? {
        route.captures(request, segments).flatMap { id.text(in: request, $0) == nil ? nil : $0 }
    }

    /// The id stands in the path; else it tells a record from the list at the same path.
    var isInPath: Bool { if case .path = id { true } else { false } }

    func response(
        _ records: ShapedRecords, _ request: Request, _ captures: [String: String], common: [String: JSONTree]
    ) -> Response {
        guard let text = id.text(in: request, captures), let number = records.number(id: text, form: form) else {
            return absent.response()
        }
        var values = records.values(number).merging(common) { $1 }
        values["record"] = record.filled(values)
        values["records"] = values["record"].map { .array([$0]) }
        return .json(answer.filled(values) ?? .null)
    }
}
