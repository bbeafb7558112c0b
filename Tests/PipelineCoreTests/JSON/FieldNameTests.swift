// Whether a name may be spelt with escapes: what is missed here is a record that isn't found.

import PipelineCore
import Testing

@Suite struct FieldNameTests {
    private func mayBeHidden(_ name: String, in line: String) -> Bool {
        FieldName(Array(name.utf8))?.mayBeHidden(in: Array(line.utf8).span) ?? true
    }

    @Test
    func `an escape for any of a name's letters is noticed, wherever it stands in the line`() {
        for byte in UInt8(0x20)..<0x7F where byte != 0x22 && byte != 0x5C {
            let name = String(repeating: Character(Unicode.Scalar(byte)), count: 2)
            let digits = String(byte, radix: 16)
            for count in 0..<40 {
                for digits in [digits, digits.uppercased()] {
                    let line = "{\"\\u00\(digits)\(name.prefix(1))\":\"\(String(repeating: "x", count: count))\"}"
                    #expect(mayBeHidden(name, in: line), "\(line)")
                }
            }
        }
    }

    @Test(arguments: ["a/b", "/", "//"])
    func `an escaped slash is noticed where the name has one`(name: String) {
        let escaped = name.replacing("/", with: "\\/")
        for count in 0..<40 {
            let line = "{\"x\":\"\(String(repeating: "x", count: count))\",\"\(escaped)\":1}"
            #expect(mayBeHidden(name, in: line), "\(line)")
            #expect(!mayBeHidden("ab", in: line), "\(line)")
        }
    }

    @Test
    func `escapes of other letters hide nothing`() {
        for count in 0..<40 {
            let end = String(repeating: "x", count: count) + "\"}"
            #expect(!mayBeHidden("type", in: #"{"type":"\u00e9\u30df\n\t"# + end))
            #expect(!mayBeHidden("type", in: #"{"type":"\u0061\u0062"# + end))
            // A backslash that is itself escaped begins no escape.
            #expect(!mayBeHidden("type", in: #"{"x":"\\u0074"# + end))
            #expect(mayBeHidden("type", in: #"{"x":"\\\u0074"# + end))
        }
    }
}
