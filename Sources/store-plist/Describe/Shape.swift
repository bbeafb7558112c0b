// What the values at one place of all records have in common: their kinds, the members of objects and how often each
// is there, and what arrays hold.
//
//     {"id":1,"films":[{"year":1950}]}        2 objects: id (2 of 2) an integer,
//     {"id":2,"films":[]}                                films (2 of 2) an array of 1 object: year (1 of 1) an integer

import PipelineCore

/// The shape of values. A shape refers to those below it, so it is a class.
final class Shape {
    /// More names than an object with members has.
    private static let mostMembers = 1000
    /// So many names may be members, or keys.
    private static let fewestKeys = 65

    struct Member {
        let name: [UInt8]
        let shape = Shape()
        var count = 0
        /// The number of the object in which it was met last, so that a duplicate doesn't count.
        var lastObject = 0

        var text: String { name.span.text }
    }

    /// The kinds of its scalars, and what else was met among the values.
    struct Facts: OptionSet {
        let rawValue: Int

        init(rawValue: Int) { self.rawValue = rawValue }

        init(_ kind: SwiftKind) { self.init(rawValue: 1 << kind.rawValue) }

        /// Texts that are `$null`, which Foundation reads as nil.
        static let nullTexts = Facts(rawValue: 1 << 16)
        /// A key that is `$null`, of a dictionary by key, which Foundation can't decode.
        static let nullKey = Facts(rawValue: 1 << 17)
        /// Keys of a dictionary that Foundation takes for one.
        static let alikeKeys = Facts(rawValue: 1 << 20)
        /// An object with the one member `CF$UID`, a number, in XML: Foundation takes it for a reference in a keyed archive.
        static let references = Facts(rawValue: 1 << 21)
        /// A member named `$null`, or nulls, as only property lists and only lines of JSON have them.
        static let nullName = Facts(rawValue: 1 << 22)
        static let nulls = Facts(rawValue: 1 << 23)
        static let negativeIntegers = Facts(rawValue: 1 << 18)
        static let integersInexactAsReals = Facts(rawValue: 1 << 19)
    }

    var facts: Facts = []
    var objects = 0
    var members: [Member] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// What the values of all members have in common, for objects that are dictionaries by key. They have no `members`.
    var value: Shape?
    var element: Shape?
    /// The Swift type of its values, where it is declared elsewhere.
    var declaredType: String?
    /// Whether the objects can't be dictionaries by key: those of a record.
    private let isRecord: Bool

    init(isRecord: Bool = false) { self.isRecord = isRecord }

    func add(_ integer: PropertyListInteger) {
        let isBeyondSigned = !integer.isNegative && integer.magnitude > UInt64(Int64.max)
        facts.insert(Facts(isBeyondSigned ? .unsigned : .integer))
        if integer.isNegative { facts.insert(.negativeIntegers) }
        if Double(exactly: integer.magnitude) == nil { facts.insert(.integersInexactAsReals) }
    }

    /// A number of a line: an integer that JSONDecoder reads as one, or a real.
    func add(number text: Span<UInt8>) {
        if let integer = NumberText.integer(text) { add(integer) } else { facts.insert(Facts(.real)) }
    }

    /// In `members`; the name is added if it is new.
    func position(of name: [UInt8]) -> (Int, isNew: Bool) {
        if let position = numbers[name] { return (position, false) }
        numbers[name] = members.count
        members.append(Member(name: name))
        return (members.count - 1, true)
    }

    private var below: [Shape] { [element, value].compactMap { $0 } + members.map(\.shape) }

    /// Those here and below.
    var names: (count: Int, bytes: Int) {
        below.map(\.names).reduce((members.count, members.reduce(0) { $0 + $1.name.count })) {
            ($0.0 + $1.count, $0.1 + $1.bytes)
        }
    }

    /// Tells objects that are dictionaries by key from those that have members:
    ///
    ///     {"title":"Fantasia","year":1940}        the same few names in every object
    ///     {"q102":"Ariel","q7":"Mick"}            a name is a key, which few objects have
    ///
    /// A dictionary has more than 1000 names, or else more than 64, of which an object has less than a quarter on average,
    /// with values of one type. To be called when no object is open.
    /// - Parameter forgetsNames: makes dictionaries of all objects that have more than 64.
    func findDictionaries(forgetsNames: Bool = false) {
        for shape in below { shape.findDictionaries(forgetsNames: forgetsNames) }
        guard !isRecord, members.count >= Self.fewestKeys else { return }
        let merged = mergedMembers()
        merged.findDictionaries(forgetsNames: forgetsNames)
        let isSparse = members.reduce(0) { $0 + $1.count } < objects * members.count / 4
        if forgetsNames || members.count > Self.mostMembers || isSparse && merged.swiftKinds.count <= 1 {
            become(dictionaryOf: merged)
        }
    }

    private func become(dictionaryOf merged: Shape) {
        value = merged
        noteKeys(members)
        facts.remove(.nullName)
        members = []
        numbers = [:]
    }

    private func noteKeys(_ members: [Member]) {
        if facts.contains(.nullName) { facts.insert(.nullKey) }
        if Set(members.map(\.text)).count < members.count { facts.insert(.alikeKeys) }
    }

    private func mergedMembers() -> Shape {
        let merged = Shape()
        for member in members { merged.add(member.shape) }
        return merged
    }

    /// Adds what another shape has seen. The two share nothing afterwards.
    private func add(_ other: Shape) {
        facts.formUnion(other.facts)
        if let added = other.element {
            if element == nil { element = Shape() }
            element?.add(added)
        }
        objects += other.objects
        if let added = other.value {
            if value == nil { become(dictionaryOf: mergedMembers()) }
            value?.add(added)
        }
        if value != nil { noteKeys(other.members) }
        for member in other.members {
            if let value {
                value.add(member.shape)
            } else {
                let position = position(of: member.name).0
                members[position].count += member.count
                members[position].shape.add(member.shape)
            }
        }
    }
}

/// Takes the parts of values as a writer would, and keeps their shape only. Memory grows with the names that they have,
/// not with their number.
struct ShapeCollector: HeldSink, ~Copyable {
    /// About the memory that a name takes besides its bytes.
    private static let bytesPerName = 400
    private static let mostBytes = 64 << 20
    let limitLevels = 64

    private struct Container {
        let shape: Shape
        let isArray: Bool
        /// The keys of a dictionary, as Foundation tells them apart.
        var keys: Set<String> = []
        var members = 0
        /// Whether a member `CF$UID` that is a number was met, the last one if it comes last.
        var hasReference = false
        var isAtReference = false
    }

    private var open: [Container] = []
    /// What Foundation's readers of the format take for something else.
    private let findsReferences: Bool
    private let findsNullTexts: Bool
    var shape = Shape()
    /// What the next value belongs to.
    private var next = Shape()
    private(set) var names = (count: 0, bytes: 0)

    init(_ format: StoreFormat) {
        findsReferences = format == .xml
        findsNullTexts = !format.keepsLines
    }

    var bytesHeld: Int { names.bytes + names.count * Self.bytesPerName }

    mutating func beginValue() {
        open.removeAll(keepingCapacity: true)
        next = shape
    }

    /// Counts the names again after a shape has dropped some.
    mutating func recount(_ shapes: [Shape]) {
        names = shapes.map(\.names).reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.bytes) }
    }

    mutating func put(_ part: StoredElement, _ text: Span<UInt8>) throws(BadRecord) {
        switch part {
        case .beginDictionary:
            next.objects += 1
            open.append(Container(shape: next, isArray: false))
        case .beginArray:
            let element = next.element ?? Shape()
            next.element = element
            open.append(Container(shape: next, isArray: true))
            next = element
        case .endDictionary, .endArray:
            let container = open.removeLast()
            if container.hasReference, container.members == 1 { container.shape.facts.insert(.references) }
            if let outer = open.last, outer.isArray, let element = outer.shape.element { next = element }
        case .key: try key(text)
        case .string: next.facts.insert(isNull(text) ? .nullTexts : Shape.Facts(.text))
        case .integer(let value):
            noteNumber()
            next.add(value)
        case .real:
            noteNumber()
            next.facts.insert(Shape.Facts(.real))
        case .boolean: next.facts.insert(Shape.Facts(.flag))
        case .date: next.facts.insert(Shape.Facts(.date))
        case .data: next.facts.insert(Shape.Facts(.data))
        case .number: next.add(number: text)
        case .null: next.facts.insert(.nulls)
        case .line: try LineValues.put(text, into: &self)
        }
    }

    private func isNull(_ text: Span<UInt8>) -> Bool { findsNullTexts && text.equals("$null") }

    private mutating func noteNumber() {
        guard let container = open.last, container.isAtReference else { return }
        open[open.count - 1].hasReference = true
    }

    private mutating func key(_ text: Span<UInt8>) throws(BadRecord) {
        open[open.count - 1].members += 1
        open[open.count - 1].isAtReference = findsReferences && text.equals("CF$UID")
        let object = open[open.count - 1].shape
        if let value = object.value {
            if isNull(text) { object.facts.insert(.nullKey) }
            if !open[open.count - 1].keys.insert(text.text).inserted { object.facts.insert(.alikeKeys) }
            next = value
            return
        }
        if isNull(text) { object.facts.insert(.nullName) }
        let (position, isNew) = object.position(of: text.array)
        if isNew {
            names.count += 1
            names.bytes += text.count
            guard bytesHeld <= Self.mostBytes else { throw BadRecord(.value(StoreShape.tooManyNames)) }
        }
        if object.members[position].lastObject != object.objects {
            object.members[position].lastObject = object.objects
            object.members[position].count += 1
        }
        next = object.members[position].shape
    }
}
