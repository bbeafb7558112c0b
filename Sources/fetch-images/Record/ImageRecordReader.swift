// Reads a line once: checks that it is a record, finds the picture's URL, and drops members that an earlier run added.

package import PipelineCore

/// Makes records of lines.
package struct ImageRecordReader {
    /// Where the URL may be, and behind that the members of `--name`.
    private let fields: [FieldPath]
    private let urlFieldCount: Int
    /// Names of members that are added, and therefore dropped where they are already.
    private let added: [[UInt8]]
    private var decoded: [UInt8] = []
    /// What each field holds in this record.
    private var found: [String?] = []

    package init(fields: [FieldPath] = FieldPath.usual, labels: [FieldPath] = [], added: [String]) {
        self.fields = fields + labels
        urlFieldCount = fields.count
        self.added = added.map { Array($0.utf8) }
    }

    /// - Parameter line: without its LF; a CR at its end stays.
    package mutating func read(_ line: Span<UInt8>) throws(JSONError) -> ImageRecord {
        found = [String?](repeating: nil, count: fields.count)
        var reader = JSONReader(line)
        var cuts = MemberCuts()
        try reader.beginRecord()
        while case .name(let name) = try reader.next() {
            let start = reader.tokenStart
            try readMember(name, in: line, &reader, level: 0, among: Array(fields.indices))
            cuts.add(start..<reader.position, isDropped: isAdded(decoded), in: line)
        }
        let brace = reader.tokenStart
        try reader.skipToEnd()
        let (kept, place) = cuts.apply(to: line, brace: brace)
        return ImageRecord(
            line: kept, brace: place, hasMembers: cuts.hasKept,
            url: found[..<urlFieldCount].lazy.compactMap { $0 }.first, labels: Array(found[urlFieldCount...]))
    }

    private func isAdded(_ name: [UInt8]) -> Bool { added.contains(name) }

    /// Reads the value of a member whose name was just read. Afterwards `decoded` is the name.
    private mutating func readMember(
        _ name: JSONString, in line: Span<UInt8>, _ reader: inout JSONReader, level: Int, among candidates: [Int]
    ) throws(JSONError) {
        let text = Self.decoded(name, in: line)
        let matching = candidates.filter { fields[$0].names.count > level && fields[$0].names[level] == text }
        defer { decoded = text }
        guard let value = try reader.next() else { return }
        let isDeeper = matching.contains { fields[$0].names.count > level + 1 }
        if case .string(let string) = value {
            for field in matching where fields[field].names.count == level + 1 {
                found[field] = field < urlFieldCount ? Self.url(string, in: line) : Self.text(string, in: line)
            }
        } else if case .number(let number) = value {
            for field in matching where field >= urlFieldCount && fields[field].names.count == level + 1 {
                found[field] = line.extracting(number.range).text
            }
        } else if value == .beginObject, isDeeper {
            while case .name(let name) = try reader.next() {
                try readMember(name, in: line, &reader, level: level + 1, among: matching)
            }
        } else {
            try reader.skipRest(of: value)
        }
    }

    private static func decoded(_ string: JSONString, in line: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(string.range.count)
        if string.hasEscapes {
            JSONStringDecoder.append(line.extracting(string.range), to: &text)
        } else {
            text.append(line.extracting(string.range))
        }
        return text
    }

    private static func text(_ string: JSONString, in line: Span<UInt8>) -> String {
        String(decoding: decoded(string, in: line), as: UTF8.self)
    }

    /// The text without white space and control characters around it, nil where nothing is left. URLs in real data
    /// come with a line end or a space at their end.
    private static func url(_ string: JSONString, in line: Span<UInt8>) -> String? {
        let bytes = decoded(string, in: line)
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return nil }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
