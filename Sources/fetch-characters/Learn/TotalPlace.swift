// Where an answer may say how many records or pages there are.

import PipelineCore
import PipelineHTTP

/// Such a place and what it says.
struct TotalPlace: Sendable {
    /// As a description has it: `{"path": …}` or `{"header": …}`.
    let location: JSONTree
    /// As messages call it.
    let text: String
    let value: Int
    let unit: Pagination.Unit
    /// Whether its name says that it counts the whole list.
    let isSure: Bool

    /// The places of an answer, the likeliest first.
    static func all(
        in answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders
    ) -> [TotalPlace] {
        var places: [(place: TotalPlace, rank: Int)] = []
        for value in EnvelopeValue.all(in: answer, beside: place) {
            guard let number = value.value.wholeNumber, number > 0, let (unit, rank) = meaning(of: value.names)
            else {
                continue
            }
            let location = JSONTree.object([("path", .string(value.path))])
            places.append(
                (
                    TotalPlace(location: location, text: value.path, value: number, unit: unit, isSure: rank == 0),
                    rank
                ))
        }
        for field in headers.fields {
            guard let number = Int(field.value), number > 0, let (unit, rank) = meaning(of: [field.name]) else {
                continue
            }
            let location = JSONTree.object([("header", .string(field.name))])
            let text = "the header \(field.name)"
            places.append(
                (TotalPlace(location: location, text: text, value: number, unit: unit, isSure: rank == 0), rank))
        }
        // Of those that are as likely the first one in the answer.
        return places.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.place)
    }

    /// What a name says that a number counts, and how surely.
    private static func meaning(of names: [String]) -> (Pagination.Unit, rank: Int)? {
        var name = LearntNames.plain(names.last ?? "")
        // Elasticsearch's `hits.total.value`.
        if name == "value", names.count > 1 { name = LearntNames.plain(names[names.count - 2]) }
        let parts = ["per", "current", "size", "next", "prev", "this", "length", "limit", "remaining", "ratelimit"]
        guard !parts.contains(where: name.contains) || name.hasPrefix("total") else { return nil }
        if name.contains("page") {
            let words = ["total", "last", "count", "num", "nb", "max"]
            return words.contains(where: name.contains) || name == "pages" ? (.pages, 2) : nil
        }
        if name.contains("total") { return (.records, 0) }
        let counts = [
            "count", "numfound", "nbhits", "found", "resultcount", "recordcount", "rowcount", "hits", "records",
            "numresults", "nbresults",
        ]
        if counts.contains(name) || name.hasSuffix("count") { return (.records, 1) }
        return nil
    }
}
