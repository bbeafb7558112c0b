// Text as a shell takes it, for commands to be copied.

package enum ShellWord {
    package static func quoted(_ text: String) -> String {
        // A word that begins with `=` is something else to zsh, so the sign is plain only in an option.
        let signs = text.utf8.starts(with: "--".utf8) ? "-./_:=" : "-./_:"
        let isPlain = text.utf8.allSatisfy { $0.isLetterOrDigit || signs.utf8.contains($0) }
        guard text.isEmpty || !isPlain else { return text }
        // By code points: a quote with an accent on it ends the word all the same.
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.map { String($0) }.joined(separator: "'\\''") + "'"
    }

    /// The path as a word that no command takes for an option.
    package static func path(_ path: String) -> String {
        quoted(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path)
    }
}
