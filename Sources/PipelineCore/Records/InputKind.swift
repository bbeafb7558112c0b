// What an input seems to be that has no records, known from its first few KiB.
//
//     1F 8B …              gzip                 zcat FILE
//     [{"name":"Mick"},    a JSON array         jq -c '.[]' FILE
//     id,name⏎31,Mick⏎     comma-separated      mlr --icsv --ojsonl cat FILE

/// A kind of input that isn't JSON Lines.
package enum InputKind: Equatable, Sendable {
    case gzip
    case zstandard
    case bzip2
    case xz
    case zip
    /// Text in another encoding, by the name that iconv(1) has for it.
    case encoded(String)
    case propertyList(isBinary: Bool)
    case html
    case xml
    /// A JSON array whose elements are objects.
    case array
    /// One JSON object that has the records in an array, below these members.
    case wrapper([String])
    /// JSON that spans lines.
    case spread
    /// A JSON text sequence (RFC 7464).
    case sequence
    /// Fields separated by this byte, the same number on each line.
    case table(UInt8)
    /// Objects whose names aren't in double quotes, or that end at their first brace.
    case loose

    /// How many bytes from the start of an input are looked at.
    package static let headBytes = 8192

    /// - Parameters:
    ///   - head: the first bytes of an input.
    ///   - isWhole: whether the input has no others.
    /// - Returns: nil if the bytes look like nothing that is known.
    package init?(head: [UInt8], isWhole: Bool) {
        if let kind = Self.byMagic(head) ?? Self.byZeros(head) {
            self = kind
            return
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var start = head.starts(with: mark) ? mark.count : 0
        while start < head.count, [0x20, 0x09, 0x0A, 0x0D].contains(head[start]) { start += 1 }
        guard start < head.count else { return nil }
        let kind: InputKind? =
            switch head[start] {
            case UInt8(ascii: "<"): Self.markup(head[start...])
            case UInt8(ascii: "["): Self.array(head, from: start)
            case UInt8(ascii: "{"): Self.object(head, from: start, isWhole: isWhole)
            case 0x1E: .sequence
            default: Self.table(head[start...], isWhole: isWhole)
            }
        guard let kind else { return nil }
        self = kind
    }

    /// Whether the first bytes leave no doubt, whatever a later line looks like.
    package var isCertain: Bool {
        switch self {
        case .gzip, .zstandard, .bzip2, .xz, .zip, .encoded, .propertyList(isBinary: true): true
        case .propertyList, .html, .xml, .array, .wrapper, .spread, .sequence, .table, .loose: false
        }
    }

    // MARK: Bytes

    private static let magic: [(bytes: [UInt8], kind: InputKind)] = [
        ([0x1F, 0x8B], .gzip), ([0x1F, 0x9D], .gzip),
        ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz),
        ([0x50, 0x4B, 0x03, 0x04], .zip),
        (Array("bplist".utf8), .propertyList(isBinary: true)),
        // The mark of UTF-32 begins like that of UTF-16.
        ([0xFF, 0xFE, 0x00, 0x00], .encoded("UTF-32")), ([0x00, 0x00, 0xFE, 0xFF], .encoded("UTF-32")),
        ([0xFF, 0xFE], .encoded("UTF-16")), ([0xFE, 0xFF], .encoded("UTF-16")),
    ]

    private static func byMagic(_ head: [UInt8]) -> InputKind? {
        // The letters alone may begin a text: after them come the size of a block, 1 to 9, and the first block's mark.
        if head.starts(with: "BZh".utf8), head.dropFirst(4).starts(with: "1AY&SY".utf8) { return .bzip2 }
        return magic.first { head.starts(with: $0.bytes) }?.kind
    }

    /// Text without a byte order mark, by the zeros that ASCII has in other encodings: its first characters are ASCII,
    /// whatever format it has.
    private static func byZeros(_ head: [UInt8]) -> InputKind? {
        guard head.count >= 4 else { return nil }
        return switch (head[0], head[1], head[2], head[3]) {
        case (0, 0, 0, 1...): .encoded("UTF-32BE")
        case (1..., 0, 0, 0): .encoded("UTF-32LE")
        case (0, 1..., 0, 1...): .encoded("UTF-16BE")
        case (1..., 0, 1..., 0): .encoded("UTF-16LE")
        default: nil
        }
    }

    private static func markup(_ head: ArraySlice<UInt8>) -> InputKind? {
        let text = head.span.text.lowercased()
        if text.contains("<plist") || text.contains("<!doctype plist") { return .propertyList(isBinary: false) }
        if text.contains("<html") || text.contains("<!doctype html") { return .html }
        guard let second = text.dropFirst().first, second.isLetter || second == "?" || second == "!" else {
            return nil
        }
        return .xml
    }
}
