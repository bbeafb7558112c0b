// A hash of short byte strings, with a new seed in each process so that nobody can choose texts that collide. A
// process that continues where another left off takes over its seed.

/// Hashes bytes to 64 bits by folding full-width products, eight bytes at a time.
package struct ByteHash: Sendable {
    package let seed: UInt64

    package init(seed: UInt64 = .random(in: 0 ... .max)) { self.seed = seed }

    package func hash(_ text: Span<UInt8>) -> UInt64 {
        var state = seed
        var index = 0
        while index &+ 8 <= text.count {
            let word = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            state = Self.folded(state ^ word, 0xA076_1D64_78BD_642F)
            index &+= 8
        }
        // The length comes after the part that depends on the seed: earlier, a first word could cancel it out.
        let folded = Self.folded(state ^ text.wordAtEnd(from: index), 0xE703_7ED1_A0B4_28DB)
        return last(folded ^ UInt64(truncatingIfNeeded: text.count))
    }

    func hash(_ number: UInt64) -> UInt64 {
        last(Self.folded(seed ^ number, 0xE703_7ED1_A0B4_28DB))
    }

    /// The seed isn't a factor: some seeds would fold all products to one number.
    @inline(__always)
    private func last(_ state: UInt64) -> UInt64 { Self.folded(state ^ seed, 0x5895_54D3_3C6D_8D2B) }

    package func digest(_ text: Span<UInt8>) -> UInt64 {
        Self.folded(hash(text) ^ 0xA076_1D64_78BD_642F, 0x8EBC_6AF0_9C88_C6E3)
    }

    @inline(__always)
    private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension Span where Element == UInt8 {
    /// The last bytes, fewer than eight, which begin at `index`; 0 if there are none.
    @inline(__always)
    func wordAtEnd(from index: Int) -> UInt64 {
        guard index < count else { return 0 }
        guard count < 8 else {
            // SAFETY: these are the span's last eight bytes; those before the index are shifted out.
            let last = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
            return last &>> UInt64(truncatingIfNeeded: 8 &* (8 &- (count &- index)))
        }
        return unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe ShortBytes.word(base, buffer.count).littleEndian
        }
    }
}

/// A hash that identifies a text: two texts with the same hash are taken to be the same. So its odds are proved, not
/// measured (Carter and Wegman 1979).
///
///     "Mick Jagger"  ->  12, "Mick Ja", "gger"  ->  12 x^2 + "Mick Ja" x + "gger"   modulo p = 2^61 - 1
///
/// The length and the bytes, seven at a time, are the coefficients of a polynomial, and the hash is its value at two
/// secret points, drawn in each process from about 2^59. Two polynomials of degree n agree at no more than n points, so
/// two texts of 7n bytes, or sequences of texts, have the same hash with a chance of n^2 in 2^118, whoever chose them.
package struct WideHash: Hashable, Sendable {
    package var first: UInt64
    package var second: UInt64

    package init(first: UInt64 = 0, second: UInt64 = 0) {
        self.first = first
        self.second = second
    }

    /// A number all of whose bits vary as much as the hashes do. The hashes of short texts differ in few bits.
    @inline(__always)
    var spread: UInt64 { Self.spread(first) }

    @inline(__always)
    fileprivate static func spread(_ number: UInt64) -> UInt64 {
        let product = number.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

package struct PolynomialHash: Sendable {
    private struct Point: Sendable {
        private static var prime: UInt64 { 1 << 61 - 1 }
        private static var limit: UInt64 { 1 << 60 }

        let x: UInt64
        let square: UInt64

        /// - Parameter x: less than 2^60, as is its square, so that no step has to reduce its result twice.
        init(_ x: UInt64) {
            self.x = x
            square = UInt64(UInt128(x) * UInt128(x) % UInt128(Self.prime))
            precondition(x < Self.limit && square < Self.limit)
        }

        static func drawn() -> UInt64 {
            while true {
                let x = UInt64.random(in: 0..<Self.limit)
                if UInt128(x) * UInt128(x) % UInt128(Self.prime) < Self.limit { return x }
            }
        }

        /// The value with two more coefficients. The first must be less than 2^60, the second less than 2^57.
        @inline(__always)
        func step(_ value: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
            let number = UInt128(value) &* UInt128(square) &+ UInt128(first) &* UInt128(x) &+ UInt128(second)
            // The same number modulo p, since 2^61 is 1 there. It is less than 2^63, as the value was.
            return UInt64(truncatingIfNeeded: number) & Self.prime &+ UInt64(truncatingIfNeeded: number &>> 61)
        }
    }

    private let first: Point
    private let second: Point

    /// Draws secret points.
    package init() { self.init(points: (Point.drawn(), Point.drawn())) }

    /// - Parameter points: two numbers less than 2^60 whose squares modulo p are less than that too.
    init(points: (UInt64, UInt64)) {
        first = Point(points.0)
        second = Point(points.1)
    }

    @inline(__always)
    package func hash(_ text: Span<UInt8>) -> WideHash {
        var hash = WideHash()
        extend(&hash, by: text)
        return hash
    }

    /// Turns the hash of some texts into that of these and one more. The hash of none is `WideHash()`.
    @inline(__always)
    package func extend(_ hash: inout WideHash, by text: Span<UInt8>) {
        Self.forEachPair(of: text) { step(&hash, $0, $1) }
    }

    /// The hash, and a second number that is the same in every process but doesn't reliably distinguish texts: one
    /// product per two coefficients is enough for it.
    @inline(__always)
    func hashAndChoice(_ text: Span<UInt8>) -> (hash: WideHash, choice: UInt64) {
        var hash = WideHash()
        var choice: UInt64 = 0
        Self.forEachPair(of: text) {
            step(&hash, $0, $1)
            let product = (choice ^ $0 ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: $1 ^ 0xE703_7ED1_A0B4_28DB)
            choice = product.high ^ product.low
        }
        return (hash, WideHash.spread(choice))
    }

    @inline(__always)
    private static func forEachPair(of text: Span<UInt8>, _ body: (UInt64, UInt64) -> Void) {
        // A length of 0 must count as well.
        body(UInt64(truncatingIfNeeded: text.count) &+ 1, text.sevenBytes(at: 0))
        var index = 7
        while index &+ 7 < text.count {
            body(text.sevenBytes(at: index), text.sevenBytes(at: index &+ 7))
            index &+= 14
        }
        if index < text.count { body(text.sevenBytes(at: index), 0) }
    }

    @inline(__always)
    private func step(_ hash: inout WideHash, _ coefficient: UInt64, _ next: UInt64) {
        hash.first = first.step(hash.first, coefficient, next)
        hash.second = second.step(hash.second, coefficient, next)
    }
}

extension Span where Element == UInt8 {
    /// The bytes from `index` on, at most seven, the first one lowest.
    @inline(__always)
    fileprivate func sevenBytes(at index: Int) -> UInt64 {
        guard index &+ 8 <= count else { return wordAtEnd(from: index) }
        return word(at: index) & 0x00FF_FFFF_FFFF_FFFF
    }
}
