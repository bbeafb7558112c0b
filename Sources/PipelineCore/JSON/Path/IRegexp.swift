// Translates an I-Regexp (RFC 9485), the regular expressions of JSONPath, to the engine's own syntax:
//
//     a.[x\-z]|\p{Lu}{2}      ->      a[^\n\r][x\x{2D}z]|\p{Lu}{2}
//
// Characters that the engine might treat as syntax are written as numbers. `^` and `$` match the ends of the text,
// as in all implementations, although the RFC's grammar makes them plain characters.

struct IRegexp {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var translated = ""

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The engine's pattern; nil if the text isn't an I-Regexp.
    /// - Parameter isWhole: whether the pattern must match the whole text, or may match anywhere in it.
    static func pattern(_ text: String, isWhole: Bool) -> String? {
        var translator = IRegexp(text)
        guard translator.translate() else { return nil }
        return isWhole ? "\\A(?:" + translator.translated + ")\\z" : translator.translated
    }

    private mutating func translate() -> Bool {
        var depth = 0
        var canRepeat = false
        while let scalar = next() {
            var isAtom = true
            switch scalar {
            case "(":
                depth += 1
                isAtom = false
                translated += "(?:"
            case ")":
                depth -= 1
                guard depth >= 0 else { return false }
                translated += ")"
            case "|", "*", "+", "?", "{":
                guard scalar == "|" || canRepeat, scalar != "{" || counts() else { return false }
                isAtom = false
                if scalar != "{" { translated.unicodeScalars.append(scalar) }
            case ".": translated += "[^\\n\\r]"
            case "^", "$": translated.unicodeScalars.append(scalar)
            case "[": guard characterClass() else { return false }
            case "\\": guard escape() != nil else { return false }
            case "]", "}": return false
            default: append(scalar)
            }
            canRepeat = isAtom
        }
        return depth == 0
    }

    private mutating func next() -> Unicode.Scalar? {
        guard position < scalars.count else { return nil }
        position += 1
        return scalars[position - 1]
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard position < scalars.count, scalars[position] == scalar else { return false }
        position += 1
        return true
    }

    /// A character that matches itself.
    private mutating func append(_ scalar: Unicode.Scalar) {
        let isPlain = scalar.value >= 0x80 || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        translated += isPlain ? String(scalar) : "\\x{" + String(scalar.value, radix: 16) + "}"
    }

    /// `{2}`, `{2,}` or `{2,5}`, from after the brace. The engine takes nothing else in braces.
    private mutating func counts() -> Bool {
        translated += "{"
        while let scalar = next() {
            translated.unicodeScalars.append(scalar)
            if scalar == "}" { return true }
        }
        return false
    }

    /// From after the backslash: one character, or a category; nil if it is neither.
    /// - Returns: whether it is one character.
    private mutating func escape() -> Bool? {
        guard let scalar = next() else { return nil }
        switch scalar {
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": append(scalar)
        case "n", "r", "t": translated += "\\" + String(scalar)
        case "p", "P": return category(scalar) ? false : nil
        default: return nil
        }
        return true
    }

    /// `{L}` or `{Lu}`: a major category, optionally with the letter of one of its subcategories.
    private mutating func category(_ sign: Unicode.Scalar) -> Bool {
        let letters: [Unicode.Scalar: String] = [
            "L": "lmotu", "M": "cen", "N": "dlo", "P": "cdefios", "Z": "lps", "S": "ckmo", "C": "cfno",
        ]
        guard take("{"), let first = next(), let seconds = letters[first] else { return false }
        var name = String(first)
        if let second = next(), second != "}" {
            guard seconds.unicodeScalars.contains(second), take("}") else { return false }
            name.unicodeScalars.append(second)
        }
        guard scalars[position - 1] == "}" else { return false }
        translated += "\\" + String(sign) + "{" + name + "}"
        return true
    }

    /// `[^a-z\-\p{L}]`, from after the bracket. A `-` is literal first or last; otherwise it makes a range.
    private mutating func characterClass() -> Bool {
        translated += "["
        if take("^") { translated += "^" }
        let start = position
        var canBeginRange = false
        while let scalar = next() {
            switch scalar {
            case "]":
                translated += "]"
                return position - 1 > start
            case "-" where position - 1 == start: append(scalar)
            case "-" where take("]"):
                translated += "\\x{2d}]"
                return true
            case "-":
                guard canBeginRange else { return false }
                translated += "-"
                guard let end = next(), end != "]", end != "[", end != "-" else { return false }
                guard classCharacter(end) == true else { return false }
                canBeginRange = false
            case "[": return false
            default:
                guard let isCharacter = classCharacter(scalar) else { return false }
                canBeginRange = isCharacter
            }
        }
        return false
    }

    /// - Returns: whether it is one character; nil if it is invalid.
    private mutating func classCharacter(_ scalar: Unicode.Scalar) -> Bool? {
        if scalar == "\\" { return escape() }
        append(scalar)
        return true
    }
}
