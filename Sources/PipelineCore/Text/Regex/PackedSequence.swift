// A sequence of numbers packed in a literal of printable characters: five bits per character, counted from '?', the
// lowest first. The sixth bit is set if more follow. Line ends between characters are ignored.
//
//     "lD?" is 13 + 5 * 32 = 173, then 0

enum PackedSequence {
    static func unpack(_ packed: StaticString) -> [UInt32] {
        let bytes = packed.bytes
        var numbers: [UInt32] = []
        numbers.reserveCapacity(bytes.count / 2)
        var number: UInt32 = 0
        var shift: UInt32 = 0
        for index in bytes.indices where bytes[index] >= 0x3F {
            let bits = UInt32(bytes[index] - 0x3F)
            number |= (bits & 31) << shift
            shift += 5
            if bits < 32 {
                numbers.append(number)
                number = 0
                shift = 0
            }
        }
        return numbers
    }
}
