// The seal that an input may end with. Only the last line is one: a seal that more lines follow is void.

/// Holds a seal back until it is known to be the last line.
package struct HeldSeal: Equatable, Sendable {
    /// The line as it came, with a line feed; empty where there is none.
    package private(set) var line: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { line.isEmpty }

    /// Whether it says that all that was asked for has come.
    package var isComplete: Bool { !isEmpty && Seal.isComplete(line.span) }

    /// Looks at the next line, which voids a seal before it.
    /// - Returns: whether the line is a seal, which is held now.
    package mutating func take(_ line: Span<UInt8>) -> Bool {
        void()
        guard Seal.isSeal(line) else { return false }
        self.line.append(line)
        self.line.append(0x0A)
        return true
    }

    /// Another line has come.
    package mutating func void() {
        if !isEmpty { line.removeAll() }
    }
}
