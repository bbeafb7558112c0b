// A member's value found by its name alone, without reading the rest of the record.
//
// The name is looked for as it is usually spelt, `"name"`, at any depth and inside strings too; so what is found may
// be another member's. What is there is never missed: where the name may be spelt with escapes, or the value isn't a
// plain string or number, the response is `unsure`, and the record has to be read.

/// Looks for a member in the bytes of a record.
package struct MemberFinder: Sendable {
    /// What stands at the next place where the name does.
    package enum Finding: Equatable, Sendable {
        /// No further place.
        case end
        /// A well-formed string, and where the name's quote stands.
        case string(JSONString, name: Int)
        /// A number, true, false or null, or no member at all.
        case other
        /// Only reading the record can tell.
        case unsure
    }

    /// In UTF-8.
    package let name: [UInt8]
    /// The name as it is usually spelt; nil for one that can't be without escapes.
    package let quotedName: Needle?

    /// Whether only an escape of the form `\u0041` may stand for one of the characters.
    private let isPlainASCII: Bool

    /// - Parameter name: the member's name, in UTF-8.
    package init(name: [UInt8]) {
        self.name = name
        isPlainASCII = name.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "/") }
        var quoted: [UInt8] = []
        JSONWriter.appendString(name.span, to: &quoted)
        quotedName = quoted.count == name.count + 2 ? Needle(quoted, isQuoted: true) : nil
    }

    /// Whether an escape in the line may stand for one of the name's characters, so that it may be spelt otherwise.
    package func mayBeHidden(in line: Span<UInt8>) -> Bool {
        guard quotedName != nil else { return true }
        guard let first = line.firstIndex(of: UInt8(ascii: "\\")) else { return false }
        if isPlainASCII, !line.mayHaveASCIIEscape(from: first) { return false }
        var index = first
        while let backslash = line.firstIndex(of: UInt8(ascii: "\\"), from: index) {
            guard backslash + 1 < line.count else { return true }
            index = backslash + 2
            if line[backslash + 1] == UInt8(ascii: "u"), mayBelongToName(line, backslash + 2) { return true }
            if line[backslash + 1] == UInt8(ascii: "/"), name.contains(UInt8(ascii: "/")) { return true }
        }
        return false
    }

    /// Whether four hexadecimal digits may be a character of the name: above ASCII any may.
    private func mayBelongToName(_ line: Span<UInt8>, _ index: Int) -> Bool {
        guard index + 4 <= line.count else { return true }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = JSONStringScanner.hexValue(line[index + offset]) else { return true }
            value = value << 4 | digit
        }
        return name.contains { $0 >= 0x80 ? value >= 0x80 : UInt32($0) == value }
    }

    /// Goes to the next place at `index` or after it, and moves `index` after what was found.
    package func next(in line: Span<UInt8>, from index: inout Int) -> Finding {
        guard let quotedName, let position = quotedName.firstIndex(in: line, from: index) else { return .end }
        index = Self.afterSpace(in: line, from: position + name.count + 2)
        guard index < line.count else { return .unsure }
        switch line[index] {
        case UInt8(ascii: ":"): index = Self.afterSpace(in: line, from: index + 1)
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return .other
        default: return .unsure
        }
        guard index < line.count else { return .unsure }
        switch line[index] {
        case UInt8(ascii: "\""): return string(in: line, from: &index, name: position)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "t"):
            return .other
        default: return .unsure
        }
    }

    private func string(in line: Span<UInt8>, from index: inout Int, name position: Int) -> Finding {
        let start = index + 1
        do throws(JSONError) {
            let scan = try JSONStringScanner.end(of: line, from: start)
            index = scan.end + 1
            return .string(JSONString(range: start..<scan.end, hasEscapes: scan.hasEscapes), name: position)
        } catch {
            return .unsure
        }
    }

    private static func afterSpace(in line: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < line.count, line[index] == 0x20 || line[index] == 0x09 { index += 1 }
        return index
    }
}
