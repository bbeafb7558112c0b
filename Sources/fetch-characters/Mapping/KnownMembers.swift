// Classifies the members of one record for its line: most are copied as they are, and few have known names.
//
//     {"_id":6,"films":[…],"name":"Mick","url":"…"}
//       known               known         known, of which the first two become common members

import PipelineCore
import PipelineHTTP

/// The members of a record whose names are known.
struct KnownMembers: Sendable {
    /// A member with a known name.
    struct Known: Sendable {
        let member: Int
        /// An index of the table.
        let name: Int
        /// It became a common member.
        var isCommon = false
    }

    /// In the order of the record.
    private(set) var known: [Known] = []
    /// By index of the table: names that no member of the record may have.
    private(set) var isTaken: [Bool] = []
    private var text: [UInt8] = []

    /// Starts a record.
    /// - Parameter taken: names that are taken in every record.
    mutating func begin(_ members: Span<JSONMember>, of record: Span<UInt8>, _ names: NameTable, taken: [Bool]) {
        known.removeAll(keepingCapacity: true)
        isTaken.removeAll(keepingCapacity: true)
        isTaken += taken
        for index in members.indices {
            let member = members[index]
            // The first byte of an empty name is its closing quote.
            if member.isPlain,
                !names.mayKnow(first: record[Int(member.name)], count: member.nameEnd &- member.name)
            {
                continue
            }
            let name = record.extracting(Int(member.name)..<Int(member.nameEnd))
            if let name = member.isPlain ? names.index(of: name) : decoded(name, names) {
                known.append(Known(member: index, name: name))
            }
        }
    }

    private mutating func decoded(_ name: Span<UInt8>, _ names: NameTable) -> Int? {
        text.removeAll(keepingCapacity: true)
        JSONStringDecoder.append(name, to: &text)
        return names.index(of: text.span)
    }

    /// The last member of the name, as an index of `known`. Of members with the same name, the last one counts.
    func last(named name: Int) -> Int? { known.lastIndex { $0.name == name } }

    /// Marks a name as taken by a common member.
    /// - Parameter index: of the member in `known`, nil if the value was found elsewhere.
    mutating func take(_ name: Int, by index: Int?) {
        isTaken[name] = true
        if let index { known[index].isCommon = true }
    }

    /// Whether the member became a common one.
    func isCommon(_ member: Int) -> Bool { known.contains { $0.member == member && $0.isCommon } }
}
