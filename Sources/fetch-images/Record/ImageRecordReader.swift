// Reads a line once: checks that it is a record, finds the picture's URL, and drops members that an earlier run added.

package import PipelineCore

/// Makes records of lines.
package struct ImageRecordReader {
    /// Where the URL may be: the first field that holds a text counts.
    private var fields: [JSONPathEvaluator]
    /// The members of `--name`.
    private var labels: [JSONPathEvaluator]
    /// Names of members that are added, and therefore dropped where they are already.
    private let added: [[UInt8]]

    package init(fields: [FieldPath] = FieldPath.usual, labels: [FieldPath] = [], added: [String]) {
        self.fields = fields.map { JSONPathEvaluator($0.path) }
        self.labels = labels.map { JSONPathEvaluator($0.path) }
        self.added = added.map { Array($0.utf8) }
    }

    /// - Parameter line: without its LF; a CR at its end stays.
    package mutating func read(_ line: Span<UInt8>) throws(JSONError) -> ImageRecord {
        var reader = JSONReader(line)
        var cuts = MemberCuts()
        try reader.beginRecord()
        while case .name(let name) = try reader.next() {
            let start = reader.tokenStart
            if let value = try reader.next() { try reader.skipRest(of: value) }
            cuts.add(start..<reader.position, isDropped: isAdded(name, in: line), in: line)
        }
        let brace = reader.tokenStart
        try reader.skipToEnd()
        let (kept, place) = cuts.apply(to: line, brace: brace)
        return ImageRecord(
            line: kept, brace: place, hasMembers: cuts.hasKept, url: try url(in: line), labels: try labels(in: line)
        )
    }

    private func isAdded(_ name: JSONString, in line: Span<UInt8>) -> Bool {
        let content = line.extracting(name.range)
        return added.contains {
            name.hasEscapes ? Self.decoded(content) == $0 : content.equals($0.span)
        }
    }

    /// The text of the first field that holds one, without white space and control characters around it: URLs in real
    /// data come with a line end or a space at their end.
    private mutating func url(in line: Span<UInt8>) throws(JSONError) -> String? {
        for index in fields.indices {
            for node in try Self.nodes(&fields[index], line) where node.kind == .string {
                let bytes = Self.decoded(line.extracting(node.content))
                guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
                    let last = bytes.lastIndex(where: { $0 > 0x20 })
                else { continue }
                return String(decoding: bytes[first...last], as: UTF8.self)
            }
        }
        return nil
    }

    /// What the members of `--name` hold: a text, or a number as it is written.
    private mutating func labels(in line: Span<UInt8>) throws(JSONError) -> [String?] {
        var texts: [String?] = []
        for index in labels.indices {
            let node = try Self.nodes(&labels[index], line).first { $0.kind == .string || $0.kind == .number }
            texts.append(
                node.map { node in
                    node.kind == .number
                        ? line.extracting(node.range).text
                        : String(decoding: Self.decoded(line.extracting(node.content)), as: UTF8.self)
                })
        }
        return texts
    }

    /// What a path finds, the node that counts first: of members with the same name that is the last one.
    private static func nodes(
        _ evaluator: inout JSONPathEvaluator, _ line: Span<UInt8>
    ) throws(JSONError) -> [JSONNode] {
        try evaluator.evaluate(line, isChecked: true)
        return evaluator.path.isSingular ? evaluator.nodes.reversed() : evaluator.nodes
    }

    private static func decoded(_ content: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        if content.firstIndex(of: UInt8(ascii: "\\")) == nil {
            text.append(content)
        } else {
            JSONStringDecoder.append(content, to: &text)
        }
        return text
    }
}
