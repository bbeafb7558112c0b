// The end of a binary property list, which locates everything else:
//
//     5 unused | sort version | offset size | reference size | object count | root | offset table
//                  1 byte         1 byte        1 byte         8 bytes each, big-endian

/// The last 32 bytes.
struct BinaryTrailer {
    static let byteCount = 32

    let offsetSize, referenceSize, objectCount, root, tableOffset: Int

    /// The trailer of a file without objects.
    init() {
        offsetSize = 1
        referenceSize = 1
        objectCount = 0
        root = 0
        tableOffset = 0
    }

    /// Nil if the bytes don't fit the file: the offset table must be between the header and the trailer.
    init?(_ bytes: ArraySlice<UInt8>, fileSize: Int) {
        guard bytes.count == Self.byteCount else { return nil }
        func number(_ index: Int, _ size: Int) -> UInt64 {
            bytes.dropFirst(index).prefix(size).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let (count, root, table) = (number(8, 8), number(16, 8), number(24, 8))
        let start = UInt64(fileSize - Self.byteCount)
        offsetSize = Int(number(6, 1))
        referenceSize = Int(number(7, 1))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), root < count, table >= 9,
            table < start, count <= (start - table) / UInt64(offsetSize)
        else { return nil }
        objectCount = Int(count)
        self.root = Int(root)
        tableOffset = Int(table)
    }

    /// Whether Foundation accepts it too (CFBinaryPList.c): the table ends where the trailer starts, and both sizes
    /// have room for the number of objects and the offset of the table themselves.
    func isStrict(fileSize: Int) -> Bool {
        func holds(_ size: Int, _ number: Int) -> Bool { size >= 8 || number >> (8 * size) == 0 }
        return tableOffset + objectCount * offsetSize == fileSize - Self.byteCount
            && holds(referenceSize, objectCount) && holds(offsetSize, tableOffset)
    }
}
