// The location of a match, for `--explain` and colours.

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
    ) throws(JSONError) -> MatchExplanation {
        let path = try JSONLocation.path(to: valueStart, in: line, style: .short) ?? "$"
        return MatchExplanation(file: file, line: number, place: (path, range), rule: rule)
    }
}
