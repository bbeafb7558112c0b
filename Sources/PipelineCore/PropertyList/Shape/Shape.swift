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
