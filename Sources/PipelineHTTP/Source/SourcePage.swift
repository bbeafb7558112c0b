// One answer of an API taken apart: its records, and what it says about how many there are.
//
//     {"info":{"count":2,"totalPages":149,…},"data":[{…},{…}]}
//                                    ^pages           ^^^ ^^^ records
//
// The answer is read whole before a record is used, so that a broken one gives none.

import PipelineCore

/// The parts of a page, as places in its body.
package struct SourcePage: Equatable, Sendable {
    /// Each is an object.
    package let records: [Range<Int>]
    /// How many pages there are, nil for what isn't asked for it.
    package let pages: Int?

    /// Why a body is no page.
    package enum Fault: Error, Equatable, Sendable {
        /// The text ends before its end: part of the transfer is missing, and another try may help.
        case cutShort
        /// Not what the description promises; what it is instead, as a message says it.
        case broken(String)
    }

    /// - Parameters:
    ///   - countsPages: the page is one of many, and must say of how many.
    package init(_ body: Span<UInt8>, of source: Source, countsPages: Bool) throws(Fault) {
        let start = Self.textStart(body)
        let values: [JSONValue?]
        do throws(JSONError) {
            values = try MemberPath.values(of: [source.records, source.paging.pages], in: body, from: start)
        } catch {
            throw Self.fault(error, body, start)
        }
        guard let list = values[0] else {
            throw .broken("an answer without '\(source.records.text)'")
        }
        records = try Self.records(list, in: body, path: source.records)
        pages = Self.count(values[1], in: body)
        guard pages != nil || !countsPages else {
            throw .broken("a page that doesn't say how many there are in '\(source.paging.pages.text)'")
        }
    }

    private static func records(
        _ list: JSONValue, in body: Span<UInt8>, path: MemberPath
    ) throws(Fault) -> [Range<Int>] {
        if list.token == .beginObject { return [list.range] }
        guard list.token == .beginArray else { throw .broken("no array in '\(path.text)'") }
        var ranges: [Range<Int>] = []
        do throws(JSONError) {
            var reader = JSONReader(body.extracting(list.range))
            _ = try reader.next()
            while let element = try JSONValue.next(&reader), element.token != .endArray {
                guard element.token == .beginObject else {
                    throw JSONError(.expectedRecord, at: element.range.lowerBound)
                }
                let start = list.range.lowerBound
                ranges.append(start + element.range.lowerBound..<start + element.range.upperBound)
            }
        } catch {
            throw .broken("an element of '\(path.text)' that isn't an object")
        }
        return ranges
    }

    private static func count(_ value: JSONValue?, in body: Span<UInt8>) -> Int? {
        guard let value, case .number(let number) = value.token, number.isInteger,
            let count = Int(body.extracting(number.range).text), count >= 0
        else { return nil }
        return count
    }

    private static func textStart(_ body: Span<UInt8>) -> Int {
        body.count >= 3 && body[0] == 0xEF && body[1] == 0xBB && body[2] == 0xBF ? 3 : 0
    }

    // MARK: What it is instead

    private static func fault(_ error: JSONError, _ body: Span<UInt8>, _ start: Int) -> Fault {
        var first = start
        while first < body.count, [0x20, 0x09, 0x0A, 0x0D].contains(body[first]) { first += 1 }
        if first < body.count, body[first] == UInt8(ascii: "<") { return .broken("an HTML or XML page, not JSON") }
        if body.count >= 2, body[0] ^ body[1] == 1, body[0] >= 0xFE { return .broken("UTF-16, not UTF-8") }
        if isCutShort(error, body) { return .cutShort }
        return .broken("text that isn't JSON: \(error) at byte \(error.offset + 1)")
    }

    /// Whether more bytes might have put the text right.
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
