// What the values at one place of all records have in common: their kinds, the members of objects and how often each
// is there, and what arrays hold.
//
//     {"id":1,"films":[{"year":1950}]}        2 objects: id (2 of 2) an integer,
//     {"id":2,"films":[]}                                films (2 of 2) an array of 1 object: year (1 of 1) an integer

/// The shape of values. A shape refers to those below it, so it is a class.
final class Shape {
    /// The text that Foundation takes for nil.
    static let nullText = Array("$null".utf8)

    /// A name that objects have.
    struct Member {
        /// UTF-8.
        let name: [UInt8]
        let shape: Shape
        /// In how many of the objects it is.
        var count = 0
        /// The number of the object in which it was met last, so that a duplicate doesn't count.
        var lastObject = 0

        /// The name.
        var text: String { name.span.text }
    }

    /// Integers, and which types can hold all of them.
    struct Integers {
        var areAny = false
        var areNegative = false
        /// Whether one is greater than 2^63−1.
        var areBeyondSigned = false
        /// Whether a real can't be exactly one of them.
        var areInexactAsReals = false
    }

    var hasTexts = false
    /// Texts that are `$null`, which Foundation reads as nil.
    var hasNullTexts = false
    var hasBooleans = false
    var hasDates = false
    var hasData = false
    var hasFiniteReals = false
    /// NaN or infinity.
    var hasOtherReals = false
    var integers = Integers()

    /// How many objects there were, and their members in the order in which they first came.
    var objects = 0
    var members: [Member] = []
    /// Finds members by the hashes of their names.
    var index = HashIndex()
    /// What the values of all members have in common, for objects that are dictionaries by key. They have no `members`.
    var value: Shape?
    /// Whether such a dictionary has a key that is `$null`, which Foundation can't decode.
    var hasNullKey = false

    var arrays = 0
    /// What the elements of all arrays have in common.
    var element: Shape?

    /// Whether the objects can't be dictionaries by key: those of a record.
    let isRecord: Bool

    init(isRecord: Bool = false) { self.isRecord = isRecord }

    /// Notes an integer.
    func add(_ integer: PropertyListInteger) {
        integers.areAny = true
        if integer.isNegative {
            integers.areNegative = true
        } else if integer.magnitude > UInt64(Int64.max) {
            integers.areBeyondSigned = true
        }
        if Double(exactly: integer.magnitude) == nil { integers.areInexactAsReals = true }
    }

    /// Whether the member at this position, if there is one, has this name.
    func isMember(at position: Int, named text: Span<UInt8>) -> Bool {
        guard position < members.count else { return false }
        let name = members[position].name
        return name.span.equals(text)
    }

    /// The member of this name, added if it is new.
    /// - Parameter hash: of the name.
    /// - Returns: its position in `members`.
    func position(of name: Span<UInt8>, _ hash: WideHash) -> (Int, isNew: Bool) {
        let (position, isNew) = index.insert(hash)
        if isNew { members.append(Member(name: name.array, shape: Shape())) }
        return (position, isNew)
    }
}

// Tells objects that are dictionaries by key from those that have members:
//
//     {"title":"Fantasia","year":1940}        the same few names in every object
//     {"q102":"Ariel","q7":"Mick"}            a name is a key, which few objects have

extension Shape {
    /// More names than an object with members has.
    static let mostMembers = 1000
    /// So many names may be members, or keys.
    private static let fewestKeys = 65

    /// Decides of each object below what it is: a dictionary where it has more than 1000 names, or else more than 64, of
    /// which an object has less than a quarter on average, with values of one type. To be called when no object is open.
    /// - Parameter hash: the one with which names were found.
    func findDictionaries(_ hash: PolynomialHash) {
        element?.findDictionaries(hash)
        value?.findDictionaries(hash)
        for member in members { member.shape.findDictionaries(hash) }
        guard !isRecord, members.count >= Self.fewestKeys else { return }
        let merged = mergedMembers(hash)
        merged.findDictionaries(hash)
        guard members.count > Self.mostMembers || isSparse && merged.swiftKinds.count <= 1 else { return }
        become(dictionaryOf: merged)
    }

    /// Makes dictionaries of all objects below that have more names than 64, to forget the names.
    func forgetKeys(_ hash: PolynomialHash) {
        element?.forgetKeys(hash)
        value?.forgetKeys(hash)
        for member in members { member.shape.forgetKeys(hash) }
        if !isRecord, members.count >= Self.fewestKeys { become(dictionaryOf: mergedMembers(hash)) }
    }

    /// The number of names below, and of their bytes.
    var names: (count: Int, bytes: Int) {
        var (count, bytes) = (members.count, 0)
        for below in [element, value].compactMap({ $0 }) + members.map(\.shape) {
            let more = below.names
            count += more.count
            bytes += more.bytes
        }
        return (count, members.reduce(bytes) { $0 + $1.name.count })
    }

    /// Whether an object has less than a quarter of the names on average.
    private var isSparse: Bool { members.reduce(0) { $0 + $1.count } < objects * members.count / 4 }

    private func become(dictionaryOf merged: Shape) {
        value = merged
        hasNullKey = hasNullKey || members.contains { $0.name == Self.nullText }
        members = []
        index = HashIndex()
    }

    private func mergedMembers(_ hash: PolynomialHash) -> Shape {
        let merged = Shape()
        for member in members { merged.add(member.shape, hash) }
        return merged
    }

    /// Adds what another shape has seen. The two share nothing afterwards.
    private func add(_ other: Shape, _ hash: PolynomialHash) {
        hasTexts = hasTexts || other.hasTexts
        hasNullTexts = hasNullTexts || other.hasNullTexts
        hasBooleans = hasBooleans || other.hasBooleans
        hasDates = hasDates || other.hasDates
        hasData = hasData || other.hasData
        hasFiniteReals = hasFiniteReals || other.hasFiniteReals
        hasOtherReals = hasOtherReals || other.hasOtherReals
        integers.add(other.integers)
        arrays += other.arrays
        if let added = other.element { Self.add(added, to: &element, hash) }
        objects += other.objects
        if let added = other.value {
            if value == nil { become(dictionaryOf: mergedMembers(hash)) }
            Self.add(added, to: &value, hash)
            hasNullKey = hasNullKey || other.hasNullKey
        }
        for member in other.members {
            if let value {
                value.add(member.shape, hash)
                hasNullKey = hasNullKey || member.name == Self.nullText
            } else {
                let position = position(of: member.name.span, hash.hash(member.name.span)).0
                members[position].count += member.count
                members[position].shape.add(member.shape, hash)
            }
        }
    }

    private static func add(_ other: Shape, to shape: inout Shape?, _ hash: PolynomialHash) {
        let sum = shape ?? Shape()
        sum.add(other, hash)
        shape = sum
    }
}

extension Shape.Integers {
    fileprivate mutating func add(_ other: Self) {
        areAny = areAny || other.areAny
        areNegative = areNegative || other.areNegative
        areBeyondSigned = areBeyondSigned || other.areBeyondSigned
        areInexactAsReals = areInexactAsReals || other.areInexactAsReals
    }
}

// Takes the parts of values as a writer would, and keeps their shape only.

/// Adds values to shapes. Memory grows with the names that they have, not with their number.
struct ShapeCollector: HeldSink, ~Copyable {
    /// An array or object that hasn't ended.
    private struct Open {
        let shape: Shape
        let isArray: Bool
        /// The member that is expected next, as objects mostly have the same members in the same order.
        var position = 0
    }

    /// About the memory that a name takes besides its bytes.
    private static let bytesPerName = 400

    let hash = PolynomialHash()
    private var open: [Open] = []
    /// What the next value belongs to.
    private var next = Shape()
    /// The names that the shapes have.
    private(set) var names = (count: 0, bytes: 0)

    var bytesHeld: Int { names.bytes + names.count * Self.bytesPerName }

    /// Lets the next value belong to this shape.
    mutating func begin(_ shape: Shape) {
        open.removeAll(keepingCapacity: true)
        next = shape
    }

    /// Counts the names again after a shape has dropped some.
    mutating func recount(_ shapes: [Shape]) {
        names = (0, 0)
        for shape in shapes {
            let more = shape.names
            names.count += more.count
            names.bytes += more.bytes
        }
    }

    mutating func beginDictionary() {
        next.objects += 1
        open.append(Open(shape: next, isArray: false))
    }

    mutating func beginArray() {
        next.arrays += 1
        let element = next.element ?? Shape()
        next.element = element
        open.append(Open(shape: next, isArray: true))
        next = element
    }

    mutating func endDictionary() { end() }
    mutating func endArray() { end() }

    private mutating func end() {
        open.removeLast()
        if let outer = open.last, outer.isArray, let element = outer.shape.element { next = element }
    }

    mutating func key(_ text: Span<UInt8>) {
        let last = open.count - 1
        let object = open[last].shape
        if let value = object.value {
            if Self.isNull(text) { object.hasNullKey = true }
            next = value
            return
        }
        var position = open[last].position
        if !object.isMember(at: position, named: text) {
            let found = object.position(of: text, hash.hash(text))
            if found.isNew {
                names.count += 1
                names.bytes += text.count
            }
            position = found.0
        }
        open[last].position = position + 1
        if object.members[position].lastObject != object.objects {
            object.members[position].lastObject = object.objects
            object.members[position].count += 1
        }
        next = object.members[position].shape
    }

    mutating func string(_ text: Span<UInt8>) {
        if Self.isNull(text) { next.hasNullTexts = true } else { next.hasTexts = true }
    }

    private static func isNull(_ text: Span<UInt8>) -> Bool {
        let nullText = Shape.nullText
        return text.equals(nullText.span)
    }

    mutating func integer(_ value: PropertyListInteger) { next.add(value) }

    mutating func real(_ value: Double) {
        if value.isFinite { next.hasFiniteReals = true } else { next.hasOtherReals = true }
    }

    mutating func boolean(_ value: Bool) { next.hasBooleans = true }
    mutating func date(_ seconds: Double) { next.hasDates = true }
    mutating func data(_ content: Span<UInt8>) { next.hasData = true }
}
