// The header fields of an answer: names in any case, repeated fields kept apart.

/// Fields in the order they came.
package struct HTTPHeaders: Equatable, Sendable {
    /// The most fields that an answer may have.
    package static let limitCount = 256
    /// The most bytes that the fields of an answer may take, names and all.
    package static let limitBytes = 262_144

    package private(set) var fields: [(name: String, value: String)] = []

    package init() {}

    package var isEmpty: Bool { fields.isEmpty }

    package mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    /// Continues the last field's value (the obsolete line folding of RFC 9112, section 5.2).
    package mutating func continueLast(_ more: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }

    /// Makes room for as many as answers usually have.
    mutating func reserve() { fields.reserveCapacity(16) }

    package mutating func removeAll() { fields.removeAll(keepingCapacity: true) }

    /// The first field of that name, in any case.
    package subscript(_ name: String) -> String? {
        fields.first { Self.areEqual($0.name, name) }?.value
    }

    /// Every field of that name, in any case, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { Self.areEqual($0.name, name) }.map(\.value)
    }

    /// Whether two names are the same in ASCII, case apart (RFC 9110, section 5.1).
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        let (left, right) = (left.utf8Span.span, right.utf8Span.span)
        for index in left.indices where left[index] != right[index] {
            guard lowered(left[index]) == lowered(right[index]) else { return false }
        }
        return true
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    package static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }
}
