// The location of a match, for `--explain`.

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

    /// The line on stderr: `{"line":3,"field":"name","start":19,"end":23,"rule":"anywhere"}`.
    /// - Parameter file: printed first if several files are read.
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

    /// The line for a record that matched by its conditions alone, without a search for text.
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
