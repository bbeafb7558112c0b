// Sets of faults of which a request meets another one each time, so that one spec shows a client all of them.
//
//     --fault 'every=20,in-turn=mended'

/// The sets that `in-turn` knows.
enum FaultTurn: String, CaseIterable {
    /// What the next try of a good client mends.
    case mended
    /// What is odd and legal, and needs no mending.
    case odd
    /// One of these and one of those, and of those that only a reader of the body can tell.
    case all

    /// Each as a spec of its own.
    var specs: [String] {
        switch self {
        case .mended: Self.mendedSpecs
        case .odd: Self.oddSpecs
        case .all: Self.alternating(Self.mendedSpecs + Self.cutSpecs, Self.oddSpecs)
        }
    }

    /// One of each by turns, the shorter list over again.
    private static func alternating(_ longer: [String], _ shorter: [String]) -> [String] {
        longer.enumerated().flatMap { [$1, shorter[$0 % shorter.count]] }
    }

    private static let mendedSpecs = [
        "status=500", "reset", "truncate", "status=429,retry-after=1", "close", "status=503", "reset-after=7",
        "truncate-chunked", "status=408", "status=502", "status=503,retry-after=0", "status=504",
        "status=429,header=RateLimit-Remaining: 0,header=RateLimit-Reset: 1", "hang",
    ]

    /// Whole for HTTP, and no whole JSON.
    private static let cutSpecs = ["garbage", "empty"]

    private static let oddSpecs = [
        "chunked", "http10", "lf-only", "no-reason", "early-hints", "drip=0", "header=X-Old: \\xe9", "delay=20ms",
        "chunked,lf-only,no-reason",
    ]
}
