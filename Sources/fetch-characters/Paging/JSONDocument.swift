// Checks that the body of a response is JSON from start to end, and says what it is otherwise.

import PipelineCore
import PipelineHTTP

/// Checks bodies.
enum JSONDocument {
    /// The offset of the text: past the byte order mark, if there is one.
    static func start(of body: Span<UInt8>) -> Int { body.byteOrderMarkSize }

    /// Parses the text to its end.
    static func check(_ body: Span<UInt8>, from start: Int) throws(SourcePage.Fault) {
        var reader = JSONReader(body, from: start)
        do throws(JSONError) { try reader.skipToEnd() } catch { throw fault(error, body, start) }
    }

    static func isValid(_ text: Span<UInt8>) -> Bool {
        do throws(SourcePage.Fault) { try check(text, from: 0) } catch { return false }
        return true
    }

    /// The response with its body checked, and without a byte order mark.
    static func checked(_ response: HTTPResponse) throws(SourcePage.Fault) -> HTTPResponse {
        let start = start(of: response.body.span)
        try check(response.body.span, from: start)
        var checked = response
        if start > 0 { checked.body.removeFirst(start) }
        return checked
    }

    /// The range of the object in a checked text, nil if the text isn't an object.
    static func object(in text: Span<UInt8>) -> Range<Int>? {
        var start = 0
        var end = text.count
        while start < end, text[start] <= 0x20 { start += 1 }
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        return start < end && text[start] == UInt8(ascii: "{") ? start..<end : nil
    }

    /// The most names of members for a message, and the most characters of each.
    private static let nameLimit = 8
    private static let nameCharacterLimit = 40

    /// The names of the first members of a checked text; empty if it isn't an object.
    static func memberNames(of text: Span<UInt8>, limit: Int = nameLimit) -> [String] {
        var names: [String] = []
        do throws(JSONError) {
            var reader = JSONReader(text)
            guard try reader.next() == .beginObject else { return [] }
            while names.count < limit, case .name(let name) = try reader.next() {
                var bytes: [UInt8] = []
                JSONStringDecoder.append(text.extracting(name.range), to: &bytes)
                names.append(String(bytes.span.text.prefix(nameCharacterLimit)))
                guard let value = try reader.next() else { break }
                try reader.skipRest(of: value)
            }
        } catch {
            // It was checked before.
        }
        return names
    }

    // MARK: Other content

    /// What is wrong with a text that isn't JSON, or what it is instead.
    static func fault(_ error: JSONError, _ body: Span<UInt8>, _ start: Int) -> SourcePage.Fault {
        var first = start
        while first < body.count, [0x20, 0x09, 0x0A, 0x0D].contains(body[first]) { first += 1 }
        if first < body.count, body[first] == UInt8(ascii: "<") { return .broken("an HTML or XML page, not JSON") }
        if body.count >= 2, body[0] ^ body[1] == 1, body[0] >= 0xFE { return .broken("UTF-16, not UTF-8") }
        if isCutShort(error, body) { return .cutShort }
        return .broken("text that isn't JSON: \(text(error)) at byte \(error.offset + 1)")
    }

    /// What was expected: an answer isn't one line.
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
            return rest.count < 4 && rest.count < (rest[0] >= 0xF0 ? 4 : rest[0] >= 0xE0 ? 3 : 2)
        default: return false
        }
    }
}

extension JSONPathEvaluator {
    /// The first non-empty text among the nodes found.
    func firstText(in text: Span<UInt8>) -> String? {
        for node in nodes where node.kind == .string {
            var bytes: [UInt8] = []
            let isText = JSONStringDecoder.append(text.extracting(node.content), to: &bytes)
            if isText, !bytes.isEmpty { return bytes.span.text }
        }
        return nil
    }
}
