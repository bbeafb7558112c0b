// Classifies the members of one record for its line: most are copied as they are, and few have known names.
//
//     {"_id":6,"films":[…],"name":"Mick","url":"…"}
//       known               known         known, of which the first two become common members

import PipelineCore
import PipelineHTTP

/// The members of a record whose names are known.
struct KnownMembers: Sendable {
    struct Known: Sendable {
        let member: Int
        /// An index of the table.
        let name: Int
        var isCommon = false
    }

    /// In the order of the record.
    private(set) var known: [Known] = []
    /// By index of the table: names that no member of the record may have.
    private(set) var isTaken: [Bool] = []
    private var text: [UInt8] = []

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

    func isCommon(_ member: Int) -> Bool { known.contains { $0.member == member && $0.isCommon } }
}

/// The names that a mapping has to know: those that common members are read from, and those that they take. The
/// first byte and the length rule out most other names of a record.
struct NameTable: Sendable {
    private var names: [[UInt8]] = []
    /// A bit for each first byte and each length of a name, modulo 64.
    private var firsts: UInt64 = 0
    private var counts: UInt64 = 0

    var count: Int { names.count }

    mutating func index(adding name: [UInt8]) -> Int {
        if let index = index(of: name.span) { return index }
        firsts |= Self.bit(name.first ?? UInt8(ascii: "\""))
        counts |= Self.bit(UInt8(truncatingIfNeeded: name.count))
        names.append(name)
        return names.count - 1
    }

    func index(of name: Span<UInt8>) -> Int? { names.firstIndex { $0.span.equals(name) } }

    /// Whether a name with this first byte and length may be known. Most aren't.
    @inline(__always)
    func mayKnow(first: UInt8, count: UInt32) -> Bool {
        firsts & Self.bit(first) != 0 && counts & Self.bit(UInt8(truncatingIfNeeded: count)) != 0
    }

    @inline(__always)
    private static func bit(_ byte: UInt8) -> UInt64 { 1 &<< UInt64(byte & 63) }
}

/// Whether the records that came have the members that the description promises: an API that renames `name` still answers
/// with all its records, and nothing else shows it.
struct MemberPresence: Equatable, Sendable {
    /// Fewer records may all lack a member by chance.
    private static let leastRecords = 50

    var records = 0
    /// A bit for each member that at least one of them had, in the order of `CommonName`.
    var found = 0

    static func bit(of name: Source.CommonName) -> Int {
        1 << (Source.CommonName.allCases.firstIndex(of: name) ?? 0)
    }

    /// The described members that none of the records had, those that may be missing left out.
    func missing(of source: Source) -> [Source.CommonMember] {
        source.members.filter { member in
            !member.isOptional && found & Self.bit(of: member.name) == 0
                && records >= (member.isEssential ? 1 : Self.leastRecords)
        }
    }
}

extension Source.CommonMember {
    /// Without it the records are of no use.
    var isEssential: Bool { name == .id || name == .name }

    /// `name: $.name is in none`
    var absence: String {
        let first = locations.first?.place.text ?? ""
        let path = first.hasPrefix("$") || first.contains(ComposedText.mark) ? first : "$." + first
        let others = locations.count - 1
        if others < 1 { return "\(name.rawValue): \(path) is in none" }
        return "\(name.rawValue): \(path) and \(others) other \(others == 1 ? "path" : "paths") are in none"
    }
}
