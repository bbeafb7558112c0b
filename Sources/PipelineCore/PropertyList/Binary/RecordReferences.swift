// The references of a binary property list that don't fit in memory: those of the records' container, and all of them
// when they change their size.

/// Collects the references of the records' container: to the records, or to keys and records. They are the only ones of
/// unbounded number, so they are lists that spill.
struct RecordReferences: ~Copyable {
    private var keys: SpillFile
    private var elements: SpillFile
    private(set) var isKeyed = false
    /// The number of containers open around the records' container; −1 when it isn't open.
    private(set) var depth = -1
    /// Two for each record in a keyed container.
    private var references = 0

    init(beside location: FileLocation?) {
        keys = SpillFile(beside: location)
        elements = SpillFile(beside: location)
    }

    var count: Int { isKeyed ? references / 2 : references }

    mutating func begin(isKeyed: Bool, depth: Int) {
        self.isKeyed = isKeyed
        self.depth = depth
    }

    mutating func end() { depth = -1 }

    mutating func append(_ object: Int) {
        if isKeyed, references & 1 == 0 {
            keys.append(number: UInt64(object))
        } else {
            elements.append(number: UInt64(object))
        }
        references += 1
    }

    mutating func settle() throws(SystemError) {
        try keys.settle()
        try elements.settle()
    }

    struct Mark {
        fileprivate let references, keys, elements: Int
    }

    var mark: Mark { Mark(references: references, keys: keys.count, elements: elements.count) }

    mutating func rollBack(to mark: Mark) {
        references = mark.references
        keys.truncate(to: mark.keys)
        elements.truncate(to: mark.elements)
    }

    /// Reads the references in the order of the container: all keys, then all elements.
    func forEach(_ body: (UInt64) throws(SystemError) -> Void) throws(SystemError) {
        try keys.forEachNumber(body)
        try elements.forEachNumber(body)
    }
}

/// Copies the objects of a file to a new one, rewriting their references in another size: a larger one for more objects
/// than they can address, a smaller one when there turned out to be fewer than seemed possible.
struct ReferenceResizing: ~Copyable {
    private static let blockSize = 262_144
    /// The bytes of the largest header of a container.
    private static let headLimit = 10
    /// A large object is copied in pieces of this size.
    private static let pieceSize = 65_536

    private let oldSize: Int
    private let newSize: Int
    private var output = ByteBuffer()
    /// A part of the old file, its offset there, and how much of the buffer is filled.
    private var block = [UInt8](repeating: 0, count: blockSize)
    private var blockStart = 0
    private var filled = 0
    private let location: FileLocation?

    init(from oldSize: Int, to newSize: Int, beside location: FileLocation?) {
        self.oldSize = oldSize
        self.newSize = newSize
        self.location = location
    }

    /// Replaces the unfinished file with one whose references have the new size.
    /// - Returns: the new sizes of the objects.
    consuming func run(_ file: inout AtomicFile, _ sizes: borrowing SpillFile) throws(SystemError) -> SpillFile {
        var newSizes = SpillFile(beside: location)
        try file.flush()
        var result = try file.another()
        output.append("bplist00")
        var offset = 8
        try sizes.forEachNumber { (size) throws(SystemError) in
            newSizes.append(number: UInt64(try copy(Int(size), at: offset, of: file, to: &result)))
            try newSizes.settle()
            offset += Int(size)
        }
        try result.append(output.span)
        file.discard()
        file = result
        return newSizes
    }

    /// - Returns: the object's new size.
    private mutating func copy(
        _ size: Int, at offset: Int, of file: borrowing AtomicFile, to result: inout AtomicFile
    ) throws(SystemError) -> Int {
        let headLimit = min(size, Self.headLimit)
        var start = try load(headLimit, at: offset, of: file)
        let kind = block[start] & 0xF0
        let isContainer = kind == 0xA0 || kind == 0xD0
        var done = isContainer ? Self.headerSize(block[start..<start + headLimit]) : 0
        // A disk may return other bytes than were written.
        guard done <= headLimit, !isContainer || (size - done) % oldSize == 0 else {
            throw .shortRead("the store in the making")
        }
        var newSize = append(start..<start + done)
        while done < size {
            let count = min(size - done, Self.pieceSize / oldSize * oldSize)
            start = try load(count, at: offset + done, of: file)
            newSize += isContainer ? resize(start..<start + count) : append(start..<start + count)
            done += count
            if output.count >= Self.blockSize {
                try result.append(output.span)
                output.removeAll()
            }
        }
        return newSize
    }

    /// The size of a container's marker, plus that of the integer object with its count if there is one.
    private static func headerSize(_ head: ArraySlice<UInt8>) -> Int {
        guard let marker = head.first, marker & 0x0F == 0x0F else { return 1 }
        return 2 + 1 << Int((head.dropFirst().first ?? 0x0F) & 0x0F)
    }

    /// Makes bytes of the old file available. The file is read forward, a block at a time.
    /// - Returns: their index in the block.
    private mutating func load(
        _ count: Int, at offset: Int, of file: borrowing AtomicFile
    ) throws(SystemError) -> Int {
        if offset < blockStart || offset + count > blockStart + filled {
            filled = try file.read(into: &block, at: offset)
            blockStart = offset
            guard filled >= count else { throw .shortRead("the store in the making") }
        }
        return offset - blockStart
    }

    private mutating func append(_ range: Range<Int>) -> Int {
        let block = block
        output.append(block.span.extracting(range))
        return range.count
    }

    private mutating func resize(_ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            var reference: UInt64 = 0
            for _ in 0..<oldSize {
                reference = reference << 8 | UInt64(block[index])
                index += 1
            }
            output.append(bigEndian: reference, size: newSize)
        }
        return range.count / oldSize * newSize
    }
}
