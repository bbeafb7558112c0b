// What may follow `(`: nothing special, a name, flags or a comment. The rest is rejected, each by its name.

extension RegexParser {
    /// At `(`.
    mutating func openGroup() throws(RegexError) {
        let offset = index
        guard peek(1) == "?" else { return try enter(at: offset, after: 1) }
        switch peek(2) {
        case ":": try enter(at: offset, after: 3)
        case "#": try passComment()
        case "P" where peek(3) == "<": try enterNamed(at: offset, nameFrom: offset + 4)
        case "<" where peek(3) != "=" && peek(3) != "!": try enterNamed(at: offset, nameFrom: offset + 3)
        default:
            if let reason = refusal() { throw RegexError(reason: reason, offset: offset) }
            try parseFlags()
        }
    }

    /// Why the group at `index`, which begins with `(?`, isn't supported; nil if flags follow.
    private func refusal() -> RegexError.Reason? {
        switch peek(2) {
        case "=", "!", "<": .lookAround
        case "P" where peek(3) == "=": .backReference
        case "P" where peek(3) == ">": .recursion
        case "R", "&", "+": .recursion
        case .some("0"..."9"): .recursion
        case ">": .atomicGroup
        case "(": .condition
        case "P", "|", "'", nil: .unknownGroup
        default: nil
        }
    }

    private mutating func enter(at offset: Int, after count: Int, with inner: Flags? = nil) throws(RegexError) {
        guard open.count < Self.nestingLimit else {
            throw RegexError(reason: .nestedTooDeep(limit: Self.nestingLimit), offset: offset)
        }
        open.append(
            OpenGroup(offset: offset, outerFlags: flags, outerBranches: branches, outerPieces: pieces))
        if let inner { flags = inner }
        branches = []
        pieces = []
        repeatable = .nothing
        index = offset + count
    }

    /// Checks the name and drops it: nothing can refer to it.
    private mutating func enterNamed(at offset: Int, nameFrom start: Int) throws(RegexError) {
        var end = start
        while end < scalars.count,
            scalars[end] == "_" || Self.isLetter(scalars[end])
                || (end > start && ("0"..."9").contains(scalars[end]))
        {
            end += 1
        }
        guard end > start, end < scalars.count, scalars[end] == ">" else {
            throw RegexError(reason: .badGroupName, offset: end)
        }
        try enter(at: offset, after: end + 1 - offset)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private mutating func passComment() throws(RegexError) {
        guard let end = scalars[index...].firstIndex(of: ")") else {
            throw RegexError(reason: .unclosedGroup, offset: index)
        }
        index = end + 1
    }

    /// `(?i-s)` for the rest of the enclosing group, or `(?i-s:…)` for its own.
    private mutating func parseFlags() throws(RegexError) {
        let offset = index
        var inner = flags
        var value = true
        var position = offset + 2
        while position < scalars.count {
            switch scalars[position] {
            case "i": inner.ignoresCase = value
            case "m": inner.anchorsAreForLines = value
            case "s": inner.dotMatchesLineEnd = value
            case "x": inner.ignoresSpace = value
            case "-" where value: value = false
            case ":": return try enter(at: offset, after: position + 1 - offset, with: inner)
            case ")" where position > offset + 2:
                flags = inner
                repeatable = .nothing
                index = position + 1
                return
            case ")": throw RegexError(reason: .unknownGroup, offset: offset)
            default: throw RegexError(reason: .unknownFlag(String(scalars[position])), offset: position)
            }
            position += 1
        }
        throw RegexError(reason: .unclosedGroup, offset: offset)
    }
}
