// A path at which an API has one record, by its id.

import PipelineCore

/// The way to one record.
struct ShapedItem {
    let route: ShapedRoute
    private let id: RequestPlace
    private let answer: ShapeTemplate
    private let record: ShapeTemplate
    /// The answer for an id that isn't there.
    private let absent: ShapedFailure

    init(_ value: JSONTree, _ place: String, record usual: JSONTree) throws(ToolFailure) {
        let known = ShapedRoute.known + ["id", "answer", "record", "absent"]
        let reader = try ShapeReader(value, place, known: known)
        route = try ShapedRoute(reader)
        id = try reader.place("id") ?? .path("id")
        answer = try reader.template("answer", .string("{record}"))
        record = try reader.template("record", usual)
        absent = try reader.refusal("absent", status: 404)
    }

    func response(
        _ records: ShapedRecords, _ request: Request, _ captures: [String: String], common: [String: ModelJSON]
    ) -> Response {
        guard let text = id.text(in: request, captures), let number = records.number(id: text) else {
            return absent.response()
        }
        var values = records.values(number).merging(common) { $1 }
        values["record"] = record.filled(values)
        values["records"] = values["record"].map { .array([$0]) }
        return .json(answer.filled(values) ?? .null)
    }
}
