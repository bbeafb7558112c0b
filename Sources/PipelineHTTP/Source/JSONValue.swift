// A value inside a JSON text, by its place.

package import PipelineCore

/// Where a value stands and what kind it is.
package struct JSONValue: Equatable, Sendable {
    /// From its first byte to its last, quotes and brackets counted.
    package let range: Range<Int>
    /// Its first token.
    package let token: JSONToken

    /// Reads and checks the reader's next value.
    static func next(_ reader: inout JSONReader) throws(JSONError) -> JSONValue? {
        guard let token = try reader.next() else { return nil }
        let start = reader.tokenStart
        try reader.skipRest(of: token)
        return JSONValue(range: start..<reader.position, token: token)
    }

    /// The text of a string, or the digits of a number, as UTF-8; nil for anything else.
    func text(in json: Span<UInt8>) -> [UInt8]? {
        switch token {
        case .string(let string):
            return MemberPath.text(of: string, in: json)
        case .number(let number):
            var digits: [UInt8] = []
            digits.append(json.extracting(number.range))
            return digits
        default:
            return nil
        }
    }
}
