// Makes file names from untrusted data that every file system accepts and that have no special meaning to a shell
// or an operating system.
//
//     ../Mick: "the" Mouse.       Mick_ _the_ Mouse
//     CON                         _CON
//     -rf                         rf

package enum SafeFileName {
    /// The most bytes of a name on common file systems.
    private static let limitBytes = 255
    /// Room for a number after the name, ` (1234567)`, and for an extension.
    private static let reservedBytes = 16
    private static let forbidden: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
    /// Names of devices on Windows, with any extension.
    private static let devices = Set(
        ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + "123456789¹²³".flatMap { ["COM\($0)", "LPT\($0)"] })

    /// - Returns: a name that is never empty: `picture` if no character is usable.
    package static func name(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if forbidden.contains(scalar) {
                scalars.append("_")
            } else if scalar.properties.isWhitespace {
                scalars.append(" ")
            } else if !isInvisible(scalar) {
                scalars.append(scalar)
            }
        }
        let words = String(scalars).split(separator: " ").joined(separator: " ")
        var name = cut(String(words.unicodeScalars.drop { " .-_".unicodeScalars.contains($0) || isMark($0) }))
        while let last = name.last, " .".contains(last) { name.removeLast() }
        guard !name.isEmpty else { return "picture" }
        let first = name.prefix { $0 != "." }.reversed().drop { $0 == " " }.reversed()
        return devices.contains(String(first).uppercased()) ? "_" + name : name
    }

    /// Equal for two names that some file system takes for one: it ignores case and, since a string's hash does,
    /// the composition of letters.
    package static func collisionKey(_ name: String) -> Int { name.lowercased().hashValue }

    /// Control characters, and characters that change the text direction or are invisible.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// What combines with the character before it; if that one is dropped, there is none.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// The longest beginning of whole characters that fits.
    private static func cut(_ name: String) -> String {
        var bytes = 0
        let end = name.indices.first { index in
            bytes += name[index].utf8.count
            return bytes > limitBytes - reservedBytes
        }
        return end.map { String(name[..<$0]) } ?? name
    }
}
