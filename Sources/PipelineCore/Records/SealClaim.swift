// What a seal says of the records before it:
//
//     {"$seal":{"records":7438,"complete":true,"by":"count"}}          a whole list
//     {"$seal":{"records":5,"complete":true,"by":"answer","limit":5}}  a part of one

/// The content of a seal, or the sum of several.
package struct SealClaim: Equatable, Sendable {
    /// How many records there were where it was made; nil if it doesn't say.
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

    package init(
        records: Int?, isComplete: Bool = true, by: Proof? = nil, limit: Int? = nil, since: String? = nil,
        after: Int? = nil
    ) {
        self.records = records
        self.isComplete = isComplete
        self.by = by
        self.limit = limit
        self.since = since
        self.after = after
    }

    /// Reads a line that is a seal. Of several members of a name the last counts.
    package init(_ seal: Span<UInt8>) {
        var reader = JSONReader(seal)
        do throws(JSONError) {
            while let token = try reader.next() {
                guard reader.depth == 2, case .name(let name) = token, let value = try reader.next() else {
                    continue
                }
                take(value, of: name.text(in: seal), in: seal)
                try reader.skipRest(of: value)
            }
        } catch {
            isComplete = false
        }
    }

    private mutating func take(_ value: JSONToken, of name: String, in seal: Span<UInt8>) {
        var count: Int? {
            guard case .number(let number) = value, number.isInteger else { return nil }
            let count = Int(seal.extracting(number.range).text) ?? -1
            return (0...Self.mostRecords).contains(count) ? count : nil
        }
        var text: String? { if case .string(let string) = value { string.text(in: seal) } else { nil } }
        switch name {
        case "records": records = count
        case "complete": isComplete = value == .boolean(true)
        case "by": by = text.map { Proof($0) }
        case "limit": limit = count
        case "since": since = text
        case "after": after = count
        default: break
        }
    }

    /// No tool writes more; the sum of two still is an `Int`.
    private static let mostRecords = 1 << 40

    /// The line, with a line feed.
    package var line: [UInt8] {
        var line = ByteBuffer.object { line in
            line.addMember(
                "$seal",
                object: { seal in
                    if let records { seal.addMember("records", records) }
                    seal.addMember("complete", isComplete)
                    if let by { seal.addMember("by", by.text) }
                    if let limit { seal.addMember("limit", limit) }
                    if let since { seal.addMember("since", since) }
                    if let after { seal.addMember("after", after) }
                })
        }
        line.append(0x0A)
        return Array(line.text.utf8)
    }

    /// What both seals together say: as much as either, and no more than the weaker.
    package func combined(with other: SealClaim) -> SealClaim {
        func sum(_ first: Int, _ second: Int) -> Int { min(first + second, Self.mostRecords) }
        func either(_ first: Int?, _ second: Int?) -> Int? {
            first.map { sum($0, second ?? 0) } ?? second
        }
        return SealClaim(
            records: records.flatMap { first in other.records.map { sum(first, $0) } },
            isComplete: isComplete && other.isComplete,
            by: by.flatMap { first in other.by.map { first.combined(with: $0) } },
            limit: either(limit, other.limit), since: since ?? other.since, after: either(after, other.after))
    }

    /// What part of the list its records are, after "has only"; nil for the whole.
    package var part: String? {
        if let since { return "what is newer than \(since)" }
        if let after, after > 0 { return "what comes after the \(after) records of an earlier run" }
        return limit.map { $0 == 1 ? "the first record of a list" : "the first \($0) records of a list" }
    }
}

extension SealClaim {
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
