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

    /// What the input seems to be; nil if nothing that is known.
    var kind: InputKind? { InputKind(head: bytes, isWhole: hasRoom) }
}
