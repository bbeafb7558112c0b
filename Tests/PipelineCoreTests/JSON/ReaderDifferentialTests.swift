// The reader's judgement on texts that are nearly JSON, compared with a plain reader's.

import PipelineCore
import TestSupport
import Testing

@Suite("The reader judges texts as")
struct ReaderDifferentialTests {
    /// Texts that are JSON, and such texts with a few bytes changed.
    static func texts(_ seed: UInt64, count: Int) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        let bytes =
            Array("{}[]\":,\\u0aE-+.1 \n\t/tfn'".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        return (0..<count).map { number in
            let text = Array(JSONTree.random(depth: 4, &random).text(&random).utf8)
            return number % 4 == 0 ? text : PathPropertyTests.mutated(text, &random, bytes)
        }
    }

    @Test(arguments: 2..<12 as Range<UInt64>)
    func `a plain reading does`(_ seed: UInt64) {
        var valid = 0
        for text in Self.texts(seed, count: 2_000) {
            let isValid = JSONProbe.fault(in: text) == nil
            valid += isValid ? 1 : 0
            #expect(isValid == ((try? PlainJSON.read(text)) != nil), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(valid > 400 && valid < 1_600)
    }
}
