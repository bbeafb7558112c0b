// Compares two files, a block at a time.

/// Compares files of any size in constant memory.
enum FileComparison {
    private static let blockSize = 262_144

    /// Compares two open files from their beginnings, without moving their offsets.
    static func areEqual(_ left: Descriptor, _ right: Descriptor) throws(SystemError) -> Bool {
        var first = [UInt8](repeating: 0, count: blockSize)
        var second = first
        var offset = 0
        while true {
            let count = try left.read(into: &first, at: offset)
            guard try right.read(into: &second, at: offset) == count else { return false }
            guard count > 0 else { return true }
            guard first.span.extracting(..<count).equals(second.span.extracting(..<count)) else { return false }
            offset += count
        }
    }
}
