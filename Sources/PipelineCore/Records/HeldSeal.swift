// The seal that may end an input. Only the last line can be one: more lines after it void it.

/// Holds a seal back until it is known to be the last line.
package struct HeldSeal: Equatable, Sendable {
    /// The line as read, with a line feed; empty if there is none.
    package private(set) var line: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { line.isEmpty }

    /// Whether it says that everything requested was received.
    package var isComplete: Bool { !isEmpty && Seal.isComplete(line.span) }

    /// What part of the list its records are, after "has only"; nil for the whole.
    package var part: String? {
        if let since = member("since")?.string { return "what is newer than \(since)" }
        if case .integer(let count)? = member("after"), count > 0 {
            return "what comes after the \(count) records of an earlier run"
        }
        return nil
    }

    /// How many records there were where it was made; nil if it doesn't say.
    package var recordCount: Int? {
        if case .integer(let count)? = member("records") { count } else { nil }
    }

    private func member(_ name: String) -> JSONTree? {
        guard !isEmpty else { return nil }
        do throws(JSONError) { return try JSONTree.read(line.span)["$seal"]?[name] } catch { return nil }
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
