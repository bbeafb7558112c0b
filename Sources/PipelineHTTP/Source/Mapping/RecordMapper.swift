// Maps a record of an API to a line: the common members first, then all others in their order.
//
//     {"_id":6,"films":["X"],"name":"Mick","sourceUrl":"","url":"https://…/6"}
//     {"source":"disney","id":"6","name":"Mick","pageURL":"https://…/6","films":["X"],"sourceUrl":""}
//
// Values are copied byte for byte, except for white space around ids and URLs, relative URLs, and white space between
// tokens if it contains a line end.

package import PipelineCore

/// The response of a step of `expand`.
package struct StepResponse: Sendable {
    /// Checked JSON.
    package let body: [UInt8]
    /// After redirects.
    package let url: HTTPURL?

    package init(_ body: [UInt8], from url: HTTPURL?) {
        self.body = body
        self.url = url
    }
}

/// Maps the records of one source. Reuses its buffers.
package struct RecordMapper: ~Copyable {
    /// Where to look for a common member.
    private struct Location: Sendable {
        let step: Int?
        let replacement: (old: String, new: String)?
        /// If the path is a single member, the index of its name in `names`. It then needs no evaluator.
        let name: Int?
        /// Nil for a composed text.
        var evaluator: JSONPathEvaluator?
        var composed: ComposedTextEvaluator?

        init(_ location: Source.MemberLocation, name: Int?) {
            step = location.step
            replacement = location.replacement
            self.name = name
            switch location.place {
            case .path(let path): evaluator = JSONPathEvaluator(path)
            case .composed(let text): composed = ComposedTextEvaluator(text)
            }
        }
    }

    private struct Common: Sendable {
        let name: Source.CommonName
        let isURL: Bool
        /// Its bit in `presence`.
        let bit: UInt8
        /// Of `labels`: the name as written in the line, with punctuation: `,"imageURL":`.
        let label: Range<Int>
        /// Its index in `names`.
        let ownName: Int
        /// Of `locations`.
        let locations: Range<Int>
    }

    private let isRaw: Bool
    private let addsPage: Bool
    private let addsEach: Bool
    /// The value of the last member, `each`: a JSON object.
    package var each = "{}"
    /// `{"source":"disney"`
    private let start: [UInt8]
    private var common: [Common] = []
    private var labels: [UInt8] = []
    private var locations: [Location] = []
    private var names = NameTable()
    /// By index in `names`: no member of the API's own may have that name in any record.
    private var taken: [Bool] = []
    var roles = KnownMembers()
    private var outline = RecordOutline()
    private var text: [UInt8] = []
    /// The response that the records are from. Relative URLs in them are made absolute against it.
    package var url: HTTPURL?
    private var stepURLs: [HTTPURL?] = []
    /// The common members found in all records so far.
    package var presence = MemberPresence()

    /// The lines so far. The last one lacks its line end until `endLine`.
    var lines = ByteBuffer()
    /// Where the last one starts.
    private var lineStart = 0
    /// The record's id as text. Empty if it has none.
    package private(set) var id: [UInt8] = []
    /// The record's name as text. Empty if it has none.
    package private(set) var name: [UInt8] = []

    /// - Parameters:
    ///   - isRaw: the line is the API's record itself.
    ///   - addsPage: the line ends with a member `page`.
    ///   - addsEach: the line ends with a member `each`.
    package init(_ source: Source, isRaw: Bool = false, addsPage: Bool = false, addsEach: Bool = false) {
        self.isRaw = isRaw
        self.addsPage = addsPage
        self.addsEach = addsEach
        var start = Array("{\"source\":".utf8)
        JSONWriter.appendString(source.name, to: &start)
        self.start = start
        let reserved = ["source"] + (addsPage ? ["page"] : []) + (addsEach ? ["each"] : [])
        for name in reserved { _ = names.index(adding: Array(name.utf8)) }
        for member in source.members {
            let first = (location: locations.count, label: labels.count)
            for location in member.locations {
                var name: Int?
                if location.step == nil, case .path(let path) = location.place {
                    name = path.simpleMember.map { names.index(adding: $0) }
                }
                locations.append(Location(location, name: name))
            }
            labels += ",\"\(member.name.rawValue)\":".utf8
            common.append(
                Common(
                    name: member.name, isURL: member.name.isURL, bit: MemberPresence.bit(of: member.name),
                    label: first.label..<labels.count,
                    ownName: names.index(adding: Array(member.name.rawValue.utf8)),
                    locations: first.location..<locations.count))
        }
        taken = (0..<names.count).map { $0 < reserved.count }
    }

    /// Maps one record to a line after the previous ones, and sets `id` and `name`.
    /// - Parameters:
    ///   - record: one JSON object, already checked.
    ///   - page: its page's number.
    ///   - steps: the responses of the steps of `expand`, already checked. Nil for those that are missing.
    /// - Throws: `tooMuchForPath`.
    package mutating func map(
        _ record: Span<UInt8>, page: Int? = nil, steps: [StepResponse?] = []
    ) throws(JSONError) {
        var outline = outline
        self.outline = RecordOutline()
        defer { self.outline = outline }
        outline.removeAll()
        outline.add(0..<record.count, of: record)
        try map(record, outline, 0, page: page, steps: steps)
    }

    /// Maps one of the records found in a text.
    /// - Parameter text: the text of the outline.
    package mutating func map(
        _ text: Span<UInt8>, _ outline: RecordOutline, _ index: Int, page: Int? = nil,
        steps: [StepResponse?] = []
    ) throws(JSONError) {
        let location = outline.records[index]
        let record = text.extracting(location.range)
        let members = outline.members.span.extracting(location.members)
        lineStart = lines.count
        id.removeAll(keepingCapacity: true)
        name.removeAll(keepingCapacity: true)
        roles.begin(members, of: record, names, taken: taken)
        Self.append(start, 0..<start.count, to: &lines)
        presence.beginRecord()
        if !steps.isEmpty || !stepURLs.isEmpty { stepURLs = steps.map { $0?.url } }
        for index in common.indices {
            if try appendCommon(index, record, members, steps) { presence.insert(common[index].bit) }
        }
        if isRaw {
            lines.truncate(to: lineStart)
            append(record, outline.hasLineEnds)
            lines.truncate(to: lines.count - 1)
        } else {
            appendMembers(record, members, outline.hasLineEnds)
        }
        if addsPage, let page {
            beginMember()
            lines.append("\"page\":")
            lines.append(text: "\(page)")
        }
        if addsEach {
            beginMember()
            lines.append("\"each\":")
            lines.append(text: each)
        }
        lines.append(UInt8(ascii: "}"))
    }

    /// A comma, unless the line has no member yet.
    private mutating func beginMember() {
        if lines.count > lineStart + 1 { lines.append(UInt8(ascii: ",")) }
    }

    /// Ends the record's line and keeps it.
    package mutating func endLine() { lines.append(0x0A) }

    /// Removes the record's line.
    package mutating func dropLine() { lines.truncate(to: lineStart) }

    /// The record's line, without its line end.
    package var line: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.span.extracting(lineStart...) }
    }

    /// Removes all lines.
    package mutating func removeLines() { lines.removeAll() }

    /// All lines so far.
    package var mapped: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.span }
    }

    // MARK: Common members

    /// Appends the common member from the first location that has a text.
    /// - Returns: false if none has.
    private mutating func appendCommon(
        _ index: Int, _ record: Span<UInt8>, _ members: Span<JSONMember>, _ steps: [StepResponse?]
    ) throws(JSONError) -> Bool {
        for location in common[index].locations {
            if let name = locations[location].name {
                guard let known = roles.last(named: name) else { continue }
                let range = members[roles.known[known].member].valueRange
                let value = JSONNode(range: range, kind: JSONNode.Kind(firstByte: record[range.lowerBound]))
                if append(index, location, value, record) {
                    roles.take(common[index].ownName, by: known)
                    return true
                }
            } else if let step = locations[location].step {
                guard step < steps.count, let response = steps[step] else { continue }
                if try append(index, location, response.body.span) { return true }
            } else if try append(index, location, record) {
                return true
            }
        }
        return false
    }

    /// Appends the first text that the location's path finds, or its composed text.
    private mutating func append(_ index: Int, _ location: Int, _ document: Span<UInt8>) throws(JSONError) -> Bool {
        if let composed = try locations[location].composed?.text(in: document) {
            text = composed
            guard finish(index, location) != nil else { return false }
            appendText(index)
            roles.take(common[index].ownName, by: nil)
            return true
        }
        try locations[location].evaluator?.evaluate(document, isChecked: true)
        // A loop over the nodes would hold a second reference to them, and copy them at the next record.
        for node in 0..<(locations[location].evaluator?.nodes.count ?? 0) {
            guard let found = locations[location].evaluator?.nodes[node] else { break }
            if append(index, location, found, document) {
                roles.take(common[index].ownName, by: nil)
                return true
            }
        }
        return false
    }

    /// - Returns: whether the value is a non-empty text.
    private mutating func append(_ index: Int, _ location: Int, _ value: JSONNode, _ json: Span<UInt8>) -> Bool {
        let content: Span<UInt8>
        switch value.kind {
        case .string: content = json.extracting(value.content)
        case .number: content = json.extracting(value.range)
        default: return false
        }
        guard locations[location].replacement == nil, Self.isPlain(content),
            !common[index].isURL || Self.isAbsolute(content)
        else {
            return appendDecoded(index, location, value, json)
        }
        Self.append(labels, common[index].label, to: &lines)
        if value.kind == .number { lines.append(UInt8(ascii: "\"")) }
        lines.append(json.extracting(value.range))
        if value.kind == .number { lines.append(UInt8(ascii: "\"")) }
        if common[index].name == .id { id.append(content) }
        if common[index].name == .name { name.append(content) }
        return true
    }

    /// Whether the bytes between the quotes are the text itself, with nothing to trim.
    private static func isPlain(_ content: Span<UInt8>) -> Bool {
        guard content.count > 0, isSign(content[0]), isSign(content[content.count - 1]) else { return false }
        return content.firstIndex(of: UInt8(ascii: "\\")) == nil
    }

    /// Whether the text begins with the scheme of http or https.
    private static func isAbsolute(_ text: Span<UInt8>) -> Bool {
        guard text.count > 5, text.extracting(0..<4).equals("http") else { return false }
        return text[4] == UInt8(ascii: ":") || text[4] == UInt8(ascii: "s") && text[5] == UInt8(ascii: ":")
    }

    private mutating func appendDecoded(
        _ index: Int, _ location: Int, _ value: JSONNode, _ json: Span<UInt8>
    ) -> Bool {
        text.removeAll(keepingCapacity: true)
        if value.kind == .string {
            JSONStringDecoder.append(json.extracting(value.content), to: &text)
        } else {
            text.append(json.extracting(value.range))
        }
        guard let isChanged = finish(index, location) else { return false }
        if value.kind == .string, !isChanged {
            Self.append(labels, common[index].label, to: &lines)
            lines.append(json.extracting(value.range))
            keepText(index)
        } else {
            appendText(index)
        }
        return true
    }

    /// Makes the final text of the one just read.
    /// - Returns: whether it has changed. Nil if it is empty.
    private mutating func finish(_ index: Int, _ location: Int) -> Bool? {
        var isChanged = false
        if let (old, new) = locations[location].replacement {
            text = Array(text.span.text.replacing(old, with: new, maxReplacements: 1).utf8)
            isChanged = true
        }
        let kept = Self.trimmed(text)
        guard !kept.isEmpty else { return nil }
        if common[index].name.isTrimmed, kept.count < text.count {
            text = Array(text[kept])
            isChanged = true
        }
        if common[index].isURL, let absolute = url(of: locations[location].step)?.absolute(text.span.text) {
            text = Array(absolute.utf8)
            isChanged = true
        }
        return isChanged
    }

    /// The URL of what a location refers to.
    private func url(of step: Int?) -> HTTPURL? {
        guard let step else { return url }
        return step < stepURLs.count ? stepURLs[step] : nil
    }

    private mutating func appendText(_ index: Int) {
        Self.append(labels, common[index].label, to: &lines)
        let text = text
        JSONWriter.appendString(text.span, to: &lines)
        keepText(index)
    }

    private mutating func keepText(_ index: Int) {
        if common[index].name == .id { id += text }
        if common[index].name == .name { name += text }
    }

    private static func append(_ text: [UInt8], _ range: Range<Int>, to lines: inout ByteBuffer) {
        lines.append(text.span.extracting(range))
    }

    /// The text without Unicode white space at its ends.
    private static func trimmed(_ text: [UInt8]) -> Range<Int> {
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
