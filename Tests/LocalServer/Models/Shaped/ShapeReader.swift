// One object of a shape's file. A member that nobody reads is a mistake, so that a misspelt oddity isn't lost in silence.

import PipelineCore

/// An object, and the place at which it stands, for messages.
struct ShapeReader {
    let members: [(name: String, value: JSONTree)]
    private let place: String

    init(_ value: JSONTree?, _ place: String, known: [String]) throws(ToolFailure) {
        guard case .object(let members)? = value else { throw Self.failure(place, "takes an object") }
        self.members = members
        self.place = place
        if let unknown = members.first(where: { !known.contains($0.name) }) {
            throw Self.failure("\(place).\(unknown.name)", "is not known")
        }
    }

    static func failure(_ place: String, _ text: String) -> ToolFailure {
        ToolFailure(.badData, "\(place) \(text)")
    }

    func failure(_ name: String, _ text: String) -> ToolFailure { Self.failure("\(place).\(name)", text) }

    func value(_ name: String) -> JSONTree? { members.first { $0.name == name }?.value }

    func text(_ name: String) throws(ToolFailure) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw failure(name, "takes a text") }
        return text
    }

    func number(_ name: String) throws(ToolFailure) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = value.integer else { throw failure(name, "takes an integer") }
        return number
    }

    func flag(_ name: String) throws(ToolFailure) -> Bool {
        guard let value = value(name) else { return false }
        guard let flag = value.boolean else { throw failure(name, "takes true or false") }
        return flag
    }

    func place(_ name: String) throws(ToolFailure) -> RequestPlace? {
        guard let value = value(name) else { return nil }
        return try RequestPlace(value, "\(place).\(name)")
    }

    /// - Parameter usual: the template where there is none.
    func template(_ name: String, _ usual: JSONTree) throws(ToolFailure) -> ShapeTemplate {
        try ShapeTemplate(value(name) ?? usual, "\(place).\(name)")
    }

    /// - Parameter status: of the refusal where none is described.
    func refusal(_ name: String, status: Int) throws(ToolFailure) -> ShapedFailure {
        try ShapedFailure(value(name) ?? .object([("status", .integer(status))]), "\(place).\(name)")
    }

    /// The elements of an array; none where it is missing.
    func elements<Element>(
        _ name: String, _ make: (JSONTree, String) throws(ToolFailure) -> Element
    ) throws(ToolFailure) -> [Element] {
        guard let value = value(name) else { return [] }
        guard case .array(let values) = value else { throw failure(name, "takes an array") }
        var elements: [Element] = []
        for (index, value) in values.enumerated() { elements.append(try make(value, "\(place).\(name)[\(index)]")) }
        return elements
    }
}

/// An answer that refuses, or says that nothing was found, with a status of its own or with 200 and an error:
/// `{"status": 404, "answer": {"error": "…"}}`.
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
