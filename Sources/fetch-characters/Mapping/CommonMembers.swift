// The common members of a record: each from the first of its locations that has a text, copied as it is wherever that is
// what the line needs. All other members are copied as they are.
//
//     {"_id":6,"films":[…],"name":"Mick","url":"…"}
//       known               known         known, of which the first two become common members

import PipelineCore
import PipelineHTTP

extension RecordMapper {
    /// - Returns: false if no location has a text.
    mutating func appendCommon(
        _ index: Int, _ record: Span<UInt8>, _ members: Span<JSONMember>, _ steps: [HTTPResponse]
    ) throws(ToolFailure) -> Bool {
        for location in common[index].locations {
            if let name = locations[location].name {
                // Of members with the same name the last one counts.
                guard let known = roles.known.lastIndex(where: { $0.name == name }) else { continue }
                let range = members[roles.known[known].member].valueRange
                let value = JSONNode(range: range, kind: JSONNode.Kind(firstByte: record[range.lowerBound]))
                if append(index, location, value, record) {
                    roles.take(common[index].ownName, by: isMoved(index, location) ? known : nil)
                    return true
                }
            } else if let step = locations[location].described.step {
                guard step < steps.count else { continue }
                let response = steps[step]
                if try append(index, location, response.body.span) { return true }
            } else if try append(index, location, record) {
                return true
            }
        }
        return false
    }

    /// Whether the member becomes the common one. A path further on in the list copies its member, which other records of
    /// the list still have as their own; one that has the common member's name already is never there twice.
    private func isMoved(_ index: Int, _ location: Int) -> Bool {
        location == common[index].locations.lowerBound || locations[location].name == common[index].ownName
    }

    /// Appends the first text that the location's path finds, or its composed text.
    private mutating func append(_ index: Int, _ location: Int, _ document: Span<UInt8>) throws(ToolFailure) -> Bool
    {
        if let composed = try locations[location].evaluator.composed?.text(in: document) {
            text = composed
            guard finish(index, location) != nil else { return false }
            appendText(index)
            roles.take(common[index].ownName, by: nil)
            return true
        }
        try locations[location].evaluator.path?.find(in: document)
        // A loop over the nodes would hold a second reference to them, and copy them at the next record.
        for node in 0..<(locations[location].evaluator.path?.nodes.count ?? 0) {
            guard let found = locations[location].evaluator.path?.nodes[node] else { break }
            if append(index, location, found, document) {
                roles.take(common[index].ownName, by: nil)
                return true
            }
        }
        return false
    }

    /// - Returns: whether the value is a non-empty text.
    private mutating func append(_ index: Int, _ location: Int, _ value: JSONNode, _ json: Span<UInt8>) -> Bool {
        if common[index].name == .id { isIDNumber = value.kind == .number }
        let content: Span<UInt8>
        switch value.kind {
        case .string: content = json.extracting(value.content)
        case .number: content = json.extracting(value.range)
        default: return false
        }
        guard locations[location].described.replacement == nil, Self.isPlain(content),
            !common[index].name.isURL || Self.isAbsolute(content)
        else {
            return appendDecoded(index, location, value, json)
        }
        Self.append(common[index].label, to: &lines)
        if value.kind == .number { lines.append(UInt8(ascii: "\"")) }
        lines.append(json.extracting(value.range))
        if value.kind == .number { lines.append(UInt8(ascii: "\"")) }
        if common[index].name == .id { id.append(content) }
        if common[index].name == .name { name.append(content) }
        return true
    }

    private static func isPlain(_ content: Span<UInt8>) -> Bool {
        guard content.count > 0, isSign(content[0]), isSign(content[content.count - 1]) else { return false }
        return content.firstIndex(of: UInt8(ascii: "\\")) == nil
    }

    private static func isAbsolute(_ text: Span<UInt8>) -> Bool {
        guard text.count > 5, text.extracting(0..<4).equals("http") else { return false }
        return text[4] == UInt8(ascii: ":") || text[4] == UInt8(ascii: "s") && text[5] == UInt8(ascii: ":")
    }

    private mutating func appendDecoded(
        _ index: Int, _ location: Int, _ value: JSONNode, _ json: Span<UInt8>
    ) -> Bool {
        text.removeAll(keepingCapacity: true)
        _ = value.appendScalar(in: json, to: &text)
        guard let isChanged = finish(index, location) else { return false }
        if value.kind == .string, !isChanged {
            Self.append(common[index].label, to: &lines)
            lines.append(json.extracting(value.range))
            if common[index].name == .name { name += text }
        } else {
            appendText(index)
        }
        return true
    }

    /// Makes the final text of the one just read.
    /// - Returns: whether it has changed. Nil if it is empty.
    private mutating func finish(_ index: Int, _ location: Int) -> Bool? {
        var isChanged = false
        if let (old, new) = locations[location].described.replacement {
            text = Array(text.span.text.replacing(old, with: new, maxReplacements: 1).utf8)
            isChanged = true
        }
        let kept = Self.trimmed(text)
        guard !kept.isEmpty else { return nil }
        // Ids that differ in nothing but white space are of two records.
        if common[index].name == .id { id += text }
        if common[index].name.isTrimmed, kept.count < text.count {
            text = Array(text[kept])
            isChanged = true
        }
        let base = locations[location].described.step.map { stepURLs[$0] } ?? url
        if common[index].name.isURL, let absolute = base?.absolute(text.span.text) {
            text = Array(absolute.utf8)
            isChanged = true
        }
        return isChanged
    }

    private mutating func appendText(_ index: Int) {
        Self.append(common[index].label, to: &lines)
        let text = text
        JSONWriter.appendString(text.span, to: &lines)
        if common[index].name == .name { name += text }
    }

    static func append(_ text: [UInt8], to lines: inout ByteBuffer) { lines.append(text.span) }

    /// The text without Unicode white space at its ends.
    static func trimmed(_ text: [UInt8]) -> Range<Int> {
        // Most texts start and end with a visible ASCII character.
        if let first = text.first, let last = text.last, isSign(first), isSign(last) { return 0..<text.count }
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        let leading = scalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
        guard leading < text.count else { return 0..<0 }
        let trailing = scalars.reversed().prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
        return leading..<text.count - trailing
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x80 }
}

/// The members of a record whose names a common member has or is read from.
struct KnownMembers: Sendable {
    struct Known: Sendable {
        let member: Int
        let name: Int
        var isCommon = false
    }

    private(set) var known: [Known] = []
    /// By index of the table: names that no member of the record may have.
    private(set) var isTaken: [Bool] = []

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
            let decoded = member.isPlain ? [] : JSONStringDecoder.decoded(name)
            if let name = names.index(of: member.isPlain ? name : decoded.span) {
                known.append(Known(member: index, name: name))
            }
        }
    }

    /// - Parameter index: of the member in `known`, nil if the value was found elsewhere.
    mutating func take(_ name: Int, by index: Int?) {
        isTaken[name] = true
        if let index { known[index].isCommon = true }
    }

    /// Whether the member is left out, as it became a common one. `known` is in the order of the members.
    func isCommon(_ member: Int) -> Bool {
        var (first, end) = (0, known.count)
        while first < end {
            let middle = (first + end) / 2
            if known[middle].member < member { first = middle + 1 } else { end = middle }
        }
        return first < known.count && known[first].member == member && known[first].isCommon
    }
}

/// The names that common members are read from, and those that they take. First byte and length rule out most others.
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

    subscript(index: Int) -> [UInt8] { names[index] }

    func index(of name: Span<UInt8>) -> Int? { names.firstIndex { $0.span.equals(name) } }

    /// Whether a name with this first byte and length may be known. Most aren't.
    @inline(__always)
    func mayKnow(first: UInt8, count: UInt32) -> Bool {
        firsts & Self.bit(first) != 0 && counts & Self.bit(UInt8(truncatingIfNeeded: count)) != 0
    }

    @inline(__always)
    private static func bit(_ byte: UInt8) -> UInt64 { 1 &<< UInt64(byte & 63) }
}

/// Which common members the records have: nothing else shows that an API has renamed `name`.
struct MemberPresence: Equatable, Sendable {
    /// Fewer records may all lack a member by chance.
    private static let leastRecords = 50

    var records = 0
    /// A bit for each member that at least one of them had: the common ones in the order of `CommonName`, then others.
    var found = 0

    /// Of the records since then.
    func since(_ earlier: MemberPresence) -> MemberPresence {
        MemberPresence(records: records - earlier.records, found: found)
    }

    mutating func add(_ other: MemberPresence) {
        records += other.records
        found |= other.found
    }

    static func bit(of name: Source.CommonName) -> Int {
        1 << (Source.CommonName.allCases.firstIndex(of: name) ?? 0)
    }

    static func bit(ofOwn index: Int) -> Int { 1 << (Source.CommonName.allCases.count + index) }

    /// The described members that none of the records had, those that may be missing left out.
    func missing(of source: Source) -> [Source.CommonMember] {
        source.members.filter { member in
            !member.isOptional && found & Self.bit(of: member.name) == 0
                && records >= (member.isEssential ? 1 : Self.leastRecords)
        }
    }

    func missingOwn(of source: Source) -> [Source.OwnMember] {
        source.ownMembers.enumerated().filter { index, member in
            !member.isOptional && found & Self.bit(ofOwn: index) == 0 && records >= Self.leastRecords
        }.map(\.element)
    }
}

extension Source.CommonMember {
    /// Without it the records are of no use.
    var isEssential: Bool { name == .id || name == .name }

    var absence: String { Source.absence(of: name.rawValue, locations) }
}

extension Source.OwnMember {
    var absence: String { Source.absence(of: name, locations) }
}

extension Source {
    /// `name: $.name is in none`
    fileprivate static func absence(of name: String, _ locations: [MemberLocation]) -> String {
        let first = locations.first?.place.text ?? ""
        let path = first.hasPrefix("$") || first.contains(ComposedText.mark) ? first : "$." + first
        let others = locations.count - 1
        if others < 1 { return "\(name): \(path) is in none" }
        return "\(name): \(path) and \(others) other \(others == 1 ? "path" : "paths") are in none"
    }
}
