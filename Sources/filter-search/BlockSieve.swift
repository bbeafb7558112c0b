// Passing over lines, where that is of use: the more often it wasn't, the more lines it is left out for.

import PipelineCore

/// A sieve that is given a rest.
struct BlockSieve {
    private static let longestRest = 32

    private var sieve: LineSieve
    /// It is left out for that many lines.
    private var rest = 0
    /// How often it passed over no line of late.
    private var failures = 0

    init(_ sieve: LineSieve) { self.sieve = sieve }

    /// Whether the query can't be in the line.
    mutating func passes(_ line: Span<UInt8>) -> Bool { sieve.passes(line) }

    /// Passes over the lines after those that are decided.
    /// - Parameter limitBytes: a longer line has to be looked at.
    mutating func pass(_ block: Span<UInt8>, _ limitBytes: Int, _ sifted: inout Sifted) {
        guard rest == 0 else {
            rest -= 1
            return
        }
        let passed = sieve.pass(block, from: sifted.bytes, limitBytes: limitBytes)
        failures = passed.lines == 0 ? min(failures + 1, Self.longestRest) : failures / 2
        rest = failures
        sifted.lines += passed.lines
        sifted.bytes = passed.end
    }
}
