// A small service for walks: a list of places, some of them empty, that is divided into pages as real services do it,
// and answers a position with a status and a body.

import PipelineCore
import PipelineHTTP
import TestSupport
import Testing

/// A service with one list.
struct ListService {
    /// What it answers after the last page.
    enum Past: CaseIterable { case empty, notFound, badRequest, lastPage }
    /// What the last page has for a cursor.
    enum LastCursor: CaseIterable { case none, same, new }

    /// The ids in their places. Nil is a place whose record is gone: its page is shorter by one.
    var places: [Int?]
    /// Records a page if none are requested.
    var usualSize = 3
    /// The most that it gives on a page, whatever is requested.
    var cap = Int.max
    var past = Past.empty
    var lastCursor = LastCursor.none
    /// It gives no more pages than this.
    var lastPage = Int.max
    /// What it says of the number of its records, nil for nothing.
    var total: Int?
    /// It says whether another page follows, in `more`.
    var saysMore = false
    /// The pages that leave the flag out, by the first place of each.
    var silentAt: Set<Int> = []
    /// Records of another kind, which the path to the records leaves out.
    var isWanted: @Sendable (Int) -> Bool = { _ in true }

    struct Answer {
        let status: Int
        let body: String
        let listed: Int
    }

    var ids: [Int] { places.compactMap { $0 }.filter(isWanted) }

    /// - Parameter size: as requested, nil for the usual one.
    func answer(_ position: PagePosition, size: Int?) -> Answer {
        let size = min(size ?? usualSize, cap)
        var start = start(position, size)
        if start / size >= lastPage { return Answer(status: 400, body: "{}", listed: 0) }
        if start >= places.count, start > 0 {
            switch past {
            case .empty: break
            case .notFound: return Answer(status: 404, body: "{}", listed: 0)
            case .badRequest: return Answer(status: 400, body: "{}", listed: 0)
            case .lastPage: start = max(0, (places.count - 1) / size * size)
            }
        }
        let part = places.dropFirst(start).prefix(size).compactMap { $0 }
        let end = min(start + size, places.count)
        let records = part.filter(isWanted).map { "{\"id\":\($0)}" }.joined(separator: ",")
        var members = ["\"data\":[\(records)]"]
        if let total { members.append("\"total\":\"\(total)\",\"pages\":\((total + size - 1) / size)") }
        if saysMore, !silentAt.contains(start) { members.append("\"more\":\(end < places.count)") }
        if end < places.count {
            members.append("\"next\":\(end)")
        } else {
            switch lastCursor {
            case .none: break
            case .same:
                if case .cursor(let values) = position, let json = values[0]?.json {
                    members.append("\"next\":\(json)")
                }
            case .new: members.append("\"next\":\(start + size)")
            }
        }
        return Answer(status: 200, body: "{\(members.joined(separator: ","))}", listed: part.count)
    }

    private func start(_ position: PagePosition, _ size: Int) -> Int {
        switch position {
        case .start: 0
        case .number(let number): (number - 1) * size
        case .offset(let offset): offset
        case .cursor(let values): values.compactMap { $0.flatMap { Int($0.text) } }.first ?? 0
        case .link(let url): Int(url.text.split(separator: "=").last ?? "") ?? 0
        }
    }
}

/// A walk over a service's list by its description, as fetch-characters walks.
struct ListWalk {
    enum End: Equatable {
        case complete
        case incomplete(String)
        /// A page was refused with this status.
        case refused(Int)
        /// The list goes on after the last page that the service gives.
        case pastLastPage
        case endless
    }

    private(set) var end = End.endless
    /// The ids that came, each once, in the order in which they came.
    private(set) var ids: [Int] = []
    private(set) var positions: [PagePosition] = []

    /// - Parameter members: of the pagination, its type among them.
    init(_ service: ListService, _ members: String) throws { end = try walk(service, members) }

    private mutating func walk(_ service: ListService, _ members: String) throws -> End {
        let source = try Source.having("\"pagination\":{\(members)}")
        let hash = ByteHash(seed: 7)
        var reader = PageReader(source)
        var walk = Paginator(source.pagination, size: nil, hash: hash)
        // The same walk, led by what a state file keeps of each page.
        var replayed = walk
        var seen: Set<Int> = []
        var seenInPass: Set<Int> = []
        for _ in 0..<3000 {
            if walk.isPastLastPage { return .pastLastPage }
            positions.append(walk.position)
            let answer = service.answer(walk.position, size: walk.size)
            var entered = PageSummary.notFound
            if answer.status == 200 {
                let body = Array(answer.body.utf8)
                let read = try reader.read(body, HTTPHeaders(), isList: true)
                let page = SourcePage(records: read.records, listed: answer.listed, lead: read.lead)
                let part = try page.records.map { record in
                    try #require(JSONTree.read(body.span.extracting(record.range))["id"]?.integer)
                }
                let unseen = part.filter { seen.insert($0).inserted }
                ids += unseen
                let distinct = part.count { seenInPass.insert($0).inserted }
                let digest = hash.digest(Array("\(part)".utf8).span)
                entered = PageSummary(
                    page, next: try Self.next(page.lead), unseen: unseen.count, distinct: distinct, repeats: 0,
                    digest: digest, content: part.isEmpty ? hash.digest(body.span) : digest)
            } else if !walk.isEnd(status: answer.status) {
                return .refused(answer.status)
            }
            let verdict = walk.enter(entered)
            let saved = try JSONTree.read(Array(entered.text.utf8).span)
            #expect(replayed.enter(try #require(PageSummary(saved, source.pagination))) == verdict)
            #expect(replayed.position == walk.position && replayed.number == walk.number)
            switch verdict {
            case .more: break
            case .again: seenInPass = []
            case .complete: return .complete
            case .incomplete(let finding, _): return .incomplete(finding)
            }
        }
        return .endless
    }

    private static func next(_ lead: PageLead) throws -> PagePosition? {
        switch lead.next {
        case .cursor(let values)?: .cursor(values)
        case .link(let text)?: .link(try HTTPURL("https://h/?from=\(text)"))
        case nil: nil
        }
    }
}
