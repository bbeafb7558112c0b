// A slow matcher to compare with: it tries every way, one after the other, on a tree of its own.

/// A pattern as a tree, which can be written out and matched by backtracking.
indirect enum ReferenceRegex {
    case scalar(Unicode.Scalar)
    case anyButLineEnd
    case set([Unicode.Scalar], isNegated: Bool)
    case assertion(String)
    case sequence([ReferenceRegex])
    case choice([ReferenceRegex])
    case repetition(ReferenceRegex, least: Int, most: Int?, isGreedy: Bool)

    /// The pattern's text.
    var text: String {
        switch self {
        case .scalar(let scalar): Self.written(scalar)
        case .anyButLineEnd: "."
        case .set(let scalars, let isNegated): "[\(isNegated ? "^" : "")\(scalars.map(Self.written).joined())]"
        case .assertion(let text): text
        case .sequence(let pieces): pieces.map(\.text).joined()
        case .choice(let branches): "(?:\(branches.map(\.text).joined(separator: "|")))"
        case .repetition(let node, let least, let most, let isGreedy):
            "(?:\(node.text))\(Self.written(least, most))\(isGreedy ? "" : "?")"
        }
    }

    private static func written(_ scalar: Unicode.Scalar) -> String {
        scalar == "\n" ? "\\n" : scalar == "-" ? "\\-" : String(scalar)
    }

    private static func written(_ least: Int, _ most: Int?) -> String {
        switch (least, most) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        default: most == least ? "{\(least)}" : "{\(least),\(most.map(String.init) ?? "")}"
        }
    }

    /// Whether it may match the empty text.
    var isNullable: Bool {
        switch self {
        case .scalar, .anyButLineEnd, .set: false
        case .assertion: true
        case .sequence(let pieces): pieces.allSatisfy(\.isNullable)
        case .choice(let branches): branches.contains(where: \.isNullable)
        case .repetition(let node, let least, _, _): least == 0 || node.isNullable
        }
    }

    /// Whether something that may be empty is repeated, where matchers differ in what they prefer.
    var repeatsNullable: Bool {
        switch self {
        case .scalar, .anyButLineEnd, .set, .assertion: false
        case .sequence(let nodes), .choice(let nodes): nodes.contains(where: \.repeatsNullable)
        case .repetition(let node, _, _, _): node.isNullable || node.repeatsNullable
        }
    }
}

/// A text that patterns are tried on.
struct ReferenceMatcher {
    let scalars: [Unicode.Scalar]
    let ignoresCase: Bool

    /// The letters that are one in any case.
    private static let orbits: [Set<Unicode.Scalar>] = [
        ["a", "A"], ["b", "B"], ["k", "K", "\u{212A}"], ["é", "É"], ["σ", "ς", "Σ"],
    ]

    /// The first match, in scalars.
    func firstMatch(of regex: ReferenceRegex) -> Range<Int>? {
        for start in 0...scalars.count {
            var end: Int?
            if (matches(regex, at: start) {
                end = $0; return true
            }), let end {
                return start..<end
            }
        }
        return nil
    }

    private func matches(_ regex: ReferenceRegex, at place: Int, then: (Int) -> Bool) -> Bool {
        switch regex {
        case .scalar(let scalar): moves(at: place, then) { isSame($0, scalar) }
        case .anyButLineEnd: moves(at: place, then) { $0 != "\n" }
        case .set(let set, let isNegated):
            moves(at: place, then) { found in set.contains { isSame($0, found) } != isNegated }
        case .assertion(let text): holds(text, at: place) && then(place)
        case .sequence(let pieces): matches(pieces[...], at: place, then: then)
        case .choice(let branches): branches.contains { matches($0, at: place, then: then) }
        case .repetition(let node, let least, let most, let isGreedy):
            repeats(node, least, most, isGreedy, at: place, then: then)
        }
    }

    private func moves(at place: Int, _ then: (Int) -> Bool, if matches: (Unicode.Scalar) -> Bool) -> Bool {
        place < scalars.count && matches(scalars[place]) && then(place + 1)
    }

    private func matches(_ pieces: ArraySlice<ReferenceRegex>, at place: Int, then: (Int) -> Bool) -> Bool {
        guard let first = pieces.first else { return then(place) }
        return matches(first, at: place) { matches(pieces.dropFirst(), at: $0, then: then) }
    }

    private func repeats(
        _ node: ReferenceRegex, _ least: Int, _ most: Int?, _ isGreedy: Bool, at place: Int, then: (Int) -> Bool
    ) -> Bool {
        if least > 0 {
            return matches(node, at: place) { next in
                // What is repeated without an end stops at an empty round.
                if most == nil, least == 1, next == place { return then(next) }
                return repeats(node, least - 1, most.map { $0 - 1 }, isGreedy, at: next, then: then)
            }
        }
        if most == 0 { return then(place) }
        if !isGreedy, then(place) { return true }
        let hasRound = matches(node, at: place) { next in
            if most == nil, next == place { return isGreedy && then(next) }
            return repeats(node, 0, most.map { $0 - 1 }, isGreedy, at: next, then: then)
        }
        return hasRound || (isGreedy && then(place))
    }

    private func holds(_ assertion: String, at place: Int) -> Bool {
        let before = place > 0 ? scalars[place - 1] : nil
        let after = place < scalars.count ? scalars[place] : nil
        switch assertion {
        case "^", "\\A": return before == nil
        case "$", "\\z": return after == nil
        case "(?m:^)": return before == nil || before == "\n"
        case "(?m:$)": return after == nil || after == "\n"
        case "\\b": return isWord(before) != isWord(after)
        case "\\B": return isWord(before) == isWord(after)
        default: return false
        }
    }

    private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { $0.properties.isAlphabetic || $0 == "_" } ?? false
    }

    private func isSame(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
        one == other || (ignoresCase && Self.orbits.contains { $0.contains(one) && $0.contains(other) })
    }
}
