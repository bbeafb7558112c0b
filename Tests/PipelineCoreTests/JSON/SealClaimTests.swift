// What seals say, one by one and added up.

import PipelineCore
import Testing

@Suite struct SealClaimTests {
    @Test(arguments: [
        (#"{"records":7,"complete":true}"#, SealClaim(records: 7)),
        (#"{"complete":true}"#, SealClaim(records: nil)),
        (#"{"records":7,"complete":true,"by":"cursor"}"#, SealClaim(records: 7, by: .cursor)),
        (#"{"records":7,"complete":true,"by":"by-ear"}"#, SealClaim(records: 7, by: .init("by-ear"))),
        (#"{"records":7,"complete":true,"limit":7}"#, SealClaim(records: 7, limit: 7)),
        (#"{"records":7,"complete":true,"since":"\u0031 May"}"#, SealClaim(records: 7, since: "1 May")),
        (#"{"records":7,"complete":true,"after":3}"#, SealClaim(records: 7, after: 3)),
        (#"{"records":1,"records":2,"complete":true}"#, SealClaim(records: 2)),
        (#"{"records":7,"complete":false}"#, SealClaim(records: 7, isComplete: false)),
        (#"{"records":7,"complete":1,"by":1}"#, SealClaim(records: 7, isComplete: false)),
        (#"{"records":-1,"complete":true}"#, SealClaim(records: nil, isComplete: false)),
        (#"{"records":1e3,"complete":true}"#, SealClaim(records: nil, isComplete: false)),
        (#"{"records":99999999999999999999,"complete":true}"#, SealClaim(records: nil, isComplete: false)),
        (#"{"x":{"complete":true,"records":1}}"#, SealClaim(records: nil, isComplete: false)),
        (#"[{"complete":true,"records":1}]"#, SealClaim(records: nil, isComplete: false)),
        ("true", SealClaim(records: nil, isComplete: false)),
    ])
    func `are read`(content: String, claim: SealClaim) {
        #expect(SealClaim(Array("{\"$seal\":\(content)}".utf8).span) == claim)
    }

    @Test func `are written in one order, without what they don't say`() {
        let full = SealClaim(records: 5, by: .answer, limit: 5, since: "2026-03-01", after: 2)
        let text =
            #"{"$seal":{"records":5,"complete":true,"by":"answer","limit":5,"since":"2026-03-01","after":2}}"#
        #expect(full.line == Array((text + "\n").utf8) && SealClaim(full.line.span) == full)
        let none = SealClaim(records: nil, isComplete: false)
        #expect(none.line == Array("{\"$seal\":{\"complete\":false}}\n".utf8))
    }

    @Test(arguments: [
        (SealClaim(records: 3), SealClaim(records: 4), SealClaim(records: 7)),
        (SealClaim(records: 3), SealClaim(records: nil), SealClaim(records: nil)),
        (
            SealClaim(records: 3), SealClaim(records: 4, isComplete: false),
            SealClaim(records: 7, isComplete: false)
        ),
        (SealClaim(records: 3, limit: 3), SealClaim(records: 4), SealClaim(records: 7, limit: 3)),
        (SealClaim(records: 3, limit: 3), SealClaim(records: 4, limit: 4), SealClaim(records: 7, limit: 7)),
        (SealClaim(records: 3, since: "a"), SealClaim(records: 4), SealClaim(records: 7, since: "a")),
        (
            SealClaim(records: 3, after: 1), SealClaim(records: 4, after: 2),
            SealClaim(records: 7, after: 3)
        ),
        (SealClaim(records: 1 << 40), SealClaim(records: 1 << 40), SealClaim(records: 1 << 40)),
    ])
    func `are added up, and a part makes the sum a part`(first: SealClaim, second: SealClaim, sum: SealClaim) {
        #expect(first.combined(with: second) == sum && second.combined(with: first) == sum)
    }

    @Test func `are as good as the weakest`() {
        let order: [SealClaim.Proof] = [.answer, .cursor, .overlap, .twice, .count]
        let (unknown, other) = (SealClaim.Proof("by-ear"), SealClaim.Proof("by-eye"))
        for (index, first) in order.enumerated() {
            for second in order[index...] {
                #expect(first.combined(with: second) == second && second.combined(with: first) == second)
            }
            #expect(first.combined(with: unknown) == .count && unknown.combined(with: first) == .count)
        }
        #expect(unknown.combined(with: unknown) == unknown && unknown.combined(with: other) == .count)
        let silent = SealClaim(records: 1)
        #expect(silent.combined(with: SealClaim(records: 1, by: .answer)).by == nil)
    }

    @Test(arguments: [
        (SealClaim(records: 3), nil), (SealClaim(records: 3, after: 0), nil),
        (SealClaim(records: 3, since: "May"), "the records newer than May"),
        (SealClaim(records: 3, after: 2), "the records after the first 2 of an earlier run"),
        (SealClaim(records: 3, limit: 3), "the first 3 records of a list"),
        (SealClaim(records: 1, limit: 1), "the first record of a list"),
    ])
    func `say what part they are of`(claim: SealClaim, part: String?) { #expect(claim.part == part) }
}
