// The declaration that an XML text may begin with (XML 1.0, section 2.8).
//
//     <?xml version="1.0" encoding='ISO-8859-1'?>

package enum XMLDeclaration {
    /// The encoding that a declaration names, in lower case; nil if it names none.
    /// - Parameter declaration: what is between `<?xml` and `>`.
    package static func encoding(_ declaration: Span<UInt8>) -> String? {
        let words = declaration.text.lowercased().split { " \t\r\n=\"'?".contains($0) }
        guard let position = words.firstIndex(of: "encoding"), position + 1 < words.count else { return nil }
        return String(words[position + 1])
    }
}
