// Where a query was found, for `--explain`.

import PipelineCore

/// A match in a string of a record.
struct FoundText {
    /// Where the string begins in the line, at its quote.
    let valueStart: Int
    /// The bytes of the line that the query was found in; whole escapes.
    let range: Range<Int>

    /// - Parameters:
    ///   - content: where the string's bytes stand in the line, between the quotes.
    ///   - match: the bytes of the decoded text.
    init(content: Range<Int>, match: Range<Int>, in line: Span<UInt8>) {
        valueStart = content.lowerBound - 1
        let source = line.extracting(content)
        let start = JSONStringDecoder.sourceOffset(of: match.lowerBound, in: source)
        let end = JSONStringDecoder.sourceOffset(of: match.upperBound, in: source)
        range = content.lowerBound + start..<content.lowerBound + end
    }

    /// The line on stderr: `{"line":3,"field":"name","start":19,"end":23,"rule":"anywhere"}`.
    func explanation(line number: Int, of line: Span<UInt8>, rule: String) throws(JSONError) -> String {
        let path = try JSONPlace.path(to: valueStart, in: line, style: .short) ?? "$"
        var field: [UInt8] = []
        JSONWriter.appendString(path, to: &field)
        let quoted = field.span.text
        return "{\"line\":\(number),\"field\":\(quoted),\"start\":\(range.lowerBound),\"end\":\(range.upperBound),"
            + "\"rule\":\"\(rule)\"}"
    }
}
