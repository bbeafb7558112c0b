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

/// The names that a mapping has to know: those that common members are read from, and those that they take. The
/// length and two bytes rule out most other names of a record.
struct NameTable: Sendable {
    private var ranges: [Range<Int>] = []
    /// All names, concatenated.
    private var bytes: [UInt8] = []
    /// A bit for each first byte and each length of a name, modulo 64.
    private var firsts: UInt64 = 0
    private var counts: UInt64 = 0
    /// For each key, the index of the last name added with it, or -1.
    private var last = [Int](repeating: -1, count: 256)
    /// For each name, the previous one with the same key.
    private var before: [Int] = []

    var count: Int { ranges.count }

    /// The name's index. Adds the name if it is new.
    mutating func index(adding name: [UInt8]) -> Int {
        if let index = index(of: name.span) { return index }
        let key = Self.key(name.span)
        firsts |= Self.bit(name.first ?? UInt8(ascii: "\""))
        counts |= Self.bit(UInt8(truncatingIfNeeded: name.count))
        before.append(last[key])
        last[key] = ranges.count
        ranges.append(bytes.count..<bytes.count + name.count)
        bytes += name
        return ranges.count - 1
    }

    /// The name's index, nil if it isn't known.
    @inline(__always)
    func index(of name: Span<UInt8>) -> Int? {
        let index = last[Self.key(name)]
        return index < 0 ? nil : self.index(of: name, from: index)
    }

    /// Whether a name with this first byte and length may be known. Most aren't.
    @inline(__always)
    func mayKnow(first: UInt8, count: UInt32) -> Bool {
        firsts & Self.bit(first) != 0 && counts & Self.bit(UInt8(truncatingIfNeeded: count)) != 0
    }

    @inline(__always)
    private static func bit(_ byte: UInt8) -> UInt64 { 1 &<< UInt64(byte & 63) }

    private func index(of name: Span<UInt8>, from last: Int) -> Int? {
        var index = last
        while index >= 0 {
            if name.equals(bytes.span.extracting(ranges[index])) { return index }
            index = before[index]
        }
        return nil
    }

    @inline(__always)
    private static func key(_ name: Span<UInt8>) -> Int {
        let count = name.count
        guard count > 0 else { return 0 }
        let key = UInt8(truncatingIfNeeded: count) &* 31 &+ name[0] &* 7 &+ name[count &- 1]
        return Int(key)
    }
}

/// Whether the records that came have the members that the description promises: an API that renames `name` still answers
/// with all its records, and nothing else shows it.
struct MemberPresence: Equatable, Sendable {
    /// Fewer records may all lack a member by chance.
    private static let leastRecords = 50

    /// The records looked at.
    private(set) var records = 0
    /// A bit for each member that at least one of them had, in the order of `CommonName`.
    private var found: UInt8 = 0

    init() {}

    /// What an earlier part of the run has seen.
    /// - Returns: nil for bits of other members.
    init?(found: Int, records: Int) {
        guard (0..<1 << Source.CommonName.allCases.count).contains(found) else { return nil }
        self.found = UInt8(found)
        self.records = records
    }

    /// The members found, as a number for another run.
    var bits: Int { Int(found) }

    mutating func beginRecord() { records &+= 1 }

    mutating func insert(_ bit: UInt8) { found |= bit }

    /// A member's bit.
    static func bit(of name: Source.CommonName) -> UInt8 {
        1 << UInt8(Source.CommonName.allCases.firstIndex(of: name) ?? 0)
    }

    // MARK: What is missing

    /// A member that no record had.
    struct Finding: Equatable, Sendable {
        let member: Source.CommonName
        /// `name: $.name is in none of 7438 records`
        let text: String
        /// Without it the records are of no use.
        var isFatal: Bool { member == .id || member == .name }
    }

    /// The described members that none of the records had, those that may be missing left out.
    func missing(of source: Source) -> [Finding] {
        source.members.compactMap { member in
            let finding = Finding(member: member.name, text: "\(member.account) of \(records) records")
            guard records >= (finding.isFatal ? 1 : Self.leastRecords), !member.isOptional else { return nil }
            return found & Self.bit(of: member.name) == 0 ? finding : nil
        }
    }
}

extension Source.CommonMember {
    fileprivate var account: String {
        let first = locations.first?.place.text ?? ""
        let path = first.hasPrefix("$") || first.contains(ComposedText.mark) ? first : "$." + first
        let others = locations.count - 1
        if others < 1 { return "\(name.rawValue): \(path) is in none" }
        return "\(name.rawValue): \(path) and \(others) other \(others == 1 ? "path" : "paths") are in none"
    }
}
