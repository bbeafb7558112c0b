// The members of an API's record after the common ones: copied unchanged in as few pieces as possible, and renamed
// where a common member has their name.

import PipelineCore
import PipelineHTTP

extension RecordMapper {
    mutating func appendMembers(
        _ record: Span<UInt8>, _ members: Span<JSONMember>, _ hasLineEnds: Bool
    ) {
        var next = 0
        for index in roles.known.indices {
            let known = roles.known[index]
            guard known.isCommon || roles.isTaken[known.name] else { continue }
            appendRun(next..<known.member, of: members, record, hasLineEnds)
            if !known.isCommon {
                let underscores = underscores(before: known.member, in: record, members)
                append(members[known.member], underscores: underscores, record, hasLineEnds)
            }
            next = known.member + 1
        }
        appendRun(next..<members.count, of: members, record, hasLineEnds)
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

    /// The number of underscores to put before a member's name so that no other member has the result.
    private func underscores(before member: Int, in record: Span<UInt8>, _ members: Span<JSONMember>) -> Int {
        var count = 1
        var longer = [UInt8(ascii: "_")]
        JSONStringDecoder.append(record.extracting(members[member].nameRange), to: &longer)
        while let location = Self.last(longer, in: record, members), !roles.isCommon(location) {
            longer.insert(UInt8(ascii: "_"), at: 0)
            count += 1
        }
        return count
    }

    private static func last(_ name: [UInt8], in record: Span<UInt8>, _ members: Span<JSONMember>) -> Int? {
        var location = members.count
        while location > 0 {
            location -= 1
            if JSONStringDecoder.equals(record.extracting(members[location].nameRange), name.span) {
                return location
            }
        }
        return nil
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
            while lower > copied, Self.isSpace(json[lower - 1]) { lower -= 1 }
            while index < json.count, Self.isSpace(json[index]) { index += 1 }
            lines.append(json.extracting(copied..<lower))
            copied = index
        }
        lines.append(json.extracting(copied...))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
