// The mark at the end of a list, what is none, and whether the marks of an input speak for all of it.

import TestSupport
import Testing

@testable import PipelineCore

@Suite struct SealTests {
    private static let seal = #"{"$seal":{"complete":true}}"#

    private func seals(_ lines: [String]) -> InputSeals {
        var seals = InputSeals()
        for line in lines { _ = seals.take(Array(line.utf8).span) }
        return seals
    }

    @Test(arguments: [
        (#"{"$seal":{"records":3,"complete":true}}"#, true), (#"{"$seal":{"complete":false}}"#, false),
        (#" {"\u0024seal" : {"c\u006fmplete" : true} } "#, true), (#"{"$seal":{"complete":1}}"#, false),
        (#"{"$seal":{"complete":true,"complete":false}}"#, false),
        (#"{"$seal":{"complete":false,"complete":true}}"#, true), (#"{"$seal":{}}"#, false),
        (#"{"$seal":{"a":{"complete":true}}}"#, false), (#"{"$seal":[{"complete":true}]}"#, false),
        (#"{"$seal":true}"#, false),
        (#"{"$seal":{"records":3,"complete":true,"by":"by-ear","x":[1.50]}}"#, true),
    ])
    func `says that all has come, by its last member complete, and goes on as it came`(
        _ line: String, isComplete: Bool
    ) {
        let seals = seals([line])
        #expect(!seals.isEmpty && seals.isComplete == isComplete)
        #expect(seals.line == (isComplete ? Array((line + "\n").utf8) : []))
    }

    @Test(arguments: [
        "{}", #"{"$seal":{"complete":true},"a":1}"#, #"{"a":1,"$seal":{"complete":true}}"#,
        #"{"$sea":{"complete":true}}"#, #"{"$seal":{"complete":true}"#, #"[{"$seal":{"complete":true}}]"#,
        #"{"$seal":{"complete":true}} x"#,
    ])
    func `is a record of one member by that name`(_ line: String) {
        #expect(seals([line]).isEmpty)
        let seals = seals([Self.seal, line])
        #expect(!seals.isComplete && seals.line.isEmpty)
        #expect(seals.doubt?.description == Self.open)
    }

    /// A record (r), a bad line (x), a blank part (_), seals: of a number, of one that says none (?), incomplete (!).
    private static func seals(_ signs: some Sequence<Character>) -> InputSeals {
        var seals = InputSeals()
        for sign in signs {
            switch sign {
            case "r": seals.addRecords(1)
            case "x":
                seals.addRecords(1)
                seals.rejectRecord()
            case "_": seals.add(InputSeals())
            default:
                let count = sign.wholeNumberValue
                let claim = SealClaim(records: sign == "!" ? 9 : count, isComplete: sign != "!", by: .cursor)
                let line = Array(claim.line.dropLast())
                _ = seals.take(line.span)
            }
        }
        return seals
    }

    private static let incomplete = "a seal doesn't say that its list is complete; run its source again"
    private static let open =
        "lines follow the last seal; one source ended without a seal, or a tool such as sort or tac moved it"

    @Test(arguments: [
        ("", nil, nil), ("rrr", nil, nil), ("0", "0", nil), ("r1", "1", nil), ("r9", "9", nil), ("9", "9", nil),
        ("rr1", nil, "2 records arrived, and the seal counts 1; one source ended without a seal"),
        ("r0", nil, "1 record arrived, and the seal counts 0; one source ended without a seal"),
        ("r1r2", "3", nil), ("r1rr2", "3", nil), ("21", "3", nil), ("r900r5", "14", nil),
        ("r1rr1", nil, "3 records arrived, and the seals count 2; one source ended without a seal"),
        // One list ended without a seal, but was filtered so far that the sum is large enough: at the end it shows.
        ("9r", nil, open), ("9r_", nil, open), ("9x", nil, open), ("9_", "9", nil),
        ("1rr", nil, "2 records arrived, and the seal counts 1; one source ended without a seal"),
        ("r!", nil, incomplete), ("r!r1", nil, incomplete), ("r1!", nil, incomplete),
        // A bad line isn't a record.
        ("rx1", "1", nil), ("xxxx1", "1", nil),
        ("rrx1", nil, "2 records arrived, and the seal counts 1; one source ended without a seal"),
        ("rrrr?", "?", nil), ("rrrr?r1", "?", nil),
    ])
    func `speak for all, or there is a doubt and none goes on`(signs: String, sum: String?, doubt: String?) {
        let seals = Self.seals(signs)
        #expect(seals.doubt?.description == doubt)
        #expect(seals.isComplete == (sum != nil))
        let line = sum.map { SealClaim(records: Int($0), by: .cursor).line }
        #expect(seals.line == line ?? [])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `are the same however the input is split into parts`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let signs = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
            Array("rrrx_129?!").randomElement(using: &random) ?? "r"
        }
        var joined = InputSeals()
        var rest = signs[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...rest.count, using: &random)
            joined.add(Self.seals(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(joined == Self.seals(signs), "\(String(signs))")
    }
}

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
