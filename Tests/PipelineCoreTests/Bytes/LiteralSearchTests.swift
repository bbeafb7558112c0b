// A literal in any case of ASCII, at each place that the blocks of a search have.

import PipelineCore
import Testing

@Suite struct LiteralSearchTests {
    private func finds(_ literal: [UInt8], in text: [UInt8], ignoringCase: Bool) -> Bool {
        Needle(literal, ignoresCase: ignoringCase).firstIndex(in: text.span) != nil
    }

    @Test
    func `each letter is found in the other case, and no other sign in what differs by the same bit`() {
        for byte in UInt8(0x20)..<0x7F {
            let other = byte ^ 0x20
            let isLetter = Character(Unicode.Scalar(byte)).isLetter
            for place in [0, 1, 30, 31, 32, 63, 64, 98] {
                var text = [UInt8](repeating: UInt8(ascii: "."), count: 100)
                text.replaceSubrange(place..<place + 2, with: [other, other])
                #expect(finds([byte, byte], in: text, ignoringCase: true) == (isLetter || byte == 0x2E))
                #expect(finds([byte, byte], in: text, ignoringCase: false) == (byte == 0x2E))
                #expect(finds([other, other], in: text, ignoringCase: false))
            }
        }
    }
}
