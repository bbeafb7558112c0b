// The orientation in EXIF data, which browsers apply: a camera that was held upright writes a wide picture and says
// that it is to be turned.
//
//     II 2A 00 offset (4) … | count (2) | tag (2) type (2) count (4) value (4) | …        MM: big-endian

enum EXIF {
    private static let orientationTag = 0x0112

    /// 1 to 8; 1, as the picture lies, where none is given.
    static func orientation(_ bytes: Span<UInt8>) -> Int {
        let isLittle = bytes.begins(with: "II*\u{0}")
        guard isLittle || bytes.begins(with: "MM\u{0}*") else { return 1 }
        func number(_ size: Int, _ position: Int) -> Int? {
            isLittle ? bytes.littleEndianNumber(size, at: position) : bytes.bigEndianNumber(size, at: position)
        }
        guard let start = number(4, 4), let count = number(2, start) else { return 1 }
        for entry in 0..<count {
            let position = start + 2 + entry * 12
            guard let tag = number(2, position) else { return 1 }
            guard tag == orientationTag else { continue }
            guard number(2, position + 2) == 3, let value = number(2, position + 8), (1...8).contains(value) else {
                return 1
            }
            return value
        }
        return 1
    }
}
