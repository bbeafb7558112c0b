// An answer that refuses, or says that nothing was found: as APIs do, with a status of its own or with 200 and an error.

import PipelineCore

/// A status and a body, `{"status": 404, "answer": {"error": "…"}}`.
struct ShapedFailure {
    private let status: Int
    private let answer: ShapeTemplate

    init(_ value: JSONTree, _ place: String) throws(ToolFailure) {
        let reader = try ShapeReader(value, place, known: ["status", "answer"])
        status = try reader.number("status") ?? 404
        answer = try reader.template("answer", .object([("error", .string("nothing here"))]))
    }

    func response(_ values: [String: JSONTree] = [:]) -> Response {
        .json(answer.filled(values) ?? [], status: status)
    }
}
