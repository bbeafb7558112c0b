// The bytes that stop the copying of a text into a JSON string.

/// The bytes that a JSON string can't hold unescaped: quotes, backslashes and control characters.
struct JSONScan: ByteScan {
    private let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
    private let backslashes = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
    private let spaces = SIMD16<UInt8>(repeating: 0x20)

    @inline(__always)
    func marks(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
        (block .== quotes) .| (block .== backslashes) .| (block .< spaces)
    }
}
