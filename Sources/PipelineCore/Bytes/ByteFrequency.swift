// How common a byte is in the JSON of Western text, so that searches can look for the rarest first.

/// An estimate; only the order matters.
enum ByteFrequency {
    /// The higher, the more common; 0 for the rare ones.
    static func of(_ byte: UInt8) -> Int {
        let common: StaticString = "\" ,:esaitnorl/mdhcpug.0123456789[]_"
        let bytes = common.bytes
        var position = 0
        while position < bytes.count, bytes[position] != byte { position += 1 }
        return bytes.count - position
    }
}
