// A file read at scattered offsets. A fixed number of its blocks are kept, in slots chosen by block number.

/// Reads a file at any offset, in bounded memory.
struct BlockFile: ~Copyable {
    private static let shift = 14
    private static let blockSize = 1 << shift
    /// Two blocks in each of 512 sets, 16 MiB in all: an object, its texts and its entry in the offset table often
    /// fall into the same set.
    private static let sets = 512

    private let file: Descriptor
    /// In bytes.
    let size: Int
    /// The blocks, one after another.
    private var memory = [UInt8].untouched(2 * sets << shift)
    private var numbers: [Int] = .init(repeating: -1, count: 2 * sets)
    /// The slot of each set that was used last.
    private var recent: [Int] = .init(repeating: 0, count: sets)

    init(_ file: Descriptor, size: Int) {
        self.file = file
        self.size = size
    }

    /// Makes the block of an offset available.
    /// - Returns: the slot that holds the block.
    @inline(__always)
    private mutating func slot(of offset: Int) throws(StoreReadError) -> Int {
        let number = offset >> Self.shift
        let set = number & (Self.sets - 1)
        if numbers[recent[set]] == number { return recent[set] }
        return try otherSlot(of: number, set)
    }

    @inline(never)
    private mutating func otherSlot(of number: Int, _ set: Int) throws(StoreReadError) -> Int {
        let slot = recent[set] == 2 * set ? 2 * set + 1 : 2 * set
        recent[set] = slot
        if numbers[slot] != number { try load(number, slot) }
        return slot
    }

    private mutating func load(_ number: Int, _ slot: Int) throws(StoreReadError) {
        numbers[slot] = -1
        do throws(SystemError) {
            let start = number << Self.shift
            let position = slot << Self.shift
            let count = try file.read(into: &memory, position..<position + Self.blockSize, at: start)
            guard count >= min(Self.blockSize, size - start) else { throw .shortRead(file.name) }
        } catch {
            throw .system(error)
        }
        numbers[slot] = number
    }

    /// The byte at an offset in the file.
    @inline(__always)
    mutating func byte(at offset: Int) throws(StoreReadError) -> UInt8 {
        memory[try slot(of: offset) << Self.shift | offset & (Self.blockSize - 1)]
    }

    /// A big-endian number of `size` bytes, at most eight, all of them in the file.
    @inline(__always)
    mutating func number(at offset: Int, size: Int) throws(StoreReadError) -> UInt64 {
        let index = offset & (Self.blockSize - 1)
        if index + 8 <= Self.blockSize {
            let start = try slot(of: offset) << Self.shift | index
            let word = memory.span.word(at: start)
            return word.byteSwapped >> UInt64(truncatingIfNeeded: 64 - 8 * size)
        }
        var value: UInt64 = 0
        for position in offset..<offset + size { value = value << 8 | UInt64(try byte(at: position)) }
        return value
    }

    /// Where in `memory` the bytes of a range are; nil for a range that crosses the end of a block.
    @inline(__always)
    mutating func position(of range: Range<Int>) throws(StoreReadError) -> Range<Int>? {
        let index = range.lowerBound & (Self.blockSize - 1)
        guard !range.isEmpty, index + range.count <= Self.blockSize else { return nil }
        let start = try slot(of: range.lowerBound) << Self.shift | index
        return start..<start + range.count
    }

    /// All blocks. A range from `position(of:)` is valid here until another block is read.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { memory.span }
    }

    /// Appends the bytes of a range of the file.
    mutating func append(_ range: Range<Int>, to bytes: inout [UInt8]) throws(StoreReadError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let index = offset & (Self.blockSize - 1)
            let count = min(range.upperBound - offset, Self.blockSize - index)
            let start = try slot(of: offset) << Self.shift | index
            bytes.append(memory.span.extracting(start..<start + count))
            offset += count
        }
    }
}
