// The name of a member that is searched for in a record's bytes.

/// A name, and how JSON may spell it.
package struct FieldName: Sendable {
    /// In UTF-8.
    package let name: [UInt8]
    /// The name in quotes, as it is usually spelt; nil if it needs escapes.
    let quoted: Needle?
    /// Whether only an escape of the form `\u0041` can spell one of its characters differently.
    private let isPlainASCII: Bool

    /// - Parameter name: in UTF-8.
    package init(_ name: [UInt8]) {
        self.name = name
        isPlainASCII = name.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "/") }
        var quoted: [UInt8] = []
        JSONWriter.appendString(name.span, to: &quoted)
        self.quoted = quoted.count == name.count + 2 ? Needle(quoted, isQuoted: true) : nil
    }

    /// Whether it can be searched for by its bytes.
    package var isSearchable: Bool { quoted != nil }

    /// The first index of the name in quotes, as it is usually spelt.
    func firstIndex(in bytes: Span<UInt8>, from start: Int) -> Int? {
        guard let quoted else { return nil }
        return quoted.firstIndex(in: bytes, from: start)
    }

    /// Whether an escape in the line may spell one of the name's characters.
    package func mayBeHidden(in line: Span<UInt8>) -> Bool {
        guard isSearchable else { return true }
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

    /// Whether four hexadecimal digits may spell a character of the name. Above ASCII, any may.
    private func mayBelongToName(_ line: Span<UInt8>, _ index: Int) -> Bool {
        guard index + 4 <= line.count else { return true }
        var value: UInt32 = 0
        for offset in 0..<4 {
            guard let digit = JSONStringScanner.hexValue(line[index + offset]) else { return true }
            value = value << 4 | digit
        }
        return name.contains { $0 >= 0x80 ? value >= 0x80 : UInt32($0) == value }
    }
}
