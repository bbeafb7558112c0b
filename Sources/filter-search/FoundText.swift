// The location of a match, for `--explain` and colours, and the line of `--explain`.

import PipelineCore

/// A match in a string of a record.
struct FoundText {
    /// Where the string begins in the line, at its quote.
    let valueStart: Int
    /// The matching bytes of the line, extended to whole escapes.
    let range: Range<Int>

    /// - Parameters:
    ///   - content: the range of the string in the line, between the quotes.
    ///   - match: the range in the decoded text.
    init(content: Range<Int>, match: Range<Int>, in line: Span<UInt8>) {
        valueStart = content.lowerBound - 1
        let source = line.extracting(content)
        let start = JSONStringDecoder.sourceOffset(of: match.lowerBound, in: source)
        let end = JSONStringDecoder.sourceOffset(of: match.upperBound, in: source)
        range = content.lowerBound + start..<content.lowerBound + end
    }

    /// What `--explain` tells of the match.
    /// - Parameter file: nil if only one is read.
    func explanation(
        file: String?, line number: Int, of line: Span<UInt8>, rule: String
    ) -> MatchExplanation {
        let path = JSONLocation.path(toPart: valueStart, in: line, style: .short)
        return MatchExplanation(file: file, line: number, place: (path, range), rule: rule)
    }
}

extension [Range<Int>] {
    /// The ranges in ascending order, those that overlap or touch in one, and none empty.
    var merged: [Range<Int>] {
        var merged: [Range<Int>] = []
        for range in sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) })
        where !range.isEmpty {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

/// Where and how a record matched.
struct MatchExplanation: Sendable {
    /// Nil if only one file is read.
    let file: String?
    let line: Int
    /// The path of the string that matched, and the bytes of the line; nil if the conditions alone decided.
    let place: (field: String, range: Range<Int>)?
    let rule: String

    /// - Parameter rank: under `--best` the record's place among them, from 1.
    func text(rank: Int? = nil) -> String {
        ByteBuffer.object { object in
            if let file { object.addMember("file", file) }
            object.addMember("line", line)
            if let place {
                object.addMember("field", place.field)
                object.addMember("start", place.range.lowerBound)
                object.addMember("end", place.range.upperBound)
            }
            object.addMember("rule", rule)
            if let rank { object.addMember("rank", rank) }
        }.text
    }
}
