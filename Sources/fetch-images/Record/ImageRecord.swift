// A record on its way through: its line without the members to be added, and the position where they go.
//
//     {"name":"Mick","imageFile":{"status":"failed"},"id":1}
//     {"name":"Mick","id":1|}          | the position
//     {"name":"Mick","id":1,"imageFile":{"status":"ok",…}}

package import PipelineCore

package struct ImageRecord: Sendable {
    /// Without its LF.
    let line: [UInt8]
    /// Where it ends, but for white space.
    let brace: Int
    /// The members that have the name of what every record gets.
    let cuts: MemberCuts
    /// These and picture data; nil if there is none or records don't get any.
    let cutsWithData: MemberCuts?
    /// The values of the members in `--name`: a text, or a number as it is written.
    package let labels: [String?]

    package func write(adding member: Span<UInt8>, hasData: Bool = false, to output: inout OutputBuffer) {
        let cuts = hasData ? cutsWithData ?? cuts : cuts
        var position = 0
        for range in cuts.ranges {
            output.append(line.span.extracting(position..<range.lowerBound))
            position = range.upperBound
        }
        output.append(line.span.extracting(position..<brace))
        if cuts.hasKept { output.append(UInt8(ascii: ",")) }
        output.append(member)
        output.append(line.span.extracting(brace...))
    }

    package func adding(_ member: Span<UInt8>, hasData: Bool = false) -> [UInt8] {
        var text = OutputBuffer()
        write(adding: member, hasData: hasData, to: &text)
        return text.take()
    }

    var byteCount: Int { line.count + labels.reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
}

/// Reads a line once: checks that it is a record, finds the URLs of its pictures, and drops members of an earlier run.
package struct ImageRecordReader {
    /// Of one picture, the first field that holds a text counts.
    private var fields: [JSONPathEvaluator]
    private let pictures: PictureChoice
    private var labels: [JSONPathEvaluator]
    private var labelWatch: UnmatchedPaths
    /// The names of the members that are dropped, as every record gets another in their place.
    private let replaced: [[UInt8]]
    /// The name of the picture data, which only records with a picture get; nil if none does.
    private let data: [UInt8]?

    private var sample = RecordSample()
    private var hasFoundURL = false
    /// Records whose field has further texts beside the one that counts.
    package private(set) var recordsWithMore = 0
    /// Records with another value than a text in place of a URL, and where one of them has it.
    package private(set) var recordsWithOther = 0
    private(set) var otherField = ""
    private let usesUsualFields: Bool
    /// Where records of the known services have their pictures.
    private static let usualFields = paths(["imageURL", "imageUrl", "image.url", "image"])

    static func paths(_ texts: [String]) -> [JSONPath] {
        texts.map { text in
            do throws(JSONPathError) { return try JSONPath(text) } catch { preconditionFailure(error.account) }
        }
    }

    /// - Parameter fields: none for the usual ones.
    package init(
        fields: [JSONPath] = [], labels: [JSONPath] = [], pictures: PictureChoice = .first, data: String? = nil
    ) {
        usesUsualFields = fields.isEmpty
        self.fields = (fields.isEmpty ? Self.usualFields : fields).map { JSONPathEvaluator($0) }
        self.labels = labels.map { JSONPathEvaluator($0) }
        labelWatch = UnmatchedPaths(labels.map { ($0, [.string, .number]) })
        self.pictures = pictures
        replaced = pictures.replacedNames.map { Array($0.utf8) }
        self.data = data.map { Array($0.utf8) }
    }

    /// - Parameter line: without its LF; a CR at its end stays.
    /// - Returns: also the texts for its pictures, without white space around them.
    package mutating func read(_ line: Span<UInt8>) throws(JSONError) -> (record: ImageRecord, urls: [String]) {
        var reader = JSONReader(line)
        var cuts = MemberCuts()
        var cutsWithData = MemberCuts()
        var hasData = false
        try reader.beginRecord()
        while case .name(let name) = try reader.next() {
            let start = reader.tokenStart
            if let value = try reader.next() { try reader.skipRest(of: value) }
            let member = start..<reader.position
            let isReplaced = replaced.contains { name.equals($0.span, in: line) }
            cuts.add(member, isDropped: isReplaced, in: line)
            guard let data else { continue }
            let isData = name.equals(data.span, in: line)
            hasData = hasData || isData
            cutsWithData.add(member, isDropped: isReplaced || isData, in: line)
        }
        let brace = reader.tokenStart
        try reader.skipToEnd()
        let urls = try urls(in: line)
        hasFoundURL = hasFoundURL || !urls.isEmpty
        if !hasFoundURL { sample.add(line) }
        if labelWatch.isWatching { labelWatch.look(line) }
        let record = ImageRecord(
            line: line.array, brace: brace, cuts: cuts, cutsWithData: hasData ? cutsWithData : nil,
            labels: try labels(in: line))
        return (record, urls)
    }

    /// For records without a URL. Nil where they have the usual fields, but nothing in them: they have no pictures.
    package func missing(in records: Int) -> Message? {
        let paths = fields.map(\.path)
        let names = paths.map(\.text)
        let list =
            names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1] : names[0]
        let fault =
            records == 1
            ? "the one record has no URL in \(list)" : "none of \(records.grouped) records has a URL in \(list)"
        let advice = sample.advice(for: paths, isOne: records == 1)
        if usesUsualFields, advice == nil, !sample.isEmpty { return nil }
        return "\(fault)\(advice.map { "; \($0)" } ?? ""); --field says where it is"
    }

    package mutating func missingLabels() -> [Message] {
        let findings = labelWatch.take()
        return labels.indices.compactMap {
            let path = labels[$0].path
            return findings.message($0, path, origin: ", used in --name") { kind in
                "--name takes a text or a number" + (kind == .array ? ", such as {\(path.text)[0]}" : "")
            }
        }
    }

    /// The texts that the fields find, in their order; for one picture the first of them.
    private mutating func urls(in line: Span<UInt8>) throws(JSONError) -> [String] {
        var urls: [String] = []
        var other: JSONPath?
        for index in fields.indices {
            let path = fields[index].path
            let nodes = try Self.nodes(&fields[index], line)
            if nodes.contains(where: Self.isOther) { other = path }
            let texts = nodes.filter { $0.kind == .string }
            // Of several members with the same name the last one counts.
            let most = pictures == .all && !path.isSingular ? Int.max : 1
            let found = Self.urls(in: texts, of: line, most: most)
            urls += found
            guard pictures == .first, !found.isEmpty else { continue }
            if texts.count > 1, !path.isSingular { recordsWithMore += 1 }
            return urls
        }
        if urls.isEmpty, let other {
            recordsWithOther += 1
            otherField = other.text
        }
        return urls
    }

    /// A value that has something in it, but isn't a text.
    private static func isOther(_ node: JSONNode) -> Bool {
        switch node.kind {
        case .array, .object: node.range.count > 2
        case .number, .boolean: true
        default: false
        }
    }

    /// URLs in real data end in line ends and spaces.
    private static func urls(in texts: [JSONNode], of line: Span<UInt8>, most: Int) -> [String] {
        var urls: [String] = []
        for node in texts where urls.count < most {
            let url = JSONStringDecoder.decoded(line.extracting(node.content)).trimmed { $0 <= 0x20 }
            if !url.isEmpty { urls.append(String(decoding: url, as: UTF8.self)) }
        }
        return urls
    }

    private mutating func labels(in line: Span<UInt8>) throws(JSONError) -> [String?] {
        var texts: [String?] = []
        for index in labels.indices {
            let node = try Self.nodes(&labels[index], line).first { $0.kind == .string || $0.kind == .number }
            // A number has no escapes.
            let range = node.map { $0.kind == .string ? $0.content : $0.range }
            texts.append(range.map { JSONStringDecoder.decoded(line.extracting($0)).span.text })
        }
        return texts
    }

    /// What a path finds, the node that counts first: of members with the same name the last one.
    private static func nodes(
        _ evaluator: inout JSONPathEvaluator, _ line: Span<UInt8>
    ) throws(JSONError) -> [JSONNode] {
        try evaluator.evaluate(line, isChecked: true)
        return evaluator.path.isSingular ? evaluator.nodes.reversed() : evaluator.nodes
    }
}

/// Cuts members out of a record, each with one comma.
///
///     {"a":1, "x":2 ,"b":3}       {"x":2, "b":3}
///           └─────┘                └────┘
///     {"a":1 ,"b":3}              { "b":3}
struct MemberCuts: Sendable {
    private(set) var ranges: [Range<Int>] = []
    /// The end of the last dropped member, if no kept one precedes it: a comma after it is dropped too.
    private var dropsCommaFrom: Int?
    /// Whether a member is left, so that a comma is needed before another one.
    private(set) var hasKept = false

    /// - Parameter member: from the quote of its name to the end of its value.
    mutating func add(_ member: Range<Int>, isDropped: Bool, in line: Span<UInt8>) {
        if let end = dropsCommaFrom, let comma = line.firstIndex(of: UInt8(ascii: ","), from: end) {
            ranges.append(end..<comma + 1)
            dropsCommaFrom = nil
        }
        guard isDropped else { return hasKept = true }
        guard hasKept else {
            ranges.append(member)
            dropsCommaFrom = member.upperBound
            return
        }
        // Between two members there is one comma, and white space.
        var comma = member.lowerBound - 1
        while line[comma] != UInt8(ascii: ",") { comma -= 1 }
        ranges.append(comma..<member.upperBound)
    }
}
