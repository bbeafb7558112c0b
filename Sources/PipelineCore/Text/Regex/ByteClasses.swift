// Bytes that no state of an automaton distinguishes form one class, which keeps its table rows short.
//
//     mick: c, i, k, m, and all others: five classes

struct ByteClasses: Sendable {
    /// The class of each byte.
    private(set) var map = [UInt8](repeating: 0, count: 256)
    /// A byte of each class.
    private(set) var representatives: [UInt8] = []

    var count: Int { representatives.count }

    init(states: [RegexState], transitions: [ByteTransition]) {
        var begins = [Bool](repeating: false, count: 257)
        let separate = { (lower: UInt8, upper: UInt8) in
            begins[Int(lower)] = true
            begins[Int(upper) + 1] = true
        }
        for transition in transitions { separate(transition.lower, transition.upper) }
        for state in states {
            switch state {
            case .byte(let lower, let upper, _): separate(lower, upper)
            case .assertion(.lineStart, _), .assertion(.lineEnd, _): separate(0x0A, 0x0A)
            case .assertion(.wordBoundary, _), .assertion(.notWordBoundary, _):
                for range in Self.asciiWord { separate(range.lowerBound, range.upperBound) }
                separate(0x80, 0xFF)
            default: break
            }
        }
        for byte in 0..<256 {
            if byte == 0 || begins[byte] { representatives.append(UInt8(byte)) }
            map[byte] = UInt8(representatives.count - 1)
        }
    }

    private static let asciiWord: [ClosedRange<UInt8>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]

    /// Whether the byte is an ASCII letter, a digit or an underscore.
    static func isASCIIWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }
}
