// The references of a binary property list when they change their size.

/// Copies the objects of a file to a new one, rewriting their references in another size: a larger one for more objects
/// than they can address, a smaller one when there turned out to be fewer than seemed possible.
struct ReferenceResizing: ~Copyable {
    private static let blockSize = 262_144

    private let oldSize: Int
    private let newSize: Int
    private var block = [UInt8](repeating: 0, count: blockSize)
    private var next = 0
    private var filled = 0
    /// Where the block after this one begins.
    private var offset = 8
    private var output = ByteBuffer()
    private let location: FileLocation?

    init(from oldSize: Int, to newSize: Int, beside location: FileLocation?) {
        self.oldSize = oldSize
        self.newSize = newSize
        self.location = location
    }

    /// Replaces the unfinished file with one whose references have the new size. Returns the new sizes of its objects.
    consuming func run(_ file: inout AtomicFile, _ sizes: borrowing SpillFile) throws(SystemError) -> SpillFile {
        var newSizes = SpillFile(beside: location)
        try file.flush()
        var result = try file.another()
        output.append("bplist00")
        try sizes.forEachNumber { (size) throws(SystemError) in
            newSizes.append(number: UInt64(try copy(Int(size), of: file, to: &result)))
            try newSizes.settle()
        }
        try result.take(&output)
        file.discard()
        file = result
        return newSizes
    }

    /// - Returns: the new size of the object.
    private mutating func copy(
        _ size: Int, of file: borrowing AtomicFile, to result: inout AtomicFile
    ) throws(SystemError) -> Int {
        let marker = try copyByte(of: file, to: &result)
        let isContainer = marker & 0xF0 == 0xA0 || marker & 0xF0 == 0xD0
        var (copied, head) = (1, isContainer ? 1 : size)
        if isContainer, marker & 0x0F == 0x0F {
            // The number of references follows as an integer object.
            head = 2 + 1 << Int(try copyByte(of: file, to: &result) & 0x0F)
            copied = 2
        }
        // A disk may return other bytes than were written.
        guard head <= size, (size - head) % oldSize == 0 else { throw .shortRead("the store in the making") }
        for _ in copied..<head { try copyByte(of: file, to: &result) }
        let references = (size - head) / oldSize
        for _ in 0..<references {
            var reference: UInt64 = 0
            for _ in 0..<oldSize { reference = reference << 8 | UInt64(try byte(of: file)) }
            output.append(bigEndian: reference, size: newSize)
            try result.take(&output, ifAtLeast: Self.blockSize)
        }
        return head + references * newSize
    }

    @discardableResult
    private mutating func copyByte(
        of file: borrowing AtomicFile, to result: inout AtomicFile
    ) throws(SystemError) -> UInt8 {
        let byte = try byte(of: file)
        output.append(byte)
        try result.take(&output, ifAtLeast: Self.blockSize)
        return byte
    }

    private mutating func byte(of file: borrowing AtomicFile) throws(SystemError) -> UInt8 {
        if next == filled {
            (next, filled) = (0, try file.read(into: &block, at: offset))
            offset += filled
            guard filled > 0 else { throw .shortRead("the store in the making") }
        }
        defer { next += 1 }
        return block[next]
    }
}
