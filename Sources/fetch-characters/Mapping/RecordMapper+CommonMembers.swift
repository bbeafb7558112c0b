// The common members of a record: each from the first of its locations that has a text, copied as it is wherever that is
// what the line needs.

import PipelineCore
import PipelineHTTP

extension RecordMapper {
    /// Appends the common member from the first location that has a text.
    /// - Returns: false if none has.
    mutating func appendCommon(
        _ index: Int, _ record: Span<UInt8>, _ members: Span<JSONMember>, _ steps: [StepResponse]
    ) throws(ToolFailure) -> Bool {
        for location in common[index].locations {
            if let name = locations[location].name {
                guard let known = roles.last(named: name) else { continue }
                let range = members[roles.known[known].member].valueRange
                let value = JSONNode(range: range, kind: JSONNode.Kind(firstByte: record[range.lowerBound]))
                if append(index, location, value, record) {
                    roles.take(common[index].ownName, by: known)
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

    /// Whether the bytes between the quotes are the text itself, with nothing to trim.
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
        if let (old, new) = locations[location].described.replacement {
            text = Array(text.span.text.replacing(old, with: new, maxReplacements: 1).utf8)
            isChanged = true
        }
        let kept = Self.trimmed(text)
        guard !kept.isEmpty else { return nil }
        if common[index].name.isTrimmed, kept.count < text.count {
            text = Array(text[kept])
            isChanged = true
        }
        if common[index].name.isURL,
            let absolute = url(of: locations[location].described.step)?.absolute(text.span.text)
        {
            text = Array(absolute.utf8)
            isChanged = true
        }
        return isChanged
    }

    private func url(of step: Int?) -> HTTPURL? {
        guard let step else { return url }
        return step < stepURLs.count ? stepURLs[step] : nil
    }

    private mutating func appendText(_ index: Int) {
        Self.append(common[index].label, to: &lines)
        let text = text
        JSONWriter.appendString(text.span, to: &lines)
        keepText(index)
    }

    private mutating func keepText(_ index: Int) {
        if common[index].name == .id { id += text }
        if common[index].name == .name { name += text }
    }

    static func append(_ text: [UInt8], to lines: inout ByteBuffer) { lines.append(text.span) }

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
