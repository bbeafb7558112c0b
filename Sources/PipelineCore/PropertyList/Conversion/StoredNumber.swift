// Numbers in XML as other writers of property lists spell them: with white space, signs or hexadecimal digits.

/// Reads the texts of numbers.
enum StoredNumber {
    /// A decimal or, after `0x`, hexadecimal integer from −2^63 to 2^64−1.
    static func integer(_ text: [UInt8]) -> PropertyListInteger? {
        var digits = trimmed(text)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        var base: UInt64 = 10
        if digits.starts(with: Array("0x".utf8)) || digits.starts(with: Array("0X".utf8)) {
            base = 16
            digits = digits.dropFirst(2)
        }
        guard !digits.isEmpty else { return nil }
        var magnitude: UInt64 = 0
        for byte in digits {
            guard let digit = JSONStringScanner.hexValue(byte), UInt64(digit) < base else { return nil }
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: base)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else { return nil }
            magnitude = sum
        }
        guard !isNegative || magnitude <= 1 << 63 else { return nil }
        return PropertyListInteger(isNegative: isNegative, magnitude: magnitude)
    }

    /// A decimal real, `nan`, `inf` or `infinity`. One that is too large isn't infinity: it is nil.
    static func real(_ text: [UInt8]) -> Double? {
        let trimmed = String(decoding: trimmed(text), as: UTF8.self)
        guard !trimmed.lowercased().hasPrefix("0x") else { return nil }
        guard let value = Double(trimmed), !value.isInfinite || !trimmed.contains(where: \.isNumber) else {
            return nil
        }
        return value
    }

    private static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        var slice = text[...]
        while let last = slice.last, isSpace(last) { slice.removeLast() }
        return slice.drop(while: isSpace)
    }
}
