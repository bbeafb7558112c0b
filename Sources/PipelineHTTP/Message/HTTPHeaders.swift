// The header fields of a response: names in any case, repeated fields kept separate.

/// Fields in the order received.
package struct HTTPHeaders: Equatable, Sendable {
    /// The maximum number of fields in a response.
    package static let limitCount = 256
    /// The maximum size of the fields of a response, including their names.
    package static let limitBytes = 262_144

    package struct Field: Equatable, Sendable {
        package let name: String
        package internal(set) var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package var isEmpty: Bool { fields.isEmpty }

    mutating func append(_ field: Field) { fields.append(field) }

    package mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// Continues the last field's value (the obsolete line folding of RFC 9112, section 5.2).
    package mutating func continueLast(_ more: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += fields[last].value.isEmpty ? more : " " + more
    }

    /// Makes room for as many fields as responses usually have.
    mutating func reserve() { fields.reserveCapacity(16) }

    package mutating func removeAll() { fields.removeAll(keepingCapacity: true) }

    /// Removes all fields of that name, in any case.
    mutating func remove(_ name: String) { fields.removeAll { Self.areEqual($0.name, name) } }

    /// The value of the first field of that name, in any case.
    package subscript(_ name: String) -> String? {
        for index in fields.indices where Self.areEqual(fields[index].name, name) { return fields[index].value }
        return nil
    }

    func contains(_ name: String) -> Bool { self[name] != nil }

    /// The values of all fields of that name, in any case, in order.
    package func values(_ name: String) -> [String] {
        var values: [String] = []
        for index in fields.indices where Self.areEqual(fields[index].name, name) {
            values.append(fields[index].value)
        }
        return values
    }

    /// Whether a name is one of these, in any case.
    package static func isOne(_ name: String, of names: [String]) -> Bool {
        for index in names.indices where areEqual(names[index], name) { return true }
        return false
    }

    /// Whether two names are equal, ignoring ASCII case (RFC 9110, section 5.1).
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
