// Checksums of what is served: FNV-1a for entity tags, CRC-32 for gzip.

/// Sums over bytes.
enum Checksum {
    /// FNV-1a, 64 bits: stable between runs, so that an entity tag outlives the server.
    static func fnv(_ bytes: [UInt8], from seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        var sum = seed
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return sum
    }

    /// CRC-32 as gzip has it (RFC 1952, 8).
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xffff_ffff
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
        }
        return ~sum
    }
}
