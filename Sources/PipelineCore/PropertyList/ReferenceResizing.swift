// References of another size in all containers of a binary property list: smaller ones when the list has turned out
// small, larger ones when there are more objects than a reference of three bytes can tell apart.

/// Copies the objects of a file to a new one and writes their references in another size.
struct ReferenceResizing: ~Copyable {
    private static let blockSize = 49_152

    private let oldSize: Int
    private let newSize: Int
    private var newSizes: SpillFile
    private var output: [UInt8] = []
    private var block = [UInt8](repeating: 0, count: blockSize)
    private let place: FilePlace?

    init(from oldSize: Int, to newSize: Int, beside place: FilePlace?) {
        self.oldSize = oldSize
        self.newSize = newSize
        self.place = place
        newSizes = SpillFile(beside: place)
    }

    /// The sizes of the objects as they are now.
    mutating func takeSizes() -> SpillFile {
        var taken = SpillFile(beside: place)
        swap(&taken, &newSizes)
        return taken
    }

    /// Replaces the file in the making by one in which the references have the new size.
    mutating func run(_ file: inout AtomicFile, _ sizes: borrowing SpillFile) throws(SystemError) {
        try file.flush()
        var result = try file.another()
        output.append(contentsOf: "bplist00".utf8)
        var offset = 8
        var reader = NumberReader()
        while let size = try reader.next(in: sizes) {
            newSizes.append(number: UInt64(try copy(Int(size), at: offset, of: file, to: &result)))
            try newSizes.settle()
            offset += Int(size)
        }
        try result.append(output.span)
        file.discard()
        file = result
    }

    /// - Returns: the object's new size.
    private mutating func copy(
        _ size: Int, at offset: Int, of file: borrowing AtomicFile, to result: inout AtomicFile
    ) throws(SystemError) -> Int {
        try read(min(size, 9), at: offset, of: file)
        let kind = block[0] & 0xF0
        let isContainer = kind == 0xA0 || kind == 0xD0
        var done = isContainer ? Self.headerSize(block.span) : 0
        var newSize = done
        output.append(contentsOf: block[..<done])
        while done < size {
            let count = min(size - done, Self.blockSize / oldSize * oldSize)
            try read(count, at: offset + done, of: file)
            newSize += isContainer ? resize(count) : append(count)
            done += count
            if output.count >= 262_144 {
                try result.append(output.span)
                output.removeAll(keepingCapacity: true)
            }
        }
        return newSize
    }

    /// A container's marker, and the integer object with its count where there is one.
    private static func headerSize(_ bytes: Span<UInt8>) -> Int {
        bytes[0] & 0x0F == 0x0F ? 2 + 1 << Int(bytes[1] & 0x0F) : 1
    }

    private mutating func read(_ count: Int, at offset: Int, of file: borrowing AtomicFile) throws(SystemError) {
        if block.count != count { block = [UInt8](repeating: 0, count: count) }
        guard try file.read(into: &block, at: offset) == count else {
            throw .shortRead("the store in the making")
        }
    }

    private mutating func append(_ count: Int) -> Int {
        output.append(contentsOf: block[..<count])
        return count
    }

    private mutating func resize(_ count: Int) -> Int {
        var index = 0
        while index < count {
            var reference: UInt64 = 0
            for _ in 0..<oldSize {
                reference = reference << 8 | UInt64(block[index])
                index += 1
            }
            output.append(bigEndian: reference, size: newSize)
        }
        return count / oldSize * newSize
    }
}
