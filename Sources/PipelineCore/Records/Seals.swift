// The seals of an input, wherever they stand in it, and the records that they have to speak for. A pipe may carry
// several lists, one after the other:
//
//     record  record  seal  record  seal           both have ended as they should: one seal with the sum is passed on
//     record  record  record  seal of one          a source has ended without a seal: none is passed on
//     record  seal of nine                         fewer records than the seal says: a filter stood before

package struct InputSeals: Equatable, Sendable {
    /// The only seal as it came, with a line feed. Empty if there are none or several.
    private var onlyLine: [UInt8] = []
    /// Of all seals together.
    package private(set) var claim: SealClaim?
    private var count = 0
    /// The records that came, without the bad lines.
    private var records = 0
    /// Whether the last line is a seal; nil until one came that isn't blank.
    private var endsWithSeal: Bool?

    package var isEmpty: Bool { claim == nil }

    /// Whether the input is complete, as its seals say.
    package var isComplete: Bool { claim?.isOfUnsealed == false && doubt == nil }

    /// The one seal to pass on. Empty if there is none, or a doubt.
    package var line: [UInt8] {
        guard let claim, doubt == nil else { return [] }
        return count == 1 ? onlyLine : claim.line
    }

    /// Why the seals don't speak for all that came.
    package var doubt: Message? {
        guard let claim else { return nil }
        if let surplus { return surplus }
        if !claim.isComplete { return "a seal doesn't say that its list is complete; run its source again" }
        if endsWithSeal == true { return nil }
        return "lines follow the last seal; one source ended without a seal, or a tool such as sort or tac moved it"
    }

    /// Why nothing may be replaced or removed, though the source of the records has ended as it should.
    package var reservation: Message? {
        guard claim?.isOfUnsealed == true else { return nil }
        return
            "the records that --each read had no seal, so they may be half of theirs; end them with --seal, or read "
            + "them from a file"
    }

    /// That there are more records than the seals speak of.
    package var surplus: Message? {
        guard let most = claim?.records, records > most else { return nil }
        return
            "\(records) record\(records == 1 ? "" : "s") arrived, and the seal\(count == 1 ? " counts" : "s count") "
            + "\(most); one source ended without a seal"
    }

    /// Takes the next line if it is a seal; otherwise counts it as a record.
    package mutating func take(_ line: Span<UInt8>) -> Bool {
        guard let claim = SealClaim(line) else {
            addRecords(1)
            return false
        }
        onlyLine.removeAll()
        if isEmpty {
            onlyLine.append(line)
            onlyLine.append(0x0A)
        }
        add(claim, count: 1)
        endsWithSeal = true
        return true
    }

    package mutating func addRecords(_ count: Int) {
        records += count
        addLine()
    }

    package mutating func addLine() { endsWithSeal = false }

    /// The record counted last is a bad line.
    package mutating func rejectRecord() { records -= 1 }

    package mutating func add(_ part: InputSeals) {
        records += part.records
        if let claim = part.claim {
            onlyLine = isEmpty ? part.onlyLine : []
            add(claim, count: part.count)
        }
        endsWithSeal = part.endsWithSeal ?? endsWithSeal
    }

    private mutating func add(_ claim: SealClaim, count: Int) {
        self.claim = self.claim?.combined(with: claim) ?? claim
        self.count += count
    }
}

/// What a seal says of the records before it. It is the end mark of a fetch tool, a record with the one member `$seal`:
///
///     {"$seal":{"records":7438,"complete":true,"by":"count"}}          a whole list
///     {"$seal":{"records":5,"complete":true,"by":"answer","limit":5}}  a part of one
///     {"$seal":{"records":9,"complete":true,"by":"count","each":"unsealed"}}   lists of --each, perhaps not all
///     {"$seal":{"records":7,"complete":true,"by":"count","stale":"2026-11-28T04:17:00Z"}}   as it was then
package struct SealClaim: Equatable, Sendable {
    /// Of the source, however many arrive; nil if it doesn't say.
    package var records: Int?
    package var isComplete = false
    /// What shows that nothing is missing; nil if it doesn't say.
    package var by: Proof?
    /// The run was to stop after this many records, and did.
    package var limit: Int?
    /// The records are newer than this.
    package var since: String?
    /// The records of the list that an earlier run wrote elsewhere.
    package var after: Int?
    /// The records are those of the page with this number.
    package var page: Int?
    /// The records are of the lists of others, which came through a pipe without a seal: their source may have failed.
    package var isOfUnsealed = false
    /// When the oldest response was current that stood in for a service that failed, in the form of RFC 3339; nil if none
    /// did.
    package var stale: String?

    package init(
        records: Int?, isComplete: Bool = true, by: Proof? = nil, limit: Int? = nil, since: String? = nil,
        after: Int? = nil, page: Int? = nil, isOfUnsealed: Bool = false
    ) {
        self.records = records
        self.isComplete = isComplete
        self.by = by
        self.limit = limit
        self.since = since
        self.after = after
        self.page = page
        self.isOfUnsealed = isOfUnsealed
    }

    /// Reads a line; nil for one that isn't a seal. Of several members of a name the last counts.
    package init?(_ line: Span<UInt8>) {
        guard Self.mayBeSeal(line) else { return nil }
        do throws(JSONError) {
            var reader = JSONReader(line)
            try reader.beginRecord()
            guard case .name(let name)? = try reader.next(), name.text(in: line) == "$seal",
                let value = try reader.next()
            else { return nil }
            let start = reader.tokenStart
            try reader.skipRest(of: value)
            let end = reader.position
            guard try reader.next() == .endObject, try reader.next() == nil else { return nil }
            guard case .object(let members) = try JSONTree.read(line.extracting(start..<end)) else { return }
            var isCounted = true
            for (name, value) in members {
                switch name {
                case "records": (records, isCounted) = (value.count, value.count != nil)
                case "complete": isComplete = value.boolean ?? false
                case "by": by = value.string.map { Proof($0) }
                case "limit": limit = value.count
                case "since": since = value.string
                case "after": after = value.count
                case "stale": stale = value.string
                case "page": page = value.count
                case "each": isOfUnsealed = value.string == "unsealed"
                default: break
                }
            }
            // By a count that is none, such as "7", any number of records would do.
            isComplete = isComplete && isCounted
        } catch {
            return nil
        }
    }

    /// Whether the first member's name begins like the mark, or with an escape. Nearly every line fails this test.
    package static func mayBeSeal(_ line: Span<UInt8>) -> Bool {
        var signs = 0
        for index in line.indices where line[index] > 0x20 {
            switch (signs, line[index]) {
            case (0, UInt8(ascii: "{")), (1, UInt8(ascii: "\"")): signs += 1
            case (2, UInt8(ascii: "$")), (2, UInt8(ascii: "\\")): return true
            default: return false
            }
        }
        return false
    }

    /// With a line feed.
    package var line: [UInt8] {
        var line = ByteBuffer.object { $0.addMember("$seal", json: json) }
        line.append(0x0A)
        return Array(line.text.utf8)
    }

    /// What stands under `$seal`.
    package var json: String {
        ByteBuffer.object { seal in
            if let records { seal.addMember("records", records) }
            seal.addMember("complete", isComplete)
            if let by { seal.addMember("by", by.text) }
            if let limit { seal.addMember("limit", limit) }
            if let since { seal.addMember("since", since) }
            if let after { seal.addMember("after", after) }
            if let page { seal.addMember("page", page) }
            if isOfUnsealed { seal.addMember("each", "unsealed") }
            if let stale { seal.addMember("stale", stale) }
        }.text
    }

    /// What both seals together say: as much as either, and no more than the weaker.
    package func combined(with other: SealClaim) -> SealClaim {
        func sum(_ first: Int, _ second: Int) -> Int { min(first + second, JSONTree.mostRecords) }
        func either(_ first: Int?, _ second: Int?) -> Int? {
            first.map { sum($0, second ?? 0) } ?? second
        }
        var both = SealClaim(
            records: records.flatMap { first in other.records.map { sum(first, $0) } },
            isComplete: isComplete && other.isComplete,
            by: by.flatMap { first in other.by.map { first.combined(with: $0) } },
            limit: either(limit, other.limit), since: since ?? other.since, after: either(after, other.after),
            page: page ?? other.page,
            isOfUnsealed: isOfUnsealed || other.isOfUnsealed)
        both.stale = Self.older(stale, other.stale)
        return both
    }

    /// The earlier of two times. One that can't be read may be any.
    package static func older(_ first: String?, _ second: String?) -> String? {
        guard let first, let second else { return first ?? second }
        let seconds = [first, second].map { UTCCalendar.seconds(rfc3339: $0.utf8Bytes.span)?.whole ?? .min }
        return seconds[1] < seconds[0] ? second : first
    }

    /// What part of the list its records are, after "has only"; nil for the whole.
    package var part: String? {
        if let since { return "the records newer than \(since)" }
        if let after, after > 0 { return "the records after the first \(after) of an earlier run" }
        if let page { return "page \(page) of a list" }
        return limit.map { $0 == 1 ? "the first record of a list" : "the first \($0) records of a list" }
    }

    /// What shows that nothing is missing. A text that isn't known is kept.
    package struct Proof: Equatable, Sendable {
        package let text: String

        package init(_ text: String) { self.text = text }

        /// One response that was read to its end.
        package static let answer = Proof("answer")
        /// The service's own positions.
        package static let cursor = Proof("cursor")
        /// Pages that begin with the last record of the page before.
        package static let overlap = Proof("overlap")
        /// A second reading that found nothing new.
        package static let twice = Proof("twice")
        /// The number of records alone.
        package static let count = Proof("count")

        private static let strongestFirst: [Proof] = [.answer, .cursor, .overlap, .twice, .count]

        /// The weaker of the two. One that isn't known is as weak as the weakest.
        package func combined(with other: Proof) -> Proof {
            guard self != other else { return self }
            let known = Self.strongestFirst
            let ranks = [self, other].map { known.firstIndex(of: $0) ?? known.count - 1 }
            return known[max(ranks[0], ranks[1])]
        }
    }
}
