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
