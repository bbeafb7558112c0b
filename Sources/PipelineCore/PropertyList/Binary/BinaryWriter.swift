// Writes a binary property list, `bplist00`, in bounded memory. Objects are written leaves first, so a container's
// references are known when it ends, and the root is last.
//
//     {"a":"x","b":"x"}  ->  "a"  "x"  "b"  {0→1, 2→1}
//     bplist00 | objects | offsets | trailer
//
// The finished file needs each object's offset and, for a record, its number. They take one or two bytes each, in
// lists that spill to temporary files. A text or number is written once while it is remembered.

/// Writes values as binary objects into a buffer that its owner empties between values.
struct BinaryWriter: StoreEncoder, ~Copyable {
    private struct Frame {
        let start: Int
        let isDictionary: Bool
    }

    private var bytes = ByteBuffer()
    /// Objects so far, which are numbered in this order.
    private(set) var objectCount = 0
    /// In bytes. It grows with the number of objects.
    private var referenceSize = 1
    /// The sizes of all objects in bytes; those of the unfinished record can be rolled back.
    private var sizes: SpillFile
    private let location: FileLocation?
    private var references: [Int] = []
    private var frames: [Frame] = []
    /// The references of the records' container, the only ones of unbounded number: to the records, or to keys and
    /// records in turn.
    private var recordReferences: SpillFile
    private var recordReferenceCount = 0
    private var recordsAreKeyed = false
    /// The number of containers open around that of the records; −1 when it isn't open.
    private var recordsDepth = -1

    private let hash: PolynomialHash
    /// Chooses which numbers are remembered, the same in every run.
    private let placing = ByteHash(seed: 0x8EBC_6AF0_9C88_C6E3)
    private var texts: InternTable
    private var keys: InternTable
    private var lastKey = 0
    /// Values remembered since the last checkpoint.
    private var news: [InternKey] = []

    var choices: Substitutions { Substitutions() }
    var refusesControlsInKeys = false

    init(beside location: FileLocation?, hash: PolynomialHash = PolynomialHash()) {
        self.location = location
        self.hash = hash
        texts = InternTable(setLimit: 1 << 16)
        keys = InternTable(setLimit: 1 << 13)
        sizes = SpillFile(beside: location)
        recordReferences = SpillFile(beside: location)
        bytes.append("bplist00")
    }

    struct Mark {
        fileprivate let bytes, objects, sizes, references, frames, recordReferences, recordReferenceCount: Int
    }

    mutating func checkpoint() -> Mark {
        news.removeAll(keepingCapacity: true)
        return Mark(
            bytes: bytes.count, objects: objectCount, sizes: sizes.count, references: references.count,
            frames: frames.count, recordReferences: recordReferences.count,
            recordReferenceCount: recordReferenceCount)
    }

    mutating func rollBack(to mark: Mark) {
        bytes.truncate(to: mark.bytes)
        objectCount = mark.objects
        sizes.truncate(to: mark.sizes)
        references.removeLast(references.count - mark.references)
        frames.removeLast(frames.count - mark.frames)
        recordReferences.truncate(to: mark.recordReferences)
        recordReferenceCount = mark.recordReferenceCount
        for key in news {
            texts.remove(key)
            keys.remove(key)
        }
        news.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func put(_ part: StoredElement, _ text: Span<UInt8>) throws(BadRecord) {
        switch part {
        case .beginDictionary: frames.append(Frame(start: references.count, isDictionary: true))
        case .beginArray: frames.append(Frame(start: references.count, isDictionary: false))
        case .endDictionary, .endArray: endContainer()
        case .key: key(text)
        case .string: string(text)
        case .integer(let value):
            refer(to: value.magnitude, marker: value.isNegative ? 0x13 : 0x10) { $0.append(binaryInteger: value) }
        case .real(let value): refer(to: value.bitPattern, marker: 0x23)
        case .boolean(let value): refer(to: value ? 1 : 0, marker: 0x08) { $0.append(value ? 0x09 : 0x08) }
        case .date(let seconds): refer(to: seconds.bitPattern, marker: 0x33)
        case .data:
            let start = bytes.count
            bytes.append(marker: 0x40, count: text.count)
            bytes.append(text)
            refer(to: newObject(from: start))
        case .line, .number, .null: preconditionFailure("JSON that nothing has converted")
        }
    }

    private mutating func endContainer() {
        guard let frame = frames.popLast() else { return }
        let start = bytes.count
        let count = references.count - frame.start
        if frame.isDictionary {
            bytes.append(marker: 0xD0, count: count / 2)
            bytes.append(references: references, from: frame.start, step: 2, size: referenceSize)
            bytes.append(references: references, from: frame.start + 1, step: 2, size: referenceSize)
        } else {
            bytes.append(marker: 0xA0, count: count)
            bytes.append(references: references, from: frame.start, step: 1, size: referenceSize)
        }
        references.removeLast(count)
        refer(to: newObject(from: start))
    }

    /// Begins the container of the records, whose references aren't kept in memory.
    mutating func beginRecords(isKeyed: Bool) { (recordsAreKeyed, recordsDepth) = (isKeyed, frames.count) }

    mutating func endRecords(into file: inout AtomicFile) throws(SystemError) {
        let start = bytes.count
        let turns = recordsAreKeyed ? 2 : 1
        bytes.append(marker: recordsAreKeyed ? 0xD0 : 0xA0, count: recordReferenceCount / turns)
        let size = bytes.count - start + referenceSize * recordReferenceCount
        for turn in 0..<turns {
            try Self.writeReferences(recordReferences, each: turns, from: turn, referenceSize, &bytes, &file)
        }
        recordsDepth = -1
        sizes.append(number: UInt64(size))
        objectCount += 1
        refer(to: objectCount - 1)
    }

    private static func writeReferences(
        _ references: borrowing SpillFile, each step: Int, from start: Int, _ size: Int, _ bytes: inout ByteBuffer,
        _ file: inout AtomicFile
    ) throws(SystemError) {
        var index = 0
        try references.forEachNumber { (reference) throws(SystemError) in
            if index % step == start { try write(reference, size, &bytes, &file) }
            index += 1
        }
    }

    private static func writeOffsets(
        of sizes: borrowing SpillFile, _ size: Int, _ bytes: inout ByteBuffer, _ file: inout AtomicFile
    ) throws(SystemError) {
        var offset: UInt64 = 8
        try sizes.forEachNumber { (objectSize) throws(SystemError) in
            try write(offset, size, &bytes, &file)
            offset += objectSize
        }
    }

    private static func write(
        _ number: UInt64, _ size: Int, _ bytes: inout ByteBuffer, _ file: inout AtomicFile
    ) throws(SystemError) {
        bytes.append(bigEndian: number, size: size)
        try file.take(&bytes, ifAtLeast: blockSize)
    }

    @inline(__always)
    private mutating func refer(to object: Int) {
        guard recordsDepth == frames.count else { return references.append(object) }
        recordReferences.append(number: UInt64(object))
        recordReferenceCount &+= 1
    }

    @inline(__always)
    private func internKey(_ text: Span<UInt8>) -> InternKey {
        let (hash, choice) = hash.hashAndChoice(text)
        return InternKey(value: hash, slot: choice)
    }

    private mutating func key(_ text: Span<UInt8>) {
        let key = internKey(text)
        if let object = keys.find(key) {
            lastKey = object
        } else {
            lastKey = texts.find(key) ?? newText(text, key)
            keys.insert(key, lastKey)
            news.append(key)
        }
        refer(to: lastKey)
    }

    mutating func rememberKey() -> Int? { lastKey }

    @inline(__always)
    mutating func key(remembered number: Int) { refer(to: number) }

    mutating func forgetKeys() {}

    private mutating func string(_ text: Span<UInt8>) {
        let key = internKey(text)
        refer(to: texts.find(key) ?? newText(text, key))
    }

    private mutating func newText(_ text: Span<UInt8>, _ key: InternKey) -> Int {
        let start = bytes.count
        bytes.append(binaryText: text)
        return newObject(from: start, key)
    }

    private mutating func refer(to bits: UInt64, marker: UInt8) {
        refer(to: bits, marker: marker) {
            $0.append(marker)
            $0.append(bigEndian: bits, size: 8)
        }
    }

    /// - Parameter marker: tells a number from others of the same bits.
    private mutating func refer(to number: UInt64, marker: UInt8, orNew write: (inout ByteBuffer) -> Void) {
        let key = InternKey(value: WideHash(first: number, second: UInt64(marker)), slot: placing.hash(number))
        if let object = texts.find(key) { return refer(to: object) }
        let start = bytes.count
        write(&bytes)
        refer(to: newObject(from: start, key))
    }

    @inline(__always)
    private mutating func newObject(from start: Int) -> Int {
        sizes.append(number: UInt64(bytes.count &- start))
        objectCount &+= 1
        return objectCount &- 1
    }

    @inline(__always)
    private mutating func newObject(from start: Int, _ key: InternKey) -> Int {
        let object = newObject(from: start)
        texts.insert(key, object)
        news.append(key)
        return object
    }

    mutating func prepare(for more: Int, _ file: inout AtomicFile) throws(SystemError) {
        if bytes.count >= Self.blockSize {
            try file.take(&bytes)
            try sizes.settle()
            try recordReferences.settle()
        }
        let needed = Self.referenceSize(forObjects: objectCount + more)
        if needed > referenceSize { try resize(to: needed, &file) }
    }

    /// Changes the size of references from now on, and rewrites those already written.
    private mutating func resize(to size: Int, _ file: inout AtomicFile) throws(SystemError) {
        try file.take(&bytes)
        sizes = try ReferenceResizing(from: referenceSize, to: size, beside: location).run(&file, sizes)
        referenceSize = size
    }

    mutating func endDocument(into file: inout AtomicFile) throws(SystemError) {
        let needed = Self.referenceSize(forObjects: objectCount)
        if needed < referenceSize { try resize(to: needed, &file) }
        try file.take(&bytes)
        let tableOffset = file.bytesAppended
        let offsetSize = Self.size(of: tableOffset)
        try Self.writeOffsets(of: sizes, offsetSize, &bytes, &file)
        bytes.append(bigEndian: UInt64(offsetSize) << 8 | UInt64(referenceSize), size: 8)
        for number in [objectCount, objectCount - 1, tableOffset] {
            bytes.append(bigEndian: UInt64(number), size: 8)
        }
        try file.take(&bytes)
    }

    /// The bytes of a reference. The number of objects itself must fit, though no object has that number: otherwise
    /// Foundation can't read the file (CFBinaryPList.c).
    private static func referenceSize(forObjects count: Int) -> Int {
        let size = size(of: count)
        return size <= 4 ? size : 8
    }

    /// The bytes that a number needs, rounded up to a size that all readers accept.
    private static func size(of number: Int) -> Int {
        let size = (Int.bitWidth - number.leadingZeroBitCount + 7) / 8
        return size <= 5 ? max(size, 1) : 8
    }
}

/// Encodes single objects: a marker, whose low half is a count or a size, then content.
extension ByteBuffer {
    fileprivate mutating func append(marker: UInt8, count: Int) {
        if count < 15 { return append(marker | UInt8(count)) }
        append(marker | 0x0F)
        append(binaryInteger: PropertyListInteger(isNegative: false, magnitude: UInt64(count)))
    }

    /// Appends an integer object: 1, 2 or 4 bytes unsigned, 8 signed, 16 above 2^63−1.
    fileprivate mutating func append(binaryInteger value: PropertyListInteger) {
        let (marker, size): (UInt8, Int) =
            switch value.magnitude {
            case _ where value.isNegative: (0x13, 8)
            case 0...0xFF: (0x10, 1)
            case 0...0xFFFF: (0x11, 2)
            case 0...0xFFFF_FFFF: (0x12, 4)
            case 0...UInt64(Int64.max): (0x13, 8)
            default: (0x14, 16)
            }
        append(marker)
        if size == 16 { append(bigEndian: 0, size: 8) }
        append(bigEndian: value.isNegative ? 0 &- value.magnitude : value.magnitude, size: min(size, 8))
    }

    /// Appends every second reference from `start` on, or every one, in `size` bytes each.
    fileprivate mutating func append(references: [Int], from start: Int, step: Int, size: Int) {
        var index = start
        while index < references.count {
            append(bigEndian: UInt64(truncatingIfNeeded: references[index]), size: size)
            index += step
        }
    }

    /// Appends a string object: ASCII, or UTF-16 with its count in code units.
    fileprivate mutating func append(binaryText text: Span<UInt8>) {
        if text.isASCII {
            append(marker: 0x50, count: text.count)
            append(text)
            return
        }
        var units = 0
        for index in text.indices {
            let byte = text[index]
            if byte & 0xC0 != 0x80 { units += byte >= 0xF0 ? 2 : 1 }
        }
        append(marker: 0x60, count: units)
        var index = 0
        while index < text.count {
            let (scalar, next) = text.codePoint(at: index)
            index = next
            if scalar < 0x10000 {
                append(bigEndian: UInt64(scalar), size: 2)
            } else {
                append(bigEndian: UInt64(0xD800 + (scalar - 0x10000) >> 10), size: 2)
                append(bigEndian: UInt64(0xDC00 + (scalar - 0x10000) & 0x3FF), size: 2)
            }
        }
    }
}
