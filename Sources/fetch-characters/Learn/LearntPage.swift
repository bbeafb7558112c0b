// Decides what a response is to a description in the making: its records, told apart by their ids, and what stands beside them.

import PipelineCore
import PipelineHTTP

struct LearntPage {
    let response: HTTPResponse
    let page: SourcePage
    let keys: RecordKeys
    /// What stands beside the records.
    let values: [BesideValue]

    /// - Returns: nil if the response isn't a page of the list that is described.
    init?(
        _ response: HTTPResponse, _ description: LearntDescription, id: [JSONTree.Step]?
    ) throws(ToolFailure) {
        var reader = PageReader(try description.readable())
        // JSON that is cut short isn't a page either.
        let read = try? reader.read(response.body, response.headers, isList: true, mayLack: reader.finder.isOpen)
        guard let page = read, !description.place.isArray || reader.finder.object == nil else { return nil }
        (self.response, self.page) = (response, page)
        let text = page.text ?? response.body
        keys = RecordKeys(page.records, in: text.span, id: id)
        // JSON Lines say nothing beside their records, and a large text is data.
        let beside = page.beside.json
        var answer: JSONTree?
        if beside.count <= PageBeside.limitBytes { answer = try? JSONTree.shape(of: beside.span) }
        values = BesideValue.all(in: answer ?? .null, besides: description.place.steps, response.headers)
    }

    var text: [UInt8] { page.text ?? response.body }

    /// What the service counts.
    var count: Int { page.listed }

    /// What may say how much the list has, by its place: the numbers, flags and links beside the records.
    var extent: [String: String] {
        let counts = values.filter { $0.flag ?? $0.number ?? $0.link as Any? != nil }
        let links = ("Link", response.headers.values("Link").joined(separator: ", "))
        return Dictionary(counts.map { ($0.text, $0.value.text) } + [links], uniquingKeysWith: { $1 })
    }

    /// Whether it counts the list, as far as a usual name says so.
    var isCounted: Bool {
        let names = values.filter { $0.number != nil }.map(\.name)
        return names.contains { UsualNames.is($0, .total, .pages) } || !response.headers.values("Link").isEmpty
    }

    func value(at text: String) -> BesideValue? { values.first { $0.text == text } }

    /// The records of a place beside those of the description.
    func keys(at place: RecordsPlace, _ description: LearntDescription) throws(ToolFailure) -> RecordKeys? {
        var described = description
        described.records = place
        return try LearntPage(response, described, id: nil)?.keys
    }
}

/// What tells records apart while a list is being learnt: their ids where they have some, else all of their text.
typealias RecordKeys = [Int]

extension RecordKeys {
    init(_ records: RecordOutline.Records, in text: Span<UInt8>, id: [JSONTree.Step]?) {
        self = records.map { record in
            let bytes = text.extracting(record.range)
            return (id.flatMap { JSONTree.scalar(at: $0, in: bytes) } ?? bytes.text).hashValue
        }
    }

    /// How many of them another page doesn't have.
    func fresh(beside other: RecordKeys) -> Int { Set(self).subtracting(other).count }

    /// The same records, in whatever order: a list without order gives them in another one each time.
    func isSame(as other: RecordKeys) -> Bool { (count, Set(self)) == (other.count, Set(other)) }
}
