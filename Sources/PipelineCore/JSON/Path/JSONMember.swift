// All members of a record in one pass, by quotes and brackets alone.

/// A member of a record.
package struct JSONMember: Equatable, Sendable {
    /// The name's bytes between its quotes.
    package let name: Range<Int>
    package let value: JSONNode
}

extension JSONMember {
    /// Finds the members of a record, in their order.
    ///
    /// The record isn't checked: what is found in one that isn't JSON means nothing, so it must have been read with a
    /// `JSONReader` before.
    /// - Parameter members: emptied first; its storage is kept.
    package static func all(of record: Span<UInt8>, into members: inout [JSONMember]) {
        members.removeAll(keepingCapacity: true)
        var skimmer = JSONSkimmer(record)
        guard skimmer.take(UInt8(ascii: "{")) else { return }
        while skimmer.findMember(nil) {
            let name = skimmer.memberName
            guard let value = skimmer.node(in: record) else { return }
            members.append(JSONMember(name: name, value: value))
        }
    }
}
