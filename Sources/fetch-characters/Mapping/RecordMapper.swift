// Maps a record of an API to a line: the common members first, then all others in their order.
//
//     {"_id":6,"films":["X"],"name":"Mick","sourceUrl":"","url":"https://…/6"}
//     {"source":"disney","id":"6","name":"Mick","pageURL":"https://…/6","films":["X"],"sourceUrl":"","url":"https://…/6"}
//
// A member moves if the first path of a common member leads to it, as `_id` does; `url` is a later path of its list, and stays.
//
// Values are copied byte for byte, but for white space around ids and URLs, relative URLs, and line ends between tokens.

import PipelineCore
import PipelineHTTP

/// Reuses its buffers.
struct RecordMapper: ~Copyable {
    struct Location: Sendable {
        let described: Source.MemberLocation
        /// If the path is a single member, the index of its name in `names`. It then needs no evaluator.
        let name: Int?
        var evaluator: TextEvaluator
    }

    struct Common: Sendable {
        let name: Source.CommonName
        let bit: Int
        /// The name as written in the line, with punctuation: `,"imageURL":`.
        let label: [UInt8]
        let ownName: Int
        let locations: Range<Int>
    }

    private let isRaw: Bool
    private let addsPage: Bool
    private let addsEach: Bool
    /// The value of the last member, `each`: a JSON object.
    var each = "{}"
    /// `{"source":"disney"`
    private let start: [UInt8]
    var common: [Common] = []
    var own: [Own] = []
    var locations: [Location] = []
    private var names = NameTable()
    /// By index in `names`: no member of the API's own may have that name in any record.
    private var taken: [Bool] = []
    /// In `names`, those of the members that are added at the end, `page` and `each`.
    private let addedNames: Range<Int>
    var roles = KnownMembers()
    /// By name, of the latest record: what goes before a member that has it.
    private var underscoreCounts: [Int: Int] = [:]
    private var outline = RecordOutline()
    var text: [UInt8] = []
    /// The response that the records are from. Relative URLs in them are made absolute against it.
    var url: HTTPURL?
    var stepURLs: [HTTPURL] = []
    var presence = MemberPresence()

    /// The lines so far. The last one lacks its line end until the record is wanted.
    var lines = ByteBuffer()
    private var lineStart = 0
    var id: [UInt8] = []
    /// The id is a number in the record, and not a text of digits.
    var isIDNumber = false
    /// The record's name as text. Empty if it has none, as is `id`.
    var name: [UInt8] = []

    /// - Parameter isRaw: the line is the API's record itself.
    init(_ source: Source, isRaw: Bool = false, addsPage: Bool = false, addsEach: Bool = false) {
        self.isRaw = isRaw
        self.addsPage = addsPage
        self.addsEach = addsEach
        var start = Array("{\"source\":".utf8)
        JSONWriter.appendString(source.name, to: &start)
        self.start = start
        var reserved = ["source"]
        if addsPage { reserved.append("page") }
        if addsEach { reserved.append("each") }
        addedNames = 1..<reserved.count
        for name in reserved { _ = names.index(adding: Array(name.utf8)) }
        for member in source.members {
            let places = addLocations(member.locations) { _ in member.name.isURL }
            common.append(
                Common(
                    name: member.name, bit: MemberPresence.bit(of: member.name),
                    label: Array(",\"\(member.name.rawValue)\":".utf8),
                    ownName: names.index(adding: Array(member.name.rawValue.utf8)),
                    locations: places))
        }
        for (index, member) in source.ownMembers.enumerated() {
            let places = addLocations(member.locations) { $0.beginsAsURL }
            let ownName = names.index(adding: Array(member.name.utf8))
            own.append(Own(member, bit: MemberPresence.bit(ofOwn: index), ownName: ownName, locations: places))
        }
        taken = (0..<names.count).map { $0 < reserved.count }
    }

    /// - Parameter isURL: whether a composed text is one.
    private mutating func addLocations(
        _ described: [Source.MemberLocation], isURL: (Source.TextPlace) -> Bool
    ) -> Range<Int> {
        let first = locations.count
        for location in described {
            var name: Int?
            if location.step == nil, case .path(let path) = location.place {
                name = path.simpleMember.map { names.index(adding: $0) }
            }
            let evaluator = TextEvaluator(location.place, isURL: isURL(location.place))
            locations.append(Location(described: location, name: name, evaluator: evaluator))
        }
        return first..<locations.count
    }

    /// Maps one record, a checked object, to a line after the previous ones, and sets `id` and `name`.
    /// - Parameter steps: the responses of the steps of `expand`, as far as there are any.
    /// - Throws: status 76 for a record that is too large for a path.
    mutating func map(_ record: Span<UInt8>, page: Int? = nil, steps: [HTTPResponse] = []) throws(ToolFailure) {
        var outline = outline
        self.outline = RecordOutline()
        defer { self.outline = outline }
        outline.removeAll()
        outline.add(0..<record.count, of: record)
        try map(record, outline, 0, page: page, steps: steps)
    }

    mutating func map(
        _ text: Span<UInt8>, _ outline: RecordOutline, _ index: Int, page: Int? = nil,
        steps: [HTTPResponse] = []
    ) throws(ToolFailure) {
        let location = outline.records[index]
        let record = text.extracting(location.range)
        let members = outline.members.span.extracting(location.members)
        lineStart = lines.count
        id.removeAll(keepingCapacity: true)
        isIDNumber = false
        name.removeAll(keepingCapacity: true)
        roles.begin(members, of: record, names, taken: taken)
        underscoreCounts.removeAll(keepingCapacity: true)
        Self.append(start, to: &lines)
        presence.records &+= 1
        if !steps.isEmpty || !stepURLs.isEmpty { stepURLs = steps.map(\.url) }
        for index in common.indices {
            if try appendCommon(index, record, members, steps) { presence.found |= common[index].bit }
        }
        for index in own.indices {
            let isFound = try appendOwn(index, record, members, steps, hasLineEnds: outline.hasLineEnds)
            if isFound { presence.found |= own[index].bit }
        }
        if isRaw {
            lines.truncate(to: lineStart)
            appendRaw(record, members, outline.hasLineEnds)
            lines.truncate(to: lines.count - 1)
        } else {
            appendMembers(record, members, outline.hasLineEnds)
        }
        var isFirst = isRaw && members.isEmpty
        if addsPage, let page {
            beginMember("page", &isFirst)
            lines.append(text: "\(page)")
        }
        if addsEach {
            beginMember("each", &isFirst)
            lines.append(text: each)
        }
        lines.append(UInt8(ascii: "}"))
    }

    private mutating func beginMember(_ name: StaticString, _ isFirst: inout Bool) {
        lines.append(isFirst ? "\"" : ",\"")
        lines.append(name)
        lines.append("\":")
        isFirst = false
    }

    mutating func dropLine() { lines.truncate(to: lineStart) }

    /// The texts of a record at each place of the id, empty where there is none: only those at one place compare.
    mutating func ids(of record: Span<UInt8>) throws(ToolFailure) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        for location in common.first(where: { $0.name == .id })?.locations ?? 0..<0 {
            var text = try locations[location].evaluator.composed?.text(in: record) ?? []
            try locations[location].evaluator.path?.find(in: record)
            for node in locations[location].evaluator.path?.nodes ?? [] where text.isEmpty {
                _ = node.appendScalar(in: record, to: &text)
            }
            texts.append(locations[location].described.step == nil ? text : [])
        }
        return texts
    }

    var line: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.span.extracting(lineStart...) }
    }

    /// Whether each line is the API's record itself, and nothing in it is looked at.
    var isVerbatim: Bool { isRaw && !addsPage && !addsEach && common.isEmpty && own.isEmpty }

    var mapped: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { lines.span }
    }
}

/// An API's members after the common ones: copied in as few pieces as possible, and renamed where a common one has the name.
extension RecordMapper {
    mutating func appendMembers(_ record: Span<UInt8>, _ members: Span<JSONMember>, _ hasLineEnds: Bool) {
        var next = 0
        for index in roles.known.indices {
            let known = roles.known[index]
            guard known.isCommon || roles.isTaken[known.name] else { continue }
            appendRun(next..<known.member, of: members, record, hasLineEnds)
            if !known.isCommon {
                let underscores = underscores(before: known.name, in: record, members)
                append(members[known.member], underscores: underscores, record, hasLineEnds)
            }
            next = known.member + 1
        }
        appendRun(next..<members.count, of: members, record, hasLineEnds)
    }

    /// Appends the API's record as it is, but for own members that have the name of one that is added: they get underscores.
    private mutating func appendRaw(_ record: Span<UInt8>, _ members: Span<JSONMember>, _ hasLineEnds: Bool) {
        var copied = 0
        for index in roles.known.indices where addedNames.contains(roles.known[index].name) {
            let known = roles.known[index]
            let name = members[known.member].nameRange.lowerBound
            append(record.extracting(copied..<name), hasLineEnds)
            for _ in 0..<underscores(before: known.name, in: record, members) { lines.append(UInt8(ascii: "_")) }
            copied = name
        }
        append(record.extracting(copied...), hasLineEnds)
    }

    /// Appends members unchanged, in one piece as long as only commas separate them.
    private mutating func appendRun(
        _ run: Range<Int>, of members: Span<JSONMember>, _ record: Span<UInt8>, _ hasLineEnds: Bool
    ) {
        var index = run.lowerBound
        while index < run.upperBound {
            let first = members[index]
            index += 1
            guard first.isTight else {
                append(first, underscores: 0, record, hasLineEnds)
                continue
            }
            var end = first.valueEnd
            while index < run.upperBound, members[index].name == end &+ 2, members[index].isTight {
                end = members[index].valueEnd
                index += 1
            }
            lines.append(UInt8(ascii: ","))
            append(record.extracting(Int(first.name) - 1..<Int(end)), hasLineEnds)
        }
    }

    private mutating func append(
        _ member: JSONMember, underscores: Int, _ record: Span<UInt8>, _ hasLineEnds: Bool
    ) {
        lines.append(UInt8(ascii: ","))
        lines.append(UInt8(ascii: "\""))
        for _ in 0..<underscores { lines.append(UInt8(ascii: "_")) }
        lines.append(record.extracting(member.nameRange))
        lines.append(UInt8(ascii: "\""))
        lines.append(UInt8(ascii: ":"))
        append(record.extracting(member.valueRange), hasLineEnds)
    }

    /// The number of underscores to put before this name so that no member that is written has the result. The members are
    /// looked through once for each name, however often a record repeats it.
    private mutating func underscores(
        before name: Int, in record: Span<UInt8>, _ members: Span<JSONMember>
    ) -> Int {
        if let known = underscoreCounts[name] { return known }
        let ending = names[name]
        var taken: Set<Int> = []
        var longer: [UInt8] = []
        for index in members.indices {
            let range = members[index].nameRange
            let first = record[range.lowerBound]
            guard first == UInt8(ascii: "_") || first == UInt8(ascii: "\\") else { continue }
            longer.removeAll(keepingCapacity: true)
            JSONStringDecoder.append(record.extracting(range), to: &longer)
            let count = longer.count - ending.count
            guard count > 0, longer[count...] == ending[...],
                longer[..<count].allSatisfy({ $0 == UInt8(ascii: "_") }), isRaw || !roles.isCommon(index)
            else { continue }
            taken.insert(count)
        }
        var count = 1
        while taken.contains(count) { count += 1 }
        underscoreCounts[name] = count
        return count
    }

    /// Appends JSON without the runs of white space that contain a line end. They are never inside strings.
    mutating func append(_ json: Span<UInt8>, _ hasLineEnds: Bool) {
        guard hasLineEnds else { return lines.append(json) }
        var copied = 0
        var index = 0
        while index < json.count {
            guard json[index] == 0x0A || json[index] == 0x0D else {
                index += 1
                continue
            }
            var lower = index
            while lower > copied, json[lower - 1].isJSONSpace { lower -= 1 }
            while index < json.count, json[index].isJSONSpace { index += 1 }
            lines.append(json.extracting(copied..<lower))
            copied = index
        }
        lines.append(json.extracting(copied...))
    }
}
