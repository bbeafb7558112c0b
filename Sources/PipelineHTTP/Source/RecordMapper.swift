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
    /// Where a common member is looked for.
    private struct Place: Sendable {
        let step: Int?
        let replacement: (old: String, new: String)?
        /// The name where the path is one member, which needs no evaluator.
        let member: [UInt8]?
        var evaluator: JSONPathEvaluator
    }

    private struct Common: Sendable {
        let name: Source.CommonName
        /// As it stands in the line, with what is around it: `,"imageURL":`.
        let label: [UInt8]
        let nameText: [UInt8]
        var places: [Place]
    }

    private let isRaw: Bool
    private let addsPage: Bool
    /// `{"source":"disney"`
    private let start: [UInt8]
    private var common: [Common]
    private var members: [JSONMember] = []
    /// Which members became common ones.
    private var isCommon: [Bool] = []
    /// Which members' names have escapes, so that their bytes aren't their text.
    private var isEscaped: [Bool] = []
    /// The names that no other member may have: `source`, the common ones of this record, `page`.
    private var taken: [[UInt8]] = []
    private var text: [UInt8] = []

    /// The record as a line, without its end.
    package private(set) var line: [UInt8] = []
    /// The record's id as text, empty where it has none.
    package private(set) var id: [UInt8] = []
    /// The record's name as text, empty where it has none.
    package private(set) var name: [UInt8] = []

    /// - Parameters:
    ///   - isRaw: the line is the API's own record.
    ///   - addsPage: the line ends with a member `page`.
    package init(_ source: Source, isRaw: Bool = false, addsPage: Bool = false) {
        self.isRaw = isRaw
        self.addsPage = addsPage
        var start = Array("{\"source\":".utf8)
        JSONWriter.appendString(source.name, to: &start)
        self.start = start
        common = source.members.map { member in
            Common(
                name: member.name, label: Array(",\"\(member.name.rawValue)\":".utf8),
                nameText: Array(member.name.rawValue.utf8),
                places: member.places.map { place in
                    Place(
                        step: place.step, replacement: place.replacement,
                        member: place.step == nil ? place.path.simpleMember : nil,
                        evaluator: JSONPathEvaluator(place.path))
                })
        }
    }

    /// Maps one record into `line`, `id` and `name`.
    /// - Parameters:
    ///   - record: one JSON object, checked before.
    ///   - page: its page's number.
    ///   - steps: the answers of the steps of `expand`, checked too; nil for those that are missing.
    /// - Throws: `tooMuchForPath`.
    package mutating func map(
        _ record: Span<UInt8>, page: Int? = nil, steps: [[UInt8]?] = []
    ) throws(JSONError) {
        line.removeAll(keepingCapacity: true)
        id.removeAll(keepingCapacity: true)
        name.removeAll(keepingCapacity: true)
        taken.removeAll(keepingCapacity: true)
        JSONMember.all(of: record, into: &members)
        isCommon.removeAll(keepingCapacity: true)
        isCommon.append(contentsOf: repeatElement(false, count: members.count))
        isEscaped.removeAll(keepingCapacity: true)
        for member in members { isEscaped.append(Self.hasEscapes(record, member.name)) }
        line.append(contentsOf: start)
        taken.append(Self.sourceName)
        for index in common.indices { try appendCommon(index, record, steps) }
        if addsPage { taken.append(Self.pageName) }
        if isRaw {
            line.removeAll(keepingCapacity: true)
            Self.append(record, to: &line)
            line.removeLast()
        } else {
            appendMembers(record)
        }
        if addsPage, let page {
            if !isRaw || !members.isEmpty { line.append(UInt8(ascii: ",")) }
            line.append(contentsOf: "\"page\":\(page)".utf8)
        }
        line.append(UInt8(ascii: "}"))
    }

    private static let sourceName = Array("source".utf8)
    private static let pageName = Array("page".utf8)

    // MARK: Common members

    /// Appends the common member from the first place that gives a text.
    private mutating func appendCommon(
        _ index: Int, _ record: Span<UInt8>, _ steps: [[UInt8]?]
    ) throws(JSONError) {
        for place in common[index].places.indices {
            if let name = common[index].places[place].member {
                guard let member = last(name, in: record) else { continue }
                if append(common[index], place, members[member].value, record) {
                    isCommon[member] = true
                    return
                }
            } else if let step = common[index].places[place].step {
                guard step < steps.count, let document = steps[step] else { continue }
                if try append(index, place, document.span) { return }
            } else if try append(index, place, record) {
                return
            }
        }
    }

    /// Appends the first text that the place's path finds.
    private mutating func append(_ index: Int, _ place: Int, _ document: Span<UInt8>) throws(JSONError) -> Bool {
        try common[index].places[place].evaluator.evaluate(document, isChecked: true)
        // Not by a loop over the nodes: that would hold a second reference to them, and copy them at the next record.
        for node in 0..<common[index].places[place].evaluator.nodes.count {
            let found = common[index].places[place].evaluator.nodes[node]
            if append(common[index], place, found, document) { return true }
        }
        return false
    }

    /// - Returns: whether the value is a text, and not an empty one.
    private mutating func append(_ member: Common, _ place: Int, _ value: JSONNode, _ json: Span<UInt8>) -> Bool {
        text.removeAll(keepingCapacity: true)
        switch value.kind {
        case .string: JSONStringDecoder.append(json.extracting(value.content), to: &text)
        case .number: text.append(json.extracting(value.range))
        default: return false
        }
        if let (old, new) = member.places[place].replacement {
            text = Array(text.span.text.replacing(old, with: new, maxReplacements: 1).utf8)
        }
        let kept = Self.trimmed(text)
        guard !kept.isEmpty else { return false }
        let isWhole = kept.count == text.count || !member.name.isTrimmed
        line.append(contentsOf: member.label)
        if value.kind == .string, isWhole, member.places[place].replacement == nil {
            line.append(json.extracting(value.range))
        } else {
            Self.appendString(text, isWhole ? 0..<text.count : kept, to: &line)
        }
        if member.name == .id { id += text[kept] }
        if member.name == .name { name += text }
        taken.append(member.nameText)
        return true
    }

    private static func appendString(_ text: [UInt8], _ range: Range<Int>, to line: inout [UInt8]) {
        JSONWriter.appendString(text.span.extracting(range), to: &line)
    }

    /// Of members with the same name the last one counts.
    private func last(_ name: [UInt8], in record: Span<UInt8>) -> Int? {
        var place = members.count
        while place > 0 {
            place -= 1
            if isNamed(place, name, in: record) { return place }
        }
        return nil
    }

    /// Whether a member's name is this text.
    private func isNamed(_ member: Int, _ text: [UInt8], in record: Span<UInt8>) -> Bool {
        let name = members[member].name
        guard !isEscaped[member] else { return JSONStringDecoder.equals(record.extracting(name), text.span) }
        return name.count == text.count && record.extracting(name).equals(text.span)
    }

    private static func hasEscapes(_ record: Span<UInt8>, _ name: Range<Int>) -> Bool {
        for index in name where record[index] == UInt8(ascii: "\\") { return true }
        return false
    }

    // MARK: The API's own members

    private mutating func appendMembers(_ record: Span<UInt8>) {
        for index in members.indices where !isCommon[index] {
            let member = members[index]
            line.append(UInt8(ascii: ","))
            line.append(UInt8(ascii: "\""))
            for _ in 0..<underscores(before: index, in: record) { line.append(UInt8(ascii: "_")) }
            line.append(record.extracting(member.name))
            line.append(UInt8(ascii: "\""))
            line.append(UInt8(ascii: ":"))
            Self.append(record.extracting(member.value.range), to: &line)
        }
    }

    /// How many must stand before a member's own name, so that no common one has it, and no other one of the API.
    private func underscores(before member: Int, in record: Span<UInt8>) -> Int {
        guard taken.contains(where: { isNamed(member, $0, in: record) }) else { return 0 }
        var count = 1
        var longer = [UInt8(ascii: "_")]
        JSONStringDecoder.append(record.extracting(members[member].name), to: &longer)
        while let place = last(longer, in: record), !isCommon[place] {
            longer.insert(UInt8(ascii: "_"), at: 0)
            count += 1
        }
        return count
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
    private static func trimmed(_ text: [UInt8]) -> Range<Int> {
        // Most texts begin and end with a sign of ASCII.
        if let first = text.first, let last = text.last, isSign(first), isSign(last) { return 0..<text.count }
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        let leading = scalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
        guard leading < text.count else { return 0..<0 }
        let trailing = scalars.reversed().prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
        return leading..<text.count - trailing
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x80 }
}
