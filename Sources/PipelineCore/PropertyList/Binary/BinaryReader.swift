// Reads a binary property list, hostile input included. It checks every offset, count and size before using it, and
// never reserves memory for a count it has only read. It bounds the depth, so a cycle ends, and how often shared
// objects may be read again.

struct BinaryReader: StoreDecoder, ~Copyable {
    /// An open container: where its references start, how many it has, and the next one.
    private struct Frame {
        let start: Int
        let count: Int
        let isDictionary: Bool
        var next = 0

        var isAtKey: Bool { isDictionary && next & 1 == 0 }

        /// Where the next reference is: those to the values of a dictionary follow those to its keys.
        var index: Int { isDictionary ? (isAtKey ? 0 : count >> 1) + next >> 1 : next }
    }

    private var file: BlockFile
    private let trailer: BinaryTrailer
    /// The text read last, unless the file has it verbatim.
    private var decoded: [UInt8] = []
    /// The range of the text read last in the blocks; empty if it was decoded.
    private var plain = 0..<0
    private var frames: [Frame] = []
    private var isBegun = false
    /// Numbers of texts that were read, where they were the last ones of their slots.
    private var checkedTexts = [Int](repeating: -1, count: 8192)
    /// Parts that may still be read. Valid files need fewer; shared objects could need any number.
    private var allowance: Int

    static func opened(_ descriptor: Descriptor, size: Int) throws(StoreFailure) -> BinaryReader {
        guard size >= 8 + 1 + 1 + 32 else { throw .invalid("the file ends too early", offset: size) }
        var file = BlockFile(descriptor, size: size)
        var end: [UInt8] = []
        let start = size - BinaryTrailer.byteCount
        try file.append(start..<size, to: &end)
        guard let trailer = BinaryTrailer(end[...], fileSize: size) else {
            throw .invalid("expected a trailer that fits the file", offset: start)
        }
        return BinaryReader(file, trailer)
    }

    private init(_ file: consuming BlockFile, _ trailer: BinaryTrailer) {
        self.trailer = trailer
        let (allowed, overflow) = file.size.multipliedReportingOverflow(by: 64)
        allowance = overflow ? Int.max : allowed
        self.file = file
    }

    var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            if plain.isEmpty { return decoded.span }
            return file.bytes.extracting(plain)
        }
    }

    var format: StoreFormat { .binary }
    var isReadEverywhere: Bool { trailer.isStrict(fileSize: file.size) }

    mutating func next() throws(StoreFailure) -> StoredElement? {
        guard let frame = frames.last else {
            guard !isBegun else { return nil }
            isBegun = true
            return try object(trailer.root)
        }
        if frame.next == frame.count {
            frames.removeLast()
            return frame.isDictionary ? .endDictionary : .endArray
        }
        frames[frames.count - 1].next += 1
        return try part(frame, reference(frame))
    }

    @inline(__always)
    private mutating func part(_ frame: Frame, _ number: Int) throws(StoreFailure) -> StoredElement {
        let element = try object(number)
        guard frame.isAtKey else { return element }
        guard element == .string else {
            throw .invalid("expected a string as the key of a dictionary", offset: frame.start)
        }
        return .key
    }

    /// Skips a value whose first part was just read. A text that many share is checked only now and then: otherwise the
    /// old store would take twice the time.
    mutating func skip(_ first: StoredElement) throws(StoreFailure) {
        guard first.depthChange > 0 else { return }
        let depth = frames.count
        while frames.count >= depth {
            let level = frames.count - 1
            var frame = frames[level]
            while frame.next < frame.count, frames.count == level + 1 {
                let number = try reference(frame)
                let slot = number & (checkedTexts.count - 1)
                if checkedTexts[slot] == number {
                    allowance -= 1
                } else {
                    let element = try part(frame, number)
                    if element == .string || element == .key { checkedTexts[slot] = number }
                }
                frame.next += 1
            }
            frames[level] = frame
            if frames.count == level + 1 { frames.removeLast() }
        }
    }

    private mutating func reference(_ frame: Frame) throws(StoreFailure) -> Int {
        let offset = frame.start + frame.index * trailer.referenceSize
        let number = try file.number(at: offset, size: trailer.referenceSize)
        guard number < UInt64(trailer.objectCount) else {
            throw .invalid("a reference to no object", offset: offset)
        }
        return Int(number)
    }

    // MARK: Objects

    var objectCount: Int { trailer.objectCount }

    /// - Returns: nil if no object has its place in the file.
    mutating func marker(of number: Int) throws(StoreFailure) -> UInt8? {
        let entry = trailer.tableOffset + number * trailer.offsetSize
        let position = try file.number(at: entry, size: trailer.offsetSize)
        guard position >= 8, position < UInt64(trailer.tableOffset) else { return nil }
        return try file.byte(at: Int(position))
    }

    private mutating func object(_ number: Int) throws(StoreFailure) -> StoredElement {
        let entry = trailer.tableOffset + number * trailer.offsetSize
        let position = try file.number(at: entry, size: trailer.offsetSize)
        guard position >= 8, position < UInt64(trailer.tableOffset) else {
            throw .invalid("an object outside the file's objects", offset: entry)
        }
        let offset = Int(position)
        allowance -= 1
        guard allowance > 0 else { throw .invalid("objects that share objects too often", offset: offset) }
        let marker = try file.byte(at: offset)
        switch marker >> 4 {
        case 0x0:
            guard marker == 0x08 || marker == 0x09 else { break }
            return .boolean(marker == 0x09)
        case 0x1: return try integer(offset, Int(marker & 0x0F))
        case 0x2:
            guard marker == 0x22 || marker == 0x23 else { break }
            return .real(try real(offset, marker == 0x22 ? 4 : 8))
        case 0x3:
            guard marker == 0x33 else { break }
            return .date(try real(offset, 8))
        case 0x4:
            try read(try content(offset, marker, unit: 1))
            return .data
        case 0x5: return try ascii(try content(offset, marker, unit: 1))
        case 0x6: return try utf16(try content(offset, marker, unit: 2))
        case 0xA, 0xD:
            guard frames.count < ReadLimits.depth else {
                throw .invalid("more than \(ReadLimits.depth) levels, or a cycle", offset: offset)
            }
            let isDictionary = marker >> 4 == 0xD
            let content = try content(offset, marker, unit: trailer.referenceSize * (isDictionary ? 2 : 1))
            let count = content.count / trailer.referenceSize
            frames.append(Frame(start: content.lowerBound, count: count, isDictionary: isDictionary))
            return isDictionary ? .beginDictionary : .beginArray
        default: break
        }
        throw .unfit("an object of a kind that no record has, such as a UID, at byte \(offset + 1)", path: "$")
    }

    /// The range of an object's content: past the marker and the count, before the offset table.
    private mutating func content(_ offset: Int, _ marker: UInt8, unit: Int) throws(StoreFailure) -> Range<Int> {
        var count = UInt64(marker & 0x0F)
        var start = offset + 1
        if count == 0x0F {
            try require(offset + 1, 1)
            let size = try file.byte(at: offset + 1)
            guard size >> 4 == 0x1, size & 0x0F <= 3 else { throw .invalid("expected a count", offset: offset + 1) }
            let bytes = 1 << Int(size & 0x0F)
            try require(offset + 2, bytes)
            count = try file.number(at: offset + 2, size: bytes)
            start = offset + 2 + bytes
        }
        guard start <= trailer.tableOffset, count <= UInt64((trailer.tableOffset - start) / unit) else {
            throw .invalid("a count of more than there is", offset: offset)
        }
        return start..<start + Int(count) * unit
    }

    private func require(_ offset: Int, _ count: Int) throws(StoreFailure) {
        guard offset + count <= trailer.tableOffset else {
            throw .invalid("an object that has no end", offset: offset)
        }
    }

    private mutating func integer(_ offset: Int, _ exponent: Int) throws(StoreFailure) -> StoredElement {
        guard exponent <= 4 else { throw .invalid("an integer of more than 16 bytes", offset: offset) }
        let size = 1 << exponent
        try require(offset + 1, size)
        let isWide = exponent == 4
        let high = isWide ? try file.number(at: offset + 1, size: 8) : 0
        let low = try file.number(at: offset + (isWide ? 9 : 1), size: min(size, 8))
        // Integers of fewer than eight bytes have no sign.
        let mayBeNegative = exponent == 3 || isWide && high == .max
        let isNegative = mayBeNegative && low >> 63 == 1
        guard high == 0 || isNegative else { throw .invalid("an integer of more than 64 bits", offset: offset) }
        return .integer(PropertyListInteger(isNegative: isNegative, magnitude: isNegative ? 0 &- low : low))
    }

    private mutating func real(_ offset: Int, _ size: Int) throws(StoreFailure) -> Double {
        try require(offset + 1, size)
        let bits = try file.number(at: offset + 1, size: size)
        return size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    }

    private mutating func ascii(_ content: Range<Int>) throws(StoreFailure) -> StoredElement {
        try read(content)
        guard text.isASCII else { throw .invalid("expected ASCII", offset: content.lowerBound) }
        return .string
    }

    @inline(__always)
    private mutating func read(_ content: Range<Int>) throws(StoreFailure) {
        if let position = try file.position(of: content) {
            plain = position
        } else {
            plain = 0..<0
            decoded.removeAll(keepingCapacity: true)
            try file.append(content, to: &decoded)
        }
    }

    private mutating func utf16(_ content: Range<Int>) throws(StoreFailure) -> StoredElement {
        plain = 0..<0
        decoded.removeAll(keepingCapacity: true)
        var offset = content.lowerBound
        while offset < content.upperBound {
            var scalar = UInt32(try file.number(at: offset, size: 2))
            offset += 2
            if (0xD800...0xDBFF).contains(scalar), offset < content.upperBound {
                let second = UInt32(try file.number(at: offset, size: 2))
                if (0xDC00...0xDFFF).contains(second) {
                    scalar = 0x10000 + (scalar - 0xD800) << 10 + (second - 0xDC00)
                    offset += 2
                }
            }
            guard !(0xD800...0xDFFF).contains(scalar) else {
                throw .invalid("half of a surrogate pair", offset: offset - 2)
            }
            UTF8Sequence.append(scalar, to: &decoded)
        }
        return .string
    }
}

/// The last 32 bytes, which locate everything else:
///
///     5 unused | sort version | offset size | reference size | object count | root | offset table
///                  1 byte         1 byte        1 byte         8 bytes each, big-endian
struct BinaryTrailer {
    static let byteCount = 32

    let offsetSize, referenceSize, objectCount, root, tableOffset: Int

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

/// Reads a file at scattered offsets. Some of its blocks are kept, in slots chosen by block number: of a file of up to
/// 64 MiB nearly all, of a larger one as many as that.
private struct BlockFile: ~Copyable {
    /// Texts that records share lie anywhere in the file, so a larger block reads more that nobody asks for: 16 MiB of
    /// blocks of 16 KB take twice the CPU for a million records.
    private static let shift = 12
    private static let blockSize = 1 << shift
    private static let mostBytes = 64 << 20

    private let file: Descriptor
    let size: Int
    /// Two blocks in each set: an object, its texts and its entry in the offset table often fall into the same set.
    /// The number of sets is a power of two.
    private let sets: Int
    private var memory: [UInt8]
    private var numbers: [Int]
    private var recent: [Int]

    init(_ file: Descriptor, size: Int) {
        self.file = file
        self.size = size
        let wanted = min(size, Self.mostBytes) >> (Self.shift + 1)
        sets = 1 << max(4, Int.bitWidth - max(wanted - 1, 0).leadingZeroBitCount)
        memory = .untouched(2 * sets << Self.shift)
        numbers = .init(repeating: -1, count: 2 * sets)
        recent = .init(repeating: 0, count: sets)
    }

    @inline(__always)
    private mutating func slot(of offset: Int) throws(StoreFailure) -> Int {
        let number = offset >> Self.shift
        let set = number & (sets - 1)
        if numbers[recent[set]] == number { return recent[set] }
        return try otherSlot(of: number, set)
    }

    @inline(never)
    private mutating func otherSlot(of number: Int, _ set: Int) throws(StoreFailure) -> Int {
        let slot = recent[set] == 2 * set ? 2 * set + 1 : 2 * set
        recent[set] = slot
        if numbers[slot] != number { try load(number, slot) }
        return slot
    }

    private mutating func load(_ number: Int, _ slot: Int) throws(StoreFailure) {
        numbers[slot] = -1
        let (start, position) = (number << Self.shift, slot << Self.shift)
        let count = try StoreFailure.of(
            file.read(into: &memory, position..<position + Self.blockSize, at: start))
        guard count >= min(Self.blockSize, size - start) else { throw .system(.shortRead(file.name)) }
        numbers[slot] = number
    }

    @inline(__always)
    mutating func byte(at offset: Int) throws(StoreFailure) -> UInt8 {
        memory[try slot(of: offset) << Self.shift | offset & (Self.blockSize - 1)]
    }

    /// A big-endian number of `size` bytes, at most eight, all of them in the file.
    @inline(__always)
    mutating func number(at offset: Int, size: Int) throws(StoreFailure) -> UInt64 {
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
    mutating func position(of range: Range<Int>) throws(StoreFailure) -> Range<Int>? {
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

    mutating func append(_ range: Range<Int>, to bytes: inout [UInt8]) throws(StoreFailure) {
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
