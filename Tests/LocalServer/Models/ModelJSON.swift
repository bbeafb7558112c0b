// JSON as the models write it: members in the order in which they stand in the code, records as their files have them.

/// A JSON value that is only ever written.
enum ModelJSON: Sendable {
    case object([(name: String, value: ModelJSON)])
    case array([ModelJSON])
    case string(String)
    case number(Int)
    case bool(Bool)
    case null
    /// A text that is JSON already.
    case raw([UInt8])

    static func texts(_ texts: [String]) -> ModelJSON { .array(texts.map { .string($0) }) }

    static func optional(_ text: String?) -> ModelJSON { text.map { .string($0) } ?? .null }

    /// The members of an object, none for another value.
    var members: [(name: String, value: ModelJSON)] {
        if case .object(let members) = self { members } else { [] }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .string(let text): Self.append(text, to: &bytes)
        case .number(let number): bytes += "\(number)".utf8
        case .bool(let isTrue): bytes += (isTrue ? "true" : "false").utf8
        case .null: bytes += "null".utf8
        case .raw(let json): bytes += json
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension ModelJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    init(dictionaryLiteral members: (String, ModelJSON)...) { self = .object(members.map { ($0.0, $0.1) }) }
    init(arrayLiteral values: ModelJSON...) { self = .array(values) }
    init(stringLiteral text: String) { self = .string(text) }
    init(integerLiteral number: Int) { self = .number(number) }
    init(booleanLiteral isTrue: Bool) { self = .bool(isTrue) }
    init(nilLiteral: ()) { self = .null }
}

extension Response {
    /// JSON with a tag that is the same for the same bytes.
    static func json(
        _ value: ModelJSON, status: Int = 200, type: String = "application/json; charset=utf-8",
        headers: [Header] = []
    ) -> Response {
        let body = value.bytes
        let tag = "W/\"\(String(body.count, radix: 16))-\(String(Checksum.fnv(body), radix: 16))\""
        let validators = status == 200 ? [Header("ETag", tag)] : []
        return Response(status: status, type: type, body: body, headers: validators + headers)
    }

    static func text(_ text: String, status: Int) -> Response {
        Response(status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    static func redirect(_ address: String, status: Int = 302) -> Response {
        var answer = Response.error(status)
        answer.set(Header("Location", address))
        return answer
    }
}
