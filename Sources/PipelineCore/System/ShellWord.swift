// Text as a shell takes it, for commands to be copied.

package enum ShellWord {
    package static func quoted(_ text: String) -> String {
        // A word that begins with `=` is something else to zsh, so the sign is plain only in an option.
        let isOption = text.utf8.starts(with: "--".utf8)
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x2F, 0x5F, 0x3A].contains(byte)
                    || byte == UInt8(ascii: "=") && isOption
            }
        guard !isPlain else { return text }
        // By code points: a quote with an accent on it ends the word all the same.
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.map { String($0) }.joined(separator: "'\\''") + "'"
    }

    /// The path as a word that no command takes for an option.
    package static func path(_ path: String) -> String {
        quoted(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path)
    }
}
