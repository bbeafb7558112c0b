// The seal that may end an input. Only the last line can be one: more lines after it void it.

/// Holds a seal back until it is known to be the last line.
package struct HeldSeal: Equatable, Sendable {
    /// The line as read, with a line feed; empty if there is none.
    package private(set) var line: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { line.isEmpty }

    /// Whether it says that everything requested was received.
    package var isComplete: Bool { !isEmpty && Seal.isComplete(line.span) }

    /// The time that the source was asked for what is newer than: its records are a part of the list. Nil for all.
    package var since: String? {
        guard !isEmpty else { return nil }
        do throws(JSONError) {
            return try JSONTree.read(line.span)["$seal"]?["since"]?.string
        } catch {
            return nil
        }
    }

    /// Looks at the next line, which voids any seal before it.
    /// - Returns: whether the line is a seal, which is now held.
    package mutating func take(_ line: Span<UInt8>) -> Bool {
        void()
        guard Seal.isSeal(line) else { return false }
        self.line.append(line)
        self.line.append(0x0A)
        return true
    }

    /// Drops the seal, because another line follows it.
    package mutating func void() {
        if !isEmpty { line.removeAll() }
    }
}
