// Where the pairs of a LetterPairs may begin, sixteen bytes at a time.
//
//     text     f _ c     both letters at their distance
//     loose    f i       the second one, or anything but a letter, after the first
//     words    ma fi nt  any of three pairs of neighbours, or their first letter before an apostrophe

struct PairLetter: Sendable {
    typealias Block = SIMD16<UInt8>
    typealias Marks = SIMDMask<SIMD16<Int8>>

    let value: Block
    let caseBit: Block

    init(_ byte: UInt8, _ strength: TextStrength) {
        value = Block(repeating: byte)
        caseBit = Block(repeating: strength.caseBit(ofFolded: byte))
    }

    @inline(__always)
    func marks(_ block: Block) -> Marks { (block | caseBit) .== value }

    @inline(__always)
    func equals(_ byte: UInt8) -> Bool { byte | caseBit[0] == value[0] }
}

/// Marks where a pair of letters may begin.
protocol PairMasks {
    /// - Parameter block: the bytes at `start`; `LetterPairs.mostDistance` more follow them.
    func marks(_ block: PairLetter.Block, _ start: UnsafeRawPointer) -> PairLetter.Marks
}

/// Two letters at a distance. A sign may be marked for another one: with the bit of small letters set, `[` is `{`.
struct TextPair: PairMasks {
    private let first: PairLetter.Block
    private let second: PairLetter.Block
    private let caseBit: PairLetter.Block
    private let distance: Int

    init(first: PairLetter, second: PairLetter, distance: Int) {
        caseBit = first.caseBit | second.caseBit
        self.first = first.value | caseBit
        self.second = second.value | caseBit
        self.distance = distance
    }

    @inline(__always)
    func marks(_ block: PairLetter.Block, _ start: UnsafeRawPointer) -> PairLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: distance, as: PairLetter.Block.self)
        return ((block | caseBit) .== first) .& ((after | caseBit) .== second)
    }
}

/// Two neighbours, or the first of them before anything but a letter.
struct LoosePair: PairMasks {
    let first: PairLetter
    let second: PairLetter
    private let caseBit = PairLetter.Block(repeating: 0x20)
    private let letterStart = PairLetter.Block(repeating: UInt8(ascii: "a"))
    private let letterCount = PairLetter.Block(repeating: 26)

    init(first: PairLetter, second: PairLetter) { (self.first, self.second) = (first, second) }

    @inline(__always)
    func marks(_ block: PairLetter.Block, _ start: UnsafeRawPointer) -> PairLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: 1, as: PairLetter.Block.self)
        let isSign = ((after | caseBit) &- letterStart) .>= letterCount
        return first.marks(block) .& (second.marks(after) .| isSign)
    }
}

/// Neighbours, or the first of them before an apostrophe: any of up to three pairs.
struct WordPairs: PairMasks {
    typealias Pair = (first: PairLetter, second: PairLetter)

    private let pairs: (Pair, Pair, Pair)
    private let isOne: Bool
    private let apostrophes = PairLetter.Block(repeating: UInt8(ascii: "'"))

    init(_ pairs: [Pair]) {
        isOne = pairs.count == 1
        self.pairs = (pairs[0], pairs[isOne ? 0 : 1], pairs[pairs.count - 1])
    }

    @inline(__always)
    func marks(_ block: PairLetter.Block, _ start: UnsafeRawPointer) -> PairLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: 1, as: PairLetter.Block.self)
        let isApostrophe = after .== apostrophes
        let one = pairs.0.first.marks(block) .& (pairs.0.second.marks(after) .| isApostrophe)
        guard !isOne else { return one }
        let two = pairs.1.first.marks(block) .& (pairs.1.second.marks(after) .| isApostrophe)
        return one .| two .| (pairs.2.first.marks(block) .& (pairs.2.second.marks(after) .| isApostrophe))
    }
}
