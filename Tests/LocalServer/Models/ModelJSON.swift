// JSON as the models write it: trees as literals in the code, and records as their files have them.

package import PipelineCore

extension JSONTree: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation {
    package init(dictionaryLiteral members: (String, JSONTree)...) { self = .object(members.map { ($0.0, $0.1) }) }
    package init(arrayLiteral values: JSONTree...) { self = .array(values) }
    package init(stringLiteral text: String) { self = .string(text) }
}

extension JSONTree {
    /// A text that is JSON already. A number is written as it was read, and so is this.
    static func verbatim(_ json: [UInt8]) -> JSONTree { .number(String(decoding: json, as: UTF8.self)) }

    static func optional(_ text: String?) -> JSONTree { text.map { .string($0) } ?? .null }

    /// A text, a number or a flag as text.
    var text: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        default: nil
        }
    }
}

extension Response {
    static func json(_ value: JSONTree, status: Int = 200, headers: [Header] = []) -> Response {
        .json(Array(value.json.utf8), status: status, headers: headers)
    }
}
