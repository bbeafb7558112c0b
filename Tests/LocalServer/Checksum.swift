// Checksums of what is served, for entity tags.

/// Sums over bytes.
enum Checksum {
    /// FNV-1a, 64 bits: stable between runs, so that an entity tag outlives the server.
    static func fnv(_ bytes: [UInt8]) -> UInt64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return sum
    }
}
