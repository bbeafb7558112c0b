// Whether a line is a record, said quickly: yes, or that it has to be read. The grammar is that of JSONReader, but
// nothing is said of where a fault is, so that no token needs to be made.
//
//     {"name":"Mick","films":[1]}       yes
//     {"name":"Mick",}                  not sure: JSONReader knows what is wrong

/// A check without tokens (RFC 8259).
package enum RecordCheck {
    /// A record of more levels isn't for this check: a word has a bit for each.
    private static let depthLimit = 64

    /// The containers that are open, the innermost in the lowest bit: 1 for an object.
    private struct Containers {
        private var kinds: UInt64 = 0
        private(set) var depth = 0

        var isInObject: Bool { kinds & 1 == 1 }

        mutating func open(isObject: Bool) {
            kinds = kinds << 1 | (isObject ? 1 : 0)
            depth += 1
        }

        mutating func close() {
            kinds >>= 1
            depth -= 1
        }
    }

    /// Whether a line is a record, and one of its own members' names begins at `place`, at its quote.
    /// - Parameters:
    ///   - bytes: the line and its LF, and what there may be around them.
    ///   - start: where the line begins, at its brace.
    package static func isRecord(_ bytes: Span<UInt8>, from start: Int, withMemberAt place: Int) -> Bool {
        var containers = Containers()
        containers.open(isObject: true)
        var hasMember = false
        // A line end is no part of any token, so that no step passes the LF.
        var index = afterSpace(bytes, start + 1)
        elements: while true {
            if containers.isInObject {
                if index == place, containers.depth == 1 { hasMember = true }
                guard bytes[index] == UInt8(ascii: "\""), let end = stringEnd(bytes, index + 1) else { return false }
                let colon = afterSpace(bytes, end)
                guard bytes[colon] == UInt8(ascii: ":") else { return false }
                index = afterSpace(bytes, colon + 1)
            }
            let byte = bytes[index]
            if byte | 0x20 == UInt8(ascii: "{") {
                guard containers.depth < depthLimit else { return false }
                containers.open(isObject: byte == UInt8(ascii: "{"))
                index = afterSpace(bytes, index + 1)
                guard bytes[index] == byte + 2 else { continue }
                // Closed at once; the brackets of a pair are two apart.
                containers.close()
                index += 1
            } else {
                guard let end = scalarEnd(bytes, index, byte) else { return false }
                index = end
            }
            while true {
                index = afterSpace(bytes, index)
                let byte = bytes[index]
                index += 1
                if byte == UInt8(ascii: ",") { break }
                let closing = containers.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
                guard byte == closing else { return false }
                containers.close()
                guard containers.depth > 0 else { break elements }
            }
            index = afterSpace(bytes, index)
        }
        return hasMember && bytes[afterSpace(bytes, index)] == 0x0A
    }

    @inline(__always)
    private static func afterSpace(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while bytes[index] <= 0x20, bytes[index] == 0x20 || bytes[index] == 0x09 || bytes[index] == 0x0D { index += 1 }
        return index
    }

    /// The index behind a string's closing quote.
    /// - Parameter start: the index behind the opening one.
    @inline(__always)
    private static func stringEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        let special = bytes.firstSpecialInString(from: start)
        if special < bytes.count, bytes[special] == UInt8(ascii: "\"") { return special + 1 }
        do throws(JSONError) {
            return try JSONStringScanner.end(of: bytes, from: special).end + 1
        } catch {
            return nil
        }
    }

    @inline(__always)
    private static func scalarEnd(_ bytes: Span<UInt8>, _ index: Int, _ first: UInt8) -> Int? {
        switch first {
        case UInt8(ascii: "\""): stringEnd(bytes, index + 1)
        case UInt8(ascii: "t"): literalEnd(bytes, index, "true")
        case UInt8(ascii: "f"): literalEnd(bytes, index, "false")
        case UInt8(ascii: "n"): literalEnd(bytes, index, "null")
        default: numberEnd(bytes, index)
        }
    }

    private static func literalEnd(_ bytes: Span<UInt8>, _ index: Int, _ text: StaticString) -> Int? {
        let end = index + text.utf8CodeUnitCount
        return end <= bytes.count && bytes.extracting(index..<end).equals(text) ? end : nil
    }

    /// RFC 8259, section 6.
    private static func numberEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        var index = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
        if bytes[index] == UInt8(ascii: "0") {
            index += 1
        } else {
            guard passDigits(bytes, &index) else { return nil }
        }
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard passDigits(bytes, &index) else { return nil }
        }
        if bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            guard passDigits(bytes, &index) else { return nil }
        }
        return index
    }

    /// - Returns: whether there was any.
    @inline(__always)
    private static func passDigits(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
        let start = index
        while bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index > start
    }
}
