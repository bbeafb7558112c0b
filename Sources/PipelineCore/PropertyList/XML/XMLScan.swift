// The bytes at which copying a text to or from XML stops.

/// What XML text can't hold verbatim: `&`, `<`, `>`, controls, and 0xEF, which begins U+FFFE and U+FFFF.
struct XMLScan: ByteScan {
    private let ampersands = SIMD16<UInt8>(repeating: UInt8(ascii: "&"))
    private let openers = SIMD16<UInt8>(repeating: UInt8(ascii: "<"))
    private let closers = SIMD16<UInt8>(repeating: UInt8(ascii: ">"))
    private let leads = SIMD16<UInt8>(repeating: 0xEF)
    private let spaces = SIMD16<UInt8>(repeating: 0x20)

    @inline(__always)
    func marks(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
        (block .== ampersands) .| (block .== openers) .| (block .== closers) .| (block .== leads)
            .| (block .< spaces)
    }
}

/// Where text between XML tags may end or need decoding: `<`, `&` and control characters.
struct XMLTextScan: ByteScan {
    private let ampersands = SIMD16<UInt8>(repeating: UInt8(ascii: "&"))
    private let openers = SIMD16<UInt8>(repeating: UInt8(ascii: "<"))
    private let spaces = SIMD16<UInt8>(repeating: 0x20)

    @inline(__always)
    func marks(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
        (block .== ampersands) .| (block .== openers) .| (block .< spaces)
    }
}
