// The masks of a LineLure: sixteen bytes at a time, all ones where a pair of letters may begin.

/// A letter. If case is ignored, the bit that makes ASCII letters lower case is set before the comparison.
struct LureLetter: Sendable {
    typealias Block = SIMD16<UInt8>
    typealias Marks = SIMDMask<SIMD16<Int8>>

    let value: Block
    let caseBit: Block

    init(_ byte: UInt8, _ strength: TextStrength) {
        let hasCase = strength != .exact && byte &- 0x61 < 26
        value = Block(repeating: byte)
        caseBit = Block(repeating: hasCase ? 0x20 : 0)
    }

    @inline(__always)
    func marks(_ block: Block) -> Marks { (block | caseBit) .== value }

    @inline(__always)
    func equals(_ byte: UInt8) -> Bool { byte | caseBit[0] == value[0] }
}

/// Two letters at a distance. A sign may be marked for another one: with the bit of small letters set, `[` is `{`.
struct TextPair {
    private let first: LureLetter.Block
    private let second: LureLetter.Block
    private let caseBit: LureLetter.Block
    private let distance: Int

    init(first: LureLetter, second: LureLetter, distance: Int) {
        caseBit = first.caseBit | second.caseBit
        self.first = first.value | caseBit
        self.second = second.value | caseBit
        self.distance = distance
    }

    /// - Parameters:
    ///   - block: the bytes at `start`; `LineLure.mostDistance` more follow them.
    @inline(__always)
    func marks(_ block: LureLetter.Block, _ start: UnsafeRawPointer) -> LureLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: distance, as: LureLetter.Block.self)
        return ((block | caseBit) .== first) .& ((after | caseBit) .== second)
    }
}

/// Two neighbours, or the first of them before anything but a letter.
struct LoosePair {
    let first: LureLetter
    let second: LureLetter
    private let caseBit = LureLetter.Block(repeating: 0x20)
    private let letterStart = LureLetter.Block(repeating: UInt8(ascii: "a"))
    private let letterCount = LureLetter.Block(repeating: 26)

    init(first: LureLetter, second: LureLetter) {
        self.first = first
        self.second = second
    }

    /// - Parameters:
    ///   - block: the bytes at `start`; one more follows them.
    @inline(__always)
    func marks(_ block: LureLetter.Block, _ start: UnsafeRawPointer) -> LureLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: 1, as: LureLetter.Block.self)
        let isSign = ((after | caseBit) &- letterStart) .>= letterCount
        return first.marks(block) .& (second.marks(after) .| isSign)
    }
}

/// Neighbours, or the first of them before an apostrophe: any of up to three pairs.
struct WordPairs {
    let first: (LureLetter, LureLetter, LureLetter)
    let second: (LureLetter, LureLetter, LureLetter)
    let isOne: Bool
    private let apostrophes = LureLetter.Block(repeating: UInt8(ascii: "'"))

    init(
        first: (LureLetter, LureLetter, LureLetter), second: (LureLetter, LureLetter, LureLetter), isOne: Bool
    ) {
        self.first = first
        self.second = second
        self.isOne = isOne
    }

    /// - Parameters:
    ///   - block: the bytes at `start`; one more follows them.
    @inline(__always)
    func marks(_ block: LureLetter.Block, _ start: UnsafeRawPointer) -> LureLetter.Marks {
        let after = unsafe start.loadUnaligned(fromByteOffset: 1, as: LureLetter.Block.self)
        let isApostrophe = after .== apostrophes
        let one = first.0.marks(block) .& (second.0.marks(after) .| isApostrophe)
        guard !isOne else { return one }
        let two = first.1.marks(block) .& (second.1.marks(after) .| isApostrophe)
        return one .| two .| (first.2.marks(block) .& (second.2.marks(after) .| isApostrophe))
    }
}
