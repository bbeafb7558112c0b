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
