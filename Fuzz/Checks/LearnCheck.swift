// What answers are taken to say about their lists: whatever is found can be said in a description, and is there.

import PipelineCore
import PipelineHTTP

@testable import fetch_characters

enum LearnCheck {
    static func check(_ bytes: [UInt8]) throws {
        let isValid = JSONDocument.isValid(bytes.span.extracting(bytes.span.byteOrderMarkSize...))
        let answer: JSONTree
        do throws(JSONError) {
            answer = try JSONTree.shape(of: bytes.span)
        } catch {
            return try demand(!isValid, "refused: \(error)")
        }
        try demand(isValid, "accepted, and no JSON")
        let request = ListRequest(try HTTPURL("http://h/list?limit=2&q=\(bytes.count)"))
        // A path leads to each of several members with one name.
        guard !hasDuplicates(answer) else { return }
        for place in RecordsPlace.all(in: answer) { try check(place, bytes, answer, request) }
    }

    /// The places of an answer, each as the only thing that a description says.
    private static func check(
        _ place: RecordsPlace, _ bytes: [UInt8], _ answer: JSONTree, _ request: ListRequest
    ) throws {
        var description = LearntDescription(request)
        description.records = place
        try demand(!place.path.isEmpty && place.count > 0, "records nowhere")
        try checkRecords(place, bytes, try description.source())
        let response = HTTPResponse(
            status: 200, headers: HTTPHeaders(), body: bytes, redirectChain: [try HTTPURL("http://h/list?limit=2")])
        description.isProved = true
        guard let start = try LearntPage(response, description, id: nil) else { return }
        let input = ProposalInput(
            request: request, start: start, place: place, id: nil, typed: nil, recorded: [])
        for proposal in input.all {
            try demand(!proposal.name.isEmpty, "a proposal without a name")
            guard case .lead(var pagination) = proposal.kind else { continue }
            if let first = proposal.places.first { pagination.places = [first] }
            description.pagination = pagination
            _ = try description.source()
        }
        description.pagination = LearntPagination(type: .page, places: [.query("page")], first: 1)
        for total in LearntTotal.all(in: start.values, atLeast: 0) where total.place.header == nil {
            description.pagination.total = total
            try checkTotal(total, bytes, try description.source())
        }
    }

    private static func hasDuplicates(_ value: JSONTree) -> Bool {
        var isTwice = false
        value.walk { _, value in
            isTwice = isTwice || Set(value.members.map(\.name)).count < value.members.count
            return true
        }
        return isTwice
    }

    /// The description's own reader finds them.
    private static func checkRecords(_ place: RecordsPlace, _ bytes: [UInt8], _ source: Source) throws {
        var reader = PageReader(source)
        let page = try reader.read(bytes, HTTPHeaders(), isList: true, mayLack: reader.finder.isOpen)
        try demand(page.records.count > 0, "no records at \(place.path)")
        var choice = MemberChoice(origin: "http://h")
        let text = page.text ?? bytes
        for record in page.records { choice.add(try JSONTree.shape(of: text.span.extracting(record.range))) }
        var description = LearntDescription(ListRequest(try HTTPURL("http://h/list")))
        description.members = Source.CommonName.allCases.compactMap { name in
            choice.path(of: name).map { (name, MemberChoice.text(of: $0)) }
        }
        _ = try description.source()
        let keys = RecordKeys(page.records, in: text.span, id: choice.path(of: .id))
        try demand(
            keys.count == page.records.count && keys.fresh(beside: keys) == 0, "records that aren't themselves")
    }

    private static func checkTotal(_ total: LearntTotal, _ bytes: [UInt8], _ source: Source) throws {
        var reader = PageReader(source)
        let page = try reader.read(bytes, HTTPHeaders(), isList: true, mayLack: reader.finder.isOpen)
        try demand(page.lead.count != nil && total.value > 0, "no total at \(total.place.text)")
    }
}
