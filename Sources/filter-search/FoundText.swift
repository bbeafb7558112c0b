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
    /// - Parameter file: comes first, where several are read.
    func explanation(
        file: String?, line number: Int, of line: Span<UInt8>, rule: String
    ) throws(JSONError) -> String {
        let path = try JSONLocation.path(to: valueStart, in: line, style: .short) ?? "$"
        return Self.explanation(file: file, line: number, rule: rule) { object in
            object.addMember("field", path)
            object.addMember("start", range.lowerBound)
            object.addMember("end", range.upperBound)
        }
    }

    /// The line for a record that no text was looked for in, so that its conditions alone made it match.
    static func explanation(file: String?, line number: Int) -> String {
        explanation(file: file, line: number, rule: "where") { _ in }
    }

    private static func explanation(
        file: String?, line number: Int, rule: String, _ match: (inout ByteBuffer) -> Void
    ) -> String {
        ByteBuffer.object { object in
            if let file { object.addMember("file", file) }
            object.addMember("line", number)
            match(&object)
            object.addMember("rule", rule)
        }.text
    }
}
