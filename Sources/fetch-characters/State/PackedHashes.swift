// 64-bit numbers as base64: eight bytes each, big-endian.

import PipelineCore

/// Packs and unpacks them.
enum PackedHashes {
    static func text(_ hashes: [UInt64]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashes.count * 8)
        for hash in hashes {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: hash >> shift))
            }
        }
        var text: [UInt8] = []
        Base64.append(bytes.span, to: &text)
        return text.span.text
    }

    /// - Returns: nil for anything but base64 of complete numbers.
    static func hashes(_ text: String) -> [UInt64]? {
        guard let bytes = Base64.decoded(Array(text.utf8).span), bytes.count.isMultiple(of: 8) else { return nil }
        var hashes: [UInt64] = []
        hashes.reserveCapacity(bytes.count / 8)
        for start in stride(from: 0, to: bytes.count, by: 8) {
            hashes.append((0..<8).reduce(0) { $0 << 8 | UInt64(bytes[start + $1]) })
        }
        return hashes
    }
}
