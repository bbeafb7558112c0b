// The references of the records' container, the only one of unbounded size. They are stored as differences of
// object numbers, mostly one byte each, in lists that spill.

/// Collects the references to the records, or to keys and records.
struct RecordReferences: ~Copyable {
    /// References to objects, in the order they were appended.
    private struct List: ~Copyable {
        var numbers: SpillFile
        var last = 0

        init(beside position: FileLocation?) { numbers = SpillFile(beside: position) }

        mutating func append(_ object: Int) {
            let difference = Int64(object - last)
            last = object
            // Zigzag: the sign is the lowest bit, so small differences of either sign are short.
            numbers.append(number: UInt64(bitPattern: difference << 1 ^ difference >> 63))
        }

        var mark: (count: Int, last: Int) { (numbers.count, last) }

        mutating func rollBack(to mark: (count: Int, last: Int)) {
            numbers.truncate(to: mark.count)
            last = mark.last
        }
    }

    private var keys: List
    private var elements: List
    private(set) var isKeyed = false
    /// The number of containers open around the records' container; −1 when it isn't open.
    private(set) var depth = -1
    /// References so far: two for each record in a keyed container.
    private var references = 0

    init(beside position: FileLocation?) {
        keys = List(beside: position)
        elements = List(beside: position)
    }

    var count: Int { isKeyed ? references / 2 : references }

    mutating func begin(isKeyed: Bool, depth: Int) {
        self.isKeyed = isKeyed
        self.depth = depth
    }

    mutating func end() { depth = -1 }

    mutating func append(_ object: Int) {
        if isKeyed, references & 1 == 0 { keys.append(object) } else { elements.append(object) }
        references += 1
    }

    mutating func settle() throws(SystemError) {
        try keys.numbers.settle()
        try elements.numbers.settle()
    }

    // MARK: Rolling back

    struct Mark {
        fileprivate let references: Int
        fileprivate let keys, elements: (count: Int, last: Int)
    }

    var mark: Mark { Mark(references: references, keys: keys.mark, elements: elements.mark) }

    mutating func rollBack(to mark: Mark) {
        references = mark.references
        keys.rollBack(to: mark.keys)
        elements.rollBack(to: mark.elements)
    }

    // MARK: Reading

    /// Reads the references in the order of the container: all keys, then all elements.
    struct Reader {
        private var numbers = VarintReader()
        private var last = 0
        private var isAfterKeys = false

        mutating func next(in records: borrowing RecordReferences) throws(SystemError) -> Int? {
            if !isAfterKeys {
                if let coded = try numbers.next(in: records.keys.numbers) { return reference(coded) }
                isAfterKeys = true
                numbers = VarintReader()
                last = 0
            }
            guard let coded = try numbers.next(in: records.elements.numbers) else { return nil }
            return reference(coded)
        }

        private mutating func reference(_ coded: UInt64) -> Int {
            last += Int(Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1))
            return last
        }
    }
}
