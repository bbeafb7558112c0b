// SHA-256 (FIPS 180-4) of a content that comes in pieces, as sha256sum prints it. store-plist, which is linked statically, has
// it without a library; the fetch tools name content by libcrypto's.

package struct ContentHash {
    private static let blockBytes = 64

    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The message schedule of a block; its words are kept between blocks to allocate nothing.
    private var schedule = [UInt32](repeating: 0, count: 64)
    /// The bytes of a block that isn't full yet.
    private var rest: [UInt8] = []
    private var bytes: UInt64 = 0

    package init() {}

    package mutating func add(_ piece: Span<UInt8>) {
        bytes += UInt64(piece.count)
        var index = 0
        if !rest.isEmpty {
            index = min(Self.blockBytes - rest.count, piece.count)
            rest.append(piece.extracting(..<index))
            guard rest.count == Self.blockBytes else { return }
            let block = rest
            take(block.span, at: 0)
            rest.removeAll(keepingCapacity: true)
        }
        while piece.count - index >= Self.blockBytes {
            take(piece, at: index)
            index += Self.blockBytes
        }
        rest.append(piece.extracting(index...))
    }

    /// The hash of all pieces as 64 lower-case hexadecimal digits.
    package func hexadecimal() -> String {
        var last = self
        let bits = bytes * 8
        var padding: [UInt8] = [0x80]
        while (rest.count + padding.count) % Self.blockBytes != 56 { padding.append(0) }
        padding += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        last.add(padding.span)
        return last.state.map { String($0, radix: 16).padded(to: 8) }.joined()
    }

    /// Section 6.2.2.
    private mutating func take(_ piece: Span<UInt8>, at start: Int) {
        for index in 0..<16 {
            let place = start + index * 4
            schedule[index] =
                UInt32(piece[place]) << 24 | UInt32(piece[place + 1]) << 16 | UInt32(piece[place + 2]) << 8
                | UInt32(piece[place + 3])
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let first = Self.turned(early, 7) ^ Self.turned(early, 18) ^ early >> 3
            let second = Self.turned(late, 17) ^ Self.turned(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let upper = Self.turned(e, 6) ^ Self.turned(e, 11) ^ Self.turned(e, 25)
            let lower = Self.turned(a, 2) ^ Self.turned(a, 13) ^ Self.turned(a, 22)
            let first = h &+ upper &+ choice &+ Self.constants[index] &+ schedule[index]
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ lower &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    @inline(__always)
    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// Section 4.2.2: the first bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
