// A small service for walks: a list of places, some of them empty, that is divided into pages as real services do it,
// and answers a position with a status and a body.

import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

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
    /// Pages say whether they are the last, as `done`.
    var saysDone = false
    /// The pages that leave the flag out, by the first place of each.
    var silentAt: Set<Int> = []
    /// It begins pages at multiples of the size alone, or refuses other offsets.
    var offsets = Offsets.any
    /// It has no page that begins after this place.
    var deepest = Int.max
    /// Places for which it gives the page that begins ten before.
    var stale = 0..<0
    /// It gives its first page whatever is asked for.
    var isDeaf = false
    /// Numbers of the first record: 0, or 1 for services that count from 1.
    var firstOffset = 0
    /// Cursors are ids and not numbers: a page begins after the record with that id, even if the record is gone.
    var hasKeysets = false
    /// All ids that were ever in the list, in its order.
    var order: [Int] = []
    /// A page begins with the record that its cursor names.
    var isInclusive = false

    enum Offsets: CaseIterable { case any, rounded, refused }
    /// Members and header fields that no description names.
    var extras: [Extra] = []
    var headers: [(name: String, value: String)] = []

    /// A member beside the records.
    struct Extra {
        enum Value: CaseIterable {
            case large, size, page, open, shut, nothing, text, empty, link, ownLink, token, inner, onlyWhenEmpty
        }

        let key: String
        let value: Value

        /// Its JSON on a page of a service, nil where the page doesn't have it.
        func json(start: Int, size: Int, count: Int, isEmpty: Bool) -> String? {
            switch value {
            case .large: "900"
            case .size: "\(size)"
            case .page: "\(start / size + 1)"
            case .open: "true"
            case .shut: "false"
            case .nothing: "null"
            case .text: "\"\(start / size + 1) of 9\""
            case .empty: "[]"
            case .link: "\"https://h/other?page=2\""
            case .ownLink: "\"/list?page=\(start / size)\""
            case .token: "\"QW5\(start)\""
            case .inner: "{\"a\":{\"total\":\(count)}}"
            case .onlyWhenEmpty: isEmpty ? "\"quota exceeded\"" : nil
            }
        }
    }

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
        var start = isDeaf ? 0 : start(position, size)
        if stale.contains(start) { start = stale.lowerBound - 10 }
        if start % size != 0, case .offset = position {
            switch offsets {
            case .any: break
            case .rounded: start -= start % size
            case .refused: return Answer(status: 400, body: "{}", listed: 0)
            }
        }
        if start / size >= lastPage { return Answer(status: 400, body: "{}", listed: 0) }
        let isPast = start >= places.count || start > deepest
        if isPast, start > 0 {
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
        if saysDone, !silentAt.contains(start) { members.append("\"done\":\(end >= places.count)") }
        for extra in extras {
            let json = extra.json(start: start, size: size, count: places.count, isEmpty: part.isEmpty)
            if let json { members.append("\(JSONTree.string(extra.key).json):\(json)") }
        }
        if end < places.count {
            members.append("\"next\":\(hasKeysets ? "\"k\(part.last ?? 0)\"" : "\(end)")")
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
        case .offset(let offset): max(0, offset - firstOffset)
        case .cursor(let values): place(after: values.compactMap { $0?.text }.first ?? "")
        case .link(let url): Int(url.split(separator: "=").last ?? "") ?? 0
        }
    }
}

extension ListService {
    /// Where the page of a cursor begins.
    private func place(after cursor: String) -> Int {
        guard hasKeysets, let id = Int(cursor.dropFirst()), let last = order.firstIndex(of: id) else {
            return Int(cursor) ?? 0
        }
        let before = Set(isInclusive ? order[..<last] : order[...last])
        return places.firstIndex { $0.map { !before.contains($0) } ?? false } ?? places.count
    }

    mutating func insert(_ id: Int, at place: Int) {
        let before = place > 0 ? places[place - 1] : nil
        order.insert(id, at: before.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        places.insert(id, at: place)
    }

    mutating func move(from place: Int, to target: Int) {
        guard let id = places.remove(at: place) else { return }
        order.removeAll { $0 == id }
        insert(id, at: target)
    }
}

/// A walk over a service's list by its description, as fetch-characters walks.
struct WalkedList {
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
    /// Why the list isn't complete, where that is known.
    var finding: String? { if case .incomplete(let finding) = end { finding } else { nil } }
    /// The ids that came, each once, in the order in which they came.
    private(set) var ids: [Int] = []
    private(set) var positions: [PagePosition] = []

    /// What shows that the list is complete.
    private(set) var proof = SealClaim.Proof.count
    /// The ids that came on two pages of each reading, where a page wasn't asked for from that record.
    private(set) var doubled: [Set<Int>] = [[]]
    /// The number of the last reading's first request.
    private(set) var lastReading = 0

    /// - Parameters:
    ///   - members: of the pagination, its type among them.
    ///   - change: changes the list before a request, by its number.
    init(
        _ service: ListService, _ members: String, hasIDs: Bool = true, readsTwice: Bool = false,
        change: (inout ListService, Int) -> Void = { _, _ in }
    ) throws {
        end = try walk(service, members, hasIDs, readsTwice, change)
    }

    private mutating func walk(
        _ service: ListService, _ members: String, _ hasIDs: Bool, _ readsTwice: Bool,
        _ change: (inout ListService, Int) -> Void
    ) throws -> End {
        var service = service
        let idMember = hasIDs ? #","members":{"id":"id"}"# : ""
        let source = try Source.having("\"pagination\":{\(members)}\(idMember)")
        let hash = ByteHash(seed: 7)
        var reader = PageReader(source)
        var walk = ListWalk(source, pageSize: nil, readsTwice: readsTwice, hash: hash)
        // The same walk, led by what a state file keeps of each page.
        var replayed = walk
        var seen: Set<Int> = []
        var seenInReading: Set<Int> = []
        for number in 0..<3000 {
            if walk.isPastLastPage { return .pastLastPage }
            change(&service, number)
            positions.append(walk.position)
            let answer = service.answer(walk.position, size: walk.size)
            var facts = PageFacts()
            if answer.status == 200 {
                let body = Array(answer.body.utf8)
                var fields = HTTPHeaders()
                for (name, value) in service.headers { fields.append(name, value) }
                let read = try reader.read(body, fields, isList: true, isLater: walk.hasBegun)
                let page = Page(
                    outline: read.outline, listed: answer.listed, beside: read.beside, lead: read.lead)
                let part = try page.records.map { record in
                    try #require(JSONTree.read(body.span.extracting(record.range))["id"]?.integer)
                }
                let unseen = part.filter { seen.insert($0).inserted }
                ids += unseen
                facts.unseen = unseen.count
                let known = part.filter { !seenInReading.insert($0).inserted }
                facts.distinct = part.count - known.count
                let isAsked = hasIDs && part.first.map { UInt64($0) } == walk.reading.expectedFirst
                for id in known where hasIDs && !(isAsked && id == part.first) {
                    facts.doubled &+= UInt64(id)
                    doubled[doubled.count - 1].insert(id)
                }
                if hasIDs {
                    facts.first = part.first.map { UInt64($0) }
                    facts.last = part.last.map { UInt64($0) }
                }
                facts.content = hash.digest((part.isEmpty || !hasIDs ? body : Array("\(part)".utf8)).span)
                facts.add(
                    page, next: Self.next(page.lead), at: try HTTPURL("https://h/list"),
                    known: walk.valued ?? [])
            } else if let end = walk.facts(status: answer.status) {
                facts = end
            } else {
                return .refused(answer.status)
            }
            let verdict = walk.enter(facts)
            let saved = try JSONTree.read(Array(facts.text.utf8).span)
            #expect(replayed.enter(try #require(PageFacts(saved, source.pagination))) == verdict)
            #expect(replayed.position == walk.position && replayed.number == walk.number)
            proof = walk.proof
            switch verdict {
            case .more: break
            case .again:
                seenInReading = []
                doubled.append([])
                lastReading = number + 1
            case .complete: return .complete
            case .incomplete(let finding, _, _): return .incomplete(finding)
            }
        }
        return .endless
    }

    private static func next(_ lead: PageLead) -> PagePosition? {
        guard case .link(let text)? = lead.next else { return lead.next }
        return .link("https://h/?from=\(text)")
    }
}
