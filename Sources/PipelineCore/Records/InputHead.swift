// The first bytes of an input, from which it is told what it seems to be if it has no records.

/// Keeps the first few KiB.
package struct InputHead: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// Whether more bytes are of interest.
    var hasRoom: Bool { bytes.count < InputKind.headBytes }

    /// Adds the bytes that follow, as far as there is room.
    mutating func add(_ more: [UInt8], _ range: Range<Int>) {
        bytes += more[range].prefix(InputKind.headBytes - bytes.count)
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Whether the bytes are the beginning of one JSON text that spans lines: a line of it that is a record is one by
    /// chance.
    var isOneDocument: Bool {
        var reader = JSONReader(bytes.span, from: bytes.span.byteOrderMarkSize)
        var lastToken = 0
        do throws(JSONError) {
            while try reader.next() != nil { lastToken = reader.tokenStart }
        } catch {
            // An escape, a word or a character may be cut off.
            guard !hasRoom, error.offset + 6 >= bytes.count else { return false }
        }
        return bytes[..<lastToken].contains(0x0A)
    }

    /// What the input seems to be; nil if nothing that is known.
    var kind: InputKind? { InputKind(head: bytes, isWhole: hasRoom) }
}
