// The members that a description adds under names of its own, after the common ones. Their values are JSON of any type,
// copied as it is:
//
//     "members": {"id": "id", "maker": "$.artist.name", "years": "life_span"}
//     {"id":7,"artist":{"name":"Vos"},"life_span":[12,15],"maker":"?"}
//     {"source":"lamps","id":"7","maker":"Vos","years":[12,15],"artist":{"name":"Vos"},"_maker":"?"}

import PipelineCore
import PipelineHTTP

extension RecordMapper {
    struct Own: Sendable {
        let bit: Int
        /// The name as written in the line, with punctuation: `,"maker":`.
        let label: [UInt8]
        let ownName: Int
        let locations: Range<Int>

        init(_ member: Source.OwnMember, bit: Int, ownName: Int, locations: Range<Int>) {
            self.bit = bit
            self.ownName = ownName
            self.locations = locations
            var label = [UInt8(ascii: ",")]
            JSONWriter.appendString(member.name, to: &label)
            self.label = label + [UInt8(ascii: ":")]
        }
    }

    /// Where a value may be: in the record, or in the response of a step.
    private struct Document: ~Escapable {
        let text: Span<UInt8>
        let hasLineEnds: Bool

        @_lifetime(copy text)
        init(_ text: Span<UInt8>, hasLineEnds: Bool) {
            self.text = text
            self.hasLineEnds = hasLineEnds
        }
    }

    /// The first location that finds more than an empty value gives the member. Where none does, an empty value is written
    /// as it is, so that the member is there whenever the record has it.
    /// - Returns: false if no location finds anything.
    mutating func appendOwn(
        _ index: Int, _ record: Span<UInt8>, _ members: Span<JSONMember>, _ steps: [HTTPResponse],
        hasLineEnds: Bool
    ) throws(ToolFailure) -> Bool {
        for takesEmpty in [false, true] {
            for location in own[index].locations {
                if let name = locations[location].name {
                    // Of members with the same name the last one counts.
                    guard let known = roles.known.lastIndex(where: { $0.name == name }) else { continue }
                    let range = members[roles.known[known].member].valueRange
                    let value = JSONNode(range: range, kind: JSONNode.Kind(firstByte: record[range.lowerBound]))
                    let document = Document(record, hasLineEnds: hasLineEnds)
                    guard append(own: index, location, value, document, takesEmpty) else { continue }
                    // Only the first location moves the record's member: a fallback is a member of its own in other records.
                    let isMoved = location == own[index].locations.lowerBound || name == own[index].ownName
                    roles.take(own[index].ownName, by: isMoved ? known : nil)
                    return true
                }
                let isFound: Bool
                if let step = locations[location].described.step {
                    guard step < steps.count else { continue }
                    let response = steps[step]
                    let document = Document(response.body.span, hasLineEnds: true)
                    isFound = try append(own: index, location, document, takesEmpty)
                } else {
                    let document = Document(record, hasLineEnds: hasLineEnds)
                    isFound = try append(own: index, location, document, takesEmpty)
                }
                guard isFound else { continue }
                roles.take(own[index].ownName, by: nil)
                return true
            }
        }
        return false
    }

    /// Appends the first value that the location's path finds, or its composed text.
    private mutating func append(
        own index: Int, _ location: Int, _ document: borrowing Document, _ takesEmpty: Bool
    ) throws(ToolFailure) -> Bool {
        if let composed = try locations[location].evaluator.composed?.text(in: document.text) {
            text = composed
            appendText(own: index, location)
            return true
        }
        try locations[location].evaluator.path?.find(in: document.text)
        // A loop over the nodes would hold a second reference to them, and copy them at the next record.
        for node in 0..<(locations[location].evaluator.path?.nodes.count ?? 0) {
            guard let found = locations[location].evaluator.path?.nodes[node] else { break }
            if append(own: index, location, found, document, takesEmpty) { return true }
        }
        return false
    }

    private mutating func append(
        own index: Int, _ location: Int, _ value: JSONNode, _ document: borrowing Document, _ takesEmpty: Bool
    ) -> Bool {
        guard takesEmpty || !Self.isEmpty(value, in: document.text) else { return false }
        if locations[location].described.replacement != nil, value.kind == .string {
            text.removeAll(keepingCapacity: true)
            _ = value.appendScalar(in: document.text, to: &text)
            appendText(own: index, location)
            return true
        }
        Self.append(own[index].label, to: &lines)
        append(document.text.extracting(value.range), document.hasLineEnds)
        return true
    }

    private mutating func appendText(own index: Int, _ location: Int) {
        if let (old, new) = locations[location].described.replacement {
            text = Array(text.span.text.replacing(old, with: new, maxReplacements: 1).utf8)
        }
        Self.append(own[index].label, to: &lines)
        let text = text
        JSONWriter.appendString(text.span, to: &lines)
    }

    /// Null, a text of white space, and what has no elements or members.
    private static func isEmpty(_ value: JSONNode, in json: Span<UInt8>) -> Bool {
        switch value.kind {
        case .null: return true
        case .boolean, .number: return false
        case .string:
            var text: [UInt8] = []
            _ = value.appendScalar(in: json, to: &text)
            return trimmed(text).isEmpty
        case .object, .array:
            let inner = json.extracting(value.range.lowerBound + 1..<value.range.upperBound - 1)
            return inner.indices.allSatisfy { inner[$0].isJSONSpace }
        }
    }
}

extension Source.TextPlace {
    /// A text that is composed behind this beginning is a URL, in which each part stays in its place.
    var beginsAsURL: Bool { ["http://", "https://"].contains { text.hasPrefix($0) } }
}
