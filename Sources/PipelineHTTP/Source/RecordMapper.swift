// From a record of an API to a line: the common members first, then all others as they came.
//
//     {"_id":6,"films":["X"],"name":"Mick","sourceUrl":"","url":"https://…/6"}
//     {"source":"disney","id":"6","name":"Mick","pageURL":"https://…/6","films":["X"],"sourceUrl":""}
//
// Values are copied byte for byte, but for white space around ids and URLs, and for white space between tokens where it
// holds a line end.

package import PipelineCore

/// Maps the records of one source. It keeps its buffers from one record to the next.
package struct RecordMapper: Sendable {
    private struct Member: Sendable {
        let name: JSONString
        let value: JSONValue
        var isCommon = false
    }

    private static let sourceName = Array("source".utf8)
    private static let pageName = Array("page".utf8)

    private let source: Source
    private let isRaw: Bool
    private let addsPage: Bool
    private var members: [Member] = []
    /// The common members of the record, in their order: the name, and the JSON of the value.
    private var common: [(name: [UInt8], json: [UInt8])] = []

    /// The record as a line, without its end.
    package private(set) var line: [UInt8] = []
    /// The record's id as text, nil where it has none.
    package private(set) var id: [UInt8]?
    /// The record's name as text, empty where it has none.
    package private(set) var name: [UInt8] = []

    /// - Parameters:
    ///   - isRaw: the line is the API's own record.
    ///   - addsPage: the line ends with a member `page`.
    package init(_ source: Source, isRaw: Bool = false, addsPage: Bool = false) {
        self.source = source
        self.isRaw = isRaw
        self.addsPage = addsPage
    }

    /// Maps one record into `line`, `id` and `name`.
    /// - Parameters:
    ///   - record: one JSON object, checked before.
    ///   - page: its page's number.
    package mutating func map(_ record: Span<UInt8>, page: Int?) throws(JSONError) {
        try read(record)
        try findCommon(record)
        line.removeAll(keepingCapacity: true)
        if isRaw {
            Self.append(record, to: &line)
            line.removeLast()
        } else {
            writeMembers(record)
        }
        if addsPage, let page {
            if !isRaw || !members.isEmpty { line.append(UInt8(ascii: ",")) }
            line.append(contentsOf: "\"page\":\(page)".utf8)
        }
        line.append(UInt8(ascii: "}"))
    }

    private mutating func read(_ record: Span<UInt8>) throws(JSONError) {
        members.removeAll(keepingCapacity: true)
        var reader = JSONReader(record)
        try reader.beginRecord()
        while case .name(let name)? = try reader.next() {
            guard let value = try JSONValue.next(&reader) else { return }
            members.append(Member(name: name, value: value))
        }
    }

    private mutating func findCommon(_ record: Span<UInt8>) throws(JSONError) {
        common.removeAll(keepingCapacity: true)
        id = nil
        name = []
        for member in source.members {
            for path in member.paths {
                guard let (place, value) = try find(path, in: record), let text = value.text(in: record) else {
                    continue
                }
                let trimmed = Self.trimmed(text)
                guard !trimmed.isEmpty else { continue }
                let kept = member.name.isTrimmed ? trimmed : text[...]
                if member.name == .id { id = Array(kept) }
                if member.name == .name { name = text }
                if path.names.count == 1 { members[place].isCommon = true }
                common.append((Array(member.name.rawValue.utf8), Self.json(value, record, kept, of: text)))
                break
            }
        }
    }

    /// Of members with the same name the last one counts.
    private func find(
        _ path: MemberPath, in record: Span<UInt8>
    ) throws(JSONError) -> (place: Int, value: JSONValue)? {
        guard let place = place(of: path.names[0], in: record) else { return nil }
        guard path.names.count > 1 else { return (place, members[place].value) }
        return try MemberPath.values(of: [path], in: record)[0].map { (place, $0) }
    }

    private func place(of name: [UInt8], in record: Span<UInt8>) -> Int? {
        var place = members.count
        while place > 0 {
            place -= 1
            if Self.isEqual(members[place].name, name, in: record) { return place }
        }
        return nil
    }

    /// Whether a member's name is this text. Without escapes its bytes are compared where they stand.
    private static func isEqual(_ name: JSONString, _ text: [UInt8], in record: Span<UInt8>) -> Bool {
        guard !name.hasEscapes else { return MemberPath.text(of: name, in: record) == text }
        return name.range.count == text.count && record.extracting(name.range).equals(text.span)
    }

    /// The value as the API wrote it, or what is left of it as a string.
    private static func json(
        _ value: JSONValue, _ record: Span<UInt8>, _ kept: ArraySlice<UInt8>, of text: [UInt8]
    ) -> [UInt8] {
        var json: [UInt8] = []
        if case .string = value.token, kept.count == text.count {
            json.append(record.extracting(value.range))
        } else {
            JSONWriter.appendString(Array(kept).span, to: &json)
        }
        return json
    }

    private mutating func writeMembers(_ record: Span<UInt8>) {
        line.append(contentsOf: "{\"source\":".utf8)
        JSONWriter.appendString(source.name, to: &line)
        for (name, json) in common {
            line.append(contentsOf: ",\"".utf8)
            line.append(contentsOf: name)
            line.append(contentsOf: "\":".utf8)
            line.append(contentsOf: json)
        }
        for member in members where !member.isCommon {
            line.append(contentsOf: ",\"".utf8)
            for _ in 0..<underscores(before: member.name, in: record) { line.append(UInt8(ascii: "_")) }
            line.append(record.extracting(member.name.range))
            line.append(contentsOf: "\":".utf8)
            Self.append(record.extracting(member.value.range), to: &line)
        }
    }

    /// How many must stand before a member's own name, so that no common one has it, and no other one of the API.
    private func underscores(before name: JSONString, in record: Span<UInt8>) -> Int {
        guard isTaken(name, in: record) else { return 0 }
        var count = 1
        var longer = [UInt8(ascii: "_")] + MemberPath.text(of: name, in: record)
        while let place = place(of: longer, in: record), !members[place].isCommon {
            longer.insert(UInt8(ascii: "_"), at: 0)
            count += 1
        }
        return count
    }

    private func isTaken(_ name: JSONString, in record: Span<UInt8>) -> Bool {
        for taken in common where Self.isEqual(name, taken.name, in: record) { return true }
        return Self.isEqual(name, Self.sourceName, in: record)
            || addsPage && Self.isEqual(name, Self.pageName, in: record)
    }

    /// Appends JSON without the runs of white space that hold a line end. They never stand in a string.
    private static func append(_ json: Span<UInt8>, to line: inout [UInt8]) {
        guard json.firstIndex(of: 0x0A) != nil || json.firstIndex(of: 0x0D) != nil else { return line.append(json) }
        var copied = 0
        var index = 0
        while index < json.count {
            guard json[index] == 0x0A || json[index] == 0x0D else {
                index += 1
                continue
            }
            var lower = index
            while lower > copied, isSpace(json[lower - 1]) { lower -= 1 }
            while index < json.count, isSpace(json[index]) { index += 1 }
            line.append(json.extracting(copied..<lower))
            copied = index
        }
        line.append(json.extracting(copied...))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// The text without the white space of Unicode at its ends.
    private static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
        // Most texts begin and end with a sign of ASCII.
        if let first = text.first, let last = text.last, isSign(first), isSign(last) { return text[...] }
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        let leading = scalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
        guard leading < text.count else { return [] }
        let trailing = scalars.reversed().prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
        return text[leading..<text.count - trailing]
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x80 }
}
