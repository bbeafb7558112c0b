// The members of one name in a record: the hot case of a path, `name`, with as few bytes looked at as possible.

/// Finds the values of all of a record's members that have the name, from the first on.
///
/// The record isn't checked: what is found in a record that isn't JSON means nothing, so a record that is to be used
/// must be read with a `JSONReader` too, before or after.
package struct JSONMembers: ~Escapable {
    private let record: Span<UInt8>
    private let name: [UInt8]
    private var skimmer: JSONSkimmer
    private var isAtEnd: Bool

    /// - Parameter name: in UTF-8, without escapes.
    @_lifetime(copy record)
    package init(of record: Span<UInt8>, named name: [UInt8]) {
        self.record = record
        self.name = name
        skimmer = JSONSkimmer(record)
        isAtEnd = !skimmer.take(UInt8(ascii: "{"))
    }

    /// The next value, nil where there are no more.
    @_lifetime(self: copy self)
    package mutating func next() -> JSONNode? {
        guard !isAtEnd, skimmer.findMember(name) else {
            isAtEnd = true
            return nil
        }
        return skimmer.node(in: record)
    }
}

extension JSONSkimmer {
    /// The value that stands here; reads it.
    @_lifetime(self: copy self)
    mutating func node(in record: Span<UInt8>) -> JSONNode? {
        guard let first = peek() else { return nil }
        let start = position
        skipValue()
        let kind = JSONNode.Kind(firstByte: first)
        let isWhole = position - start > (kind == .string || kind == .object || kind == .array ? 1 : 0)
        return isWhole ? JSONNode(range: start..<position, kind: kind) : nil
    }
}
