// Decides whether the body of a response is JSON from start to end, and says what it is otherwise.

import PipelineCore
import PipelineHTTP

enum JSONDocument {
    static func check(_ body: Span<UInt8>) throws(Page.Fault) {
        var reader = JSONReader(body)
        do throws(JSONError) { try reader.skipToEnd() } catch { throw fault(error, body) }
    }

    static func isValid(_ text: Span<UInt8>) -> Bool { (try? check(text)) != nil }

    static func checked(_ response: HTTPResponse) throws(Page.Fault) -> HTTPResponse {
        var checked = response
        checked.body = withoutMark(response.body) ?? response.body
        try check(checked.body.span)
        return checked
    }

    /// The body of a response without its byte order mark, nil if it has none.
    static func withoutMark(_ body: [UInt8]) -> [UInt8]? {
        let mark = body.span.byteOrderMarkSize
        return mark > 0 ? Array(body.dropFirst(mark)) : nil
    }

    /// The object in a checked text, nil if the text isn't one.
    static func object(in text: Span<UInt8>) -> Range<Int>? {
        let value = trimmed(0..<text.count, of: text)
        return !value.isEmpty && text[value.lowerBound] == UInt8(ascii: "{") ? value : nil
    }

    /// A part of a text without the white space around it.
    static func trimmed(_ part: Range<Int>, of text: Span<UInt8>) -> Range<Int> {
        var part = part
        while let first = part.first, text[first].isJSONSpace { part.removeFirst() }
        while let last = part.last, text[last].isJSONSpace { part.removeLast() }
        return part
    }

    /// The names of the first members of a checked text; empty if it isn't an object.
    static func memberNames(of text: Span<UInt8>, limit: Int = 8) -> [String] {
        RecordElements(membersOf: text).names.prefix(limit).map { name in
            String(JSONStringDecoder.decoded(text.extracting(name)).span.text.prefix(40))
        }
    }

    // MARK: Other content

    /// What is wrong with a text that isn't JSON, or what it is instead.
    static func fault(_ error: JSONError, _ body: Span<UInt8>) -> Page.Fault {
        if let first = trimmed(0..<body.count, of: body).first, body[first] == UInt8(ascii: "<") {
            return .foreign("an HTML or XML page, not JSON")
        }
        if body.count >= 2, body[0] ^ body[1] == 1, body[0] >= 0xFE { return .foreign("UTF-16, not UTF-8") }
        if isCutShort(error, body) { return .cutShort }
        return .foreign("text that isn't JSON: \(text(error)) at byte \(error.offset + 1)")
    }

    /// What was expected: a response isn't one line.
    static func text(_ error: JSONError) -> String {
        error.reason == .expectedEnd ? "expected nothing after the value" : "\(error)"
    }

    /// Whether more bytes could make the text valid.
    private static func isCutShort(_ error: JSONError, _ body: Span<UInt8>) -> Bool {
        if error.offset >= body.count { return true }
        let rest = body.extracting(error.offset...)
        switch error.reason {
        case .expectedLiteral:
            return ["true", "false", "null"].contains { $0.utf8.starts(with: rest.text.utf8) }
        case .invalidUTF8:
            let length =
                switch rest[0] {
                case 0xF0...: 4
                case 0xE0...: 3
                default: 2
                }
            return rest.count < length
        default: return false
        }
    }
}

extension JSONPathEvaluator {
    func firstText(in text: Span<UInt8>) -> String? {
        for node in nodes where node.kind == .string {
            var bytes: [UInt8] = []
            let isText = JSONStringDecoder.append(text.extracting(node.content), to: &bytes)
            if isText, !bytes.isEmpty { return bytes.span.text }
        }
        return nil
    }
}
