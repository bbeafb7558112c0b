// Plain regular expressions once more: letters, classes, groups, repetitions and anchors, by backtracking.

/// The patterns that this reading knows; more is left to the engine.
package indirect enum PlainRegex {
    case one((Unicode.Scalar) -> Bool)
    /// Holds between two scalars, or an end and a scalar.
    case assertion((_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool)
    case sequence([PlainRegex])
    case choice([PlainRegex])
    case repetition(PlainRegex, least: Int, most: Int, isGreedy: Bool)

    /// Whether it can match the empty text.
    private var isNullable: Bool {
        switch self {
        case .one: false
        case .assertion: true
        case .sequence(let pieces): pieces.allSatisfy(\.isNullable)
        case .choice(let branches): branches.contains(where: \.isNullable)
        case .repetition(let piece, let least, _, _): least == 0 || piece.isNullable
        }
    }

    /// Whether something that may be empty is repeated, where matchers differ in what they prefer.
    package var repeatsNullable: Bool {
        switch self {
        case .one, .assertion: false
        case .sequence(let pieces), .choice(let pieces): pieces.contains(where: \.repeatsNullable)
        case .repetition(let piece, _, _, _): piece.isNullable || piece.repeatsNullable
        }
    }
}

extension PlainRegex {
    /// Nil for a pattern of another kind, or none.
    /// - Parameter ignoresCase: of a few letters.
    package init?(_ text: String, ignoringCase ignoresCase: Bool = false) {
        var parser = PlainRegexParser(text, ignoresCase)
        guard let regex = parser.choice(), parser.signs.isEmpty else { return nil }
        self = regex
    }
}

private struct PlainRegexParser {
    /// The letters that are one in any case.
    private static let orbits: [Set<Unicode.Scalar>] = [
        ["a", "A"], ["b", "B"], ["k", "K", "\u{212A}"], ["é", "É"], ["σ", "ς", "Σ"],
    ]

    var signs: ArraySlice<Unicode.Scalar>
    private let ignoresCase: Bool
    private var depth = 0

    init(_ text: String, _ ignoresCase: Bool) {
        signs = Array(text.unicodeScalars)[...]
        self.ignoresCase = ignoresCase
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard signs.first == sign else { return false }
        signs.removeFirst()
        return true
    }

    mutating func choice() -> PlainRegex? {
        guard depth < 20 else { return nil }
        depth += 1
        defer { depth -= 1 }
        var branches: [PlainRegex] = []
        repeat {
            var pieces: [PlainRegex] = []
            while let sign = signs.first, sign != "|", sign != ")" {
                guard let piece = piece() else { return nil }
                pieces.append(piece)
            }
            branches.append(.sequence(pieces))
        } while take("|")
        return .choice(branches)
    }

    private mutating func piece() -> PlainRegex? {
        guard let atom = atom() else { return nil }
        if case .assertion = atom {
            return signs.first.map { "*+?{".unicodeScalars.contains($0) } == true ? nil : atom
        }
        var counts: (Int, Int)?
        if take("*") { counts = (0, .max) }
        if counts == nil, take("+") { counts = (1, .max) }
        if counts == nil, take("?") { counts = (0, 1) }
        if counts == nil, take("{") {
            counts = braces()
            if counts == nil { return nil }
        }
        guard let (least, most) = counts else { return atom }
        let isGreedy = !take("?")
        if let sign = signs.first, "*+?{".unicodeScalars.contains(sign) { return nil }
        return .repetition(atom, least: least, most: most, isGreedy: isGreedy)
    }

    private mutating func braces() -> (Int, Int)? {
        guard let least = number() else { return nil }
        if take("}") { return (least, least) }
        guard take(",") else { return nil }
        if take("}") { return (least, .max) }
        guard let most = number(), take("}"), least <= most else { return nil }
        return (least, most)
    }

    private mutating func number() -> Int? {
        let digits = signs.prefix { ("0"..."9").contains($0) }
        signs = signs.dropFirst(digits.count)
        guard digits.count <= 2 else { return nil }
        return Int(String(String.UnicodeScalarView(digits)))
    }

    private mutating func atom() -> PlainRegex? {
        guard let sign = signs.popFirst() else { return nil }
        switch sign {
        case "(": return group()
        case "[": return set()
        case ".": return .one { $0 != "\n" }
        case "^": return .assertion { before, _ in before == nil }
        case "$": return .assertion { _, after in after == nil }
        case "\\": return escape()
        case _ where isLetter(sign): return one(of: [sign...sign], isNegated: false)
        default: return nil
        }
    }

    private mutating func group() -> PlainRegex? {
        guard take("?") else { return inner() }
        guard take("m") else { return take(":") ? inner() : nil }
        guard take(":"), let sign = signs.popFirst(), take(")") else { return nil }
        switch sign {
        case "^": return .assertion { before, _ in before == nil || before == "\n" }
        case "$": return .assertion { _, after in after == nil || after == "\n" }
        default: return nil
        }
    }

    private mutating func inner() -> PlainRegex? {
        guard let inner = choice(), take(")") else { return nil }
        return inner
    }

    private func one(of ranges: [ClosedRange<Unicode.Scalar>], isNegated: Bool) -> PlainRegex {
        let orbits = ignoresCase ? Self.orbits : []
        return .one { sign in
            let same = orbits.first { $0.contains(sign) } ?? [sign]
            return same.contains { sign in ranges.contains { $0.contains(sign) } } != isNegated
        }
    }

    private mutating func escape() -> PlainRegex? {
        func isWord(_ sign: Unicode.Scalar?) -> Bool {
            sign.map { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) } ?? false
        }
        switch signs.popFirst() {
        case "A": return .assertion { before, _ in before == nil }
        case "z": return .assertion { _, after in after == nil }
        case "b": return .assertion { isWord($0) != isWord($1) }
        case "B": return .assertion { isWord($0) == isWord($1) }
        case "n": return .one { $0 == "\n" }
        case "-": return .one { $0 == "-" }
        default: return nil
        }
    }

    private mutating func set() -> PlainRegex? {
        let isNegated = take("^")
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        repeat {
            guard let first = letter() else { return nil }
            guard take("-") else {
                ranges.append(first...first)
                continue
            }
            guard let last = letter(), first <= last else { return nil }
            ranges.append(first...last)
        } while !take("]")
        return one(of: ranges, isNegated: isNegated)
    }

    /// A letter of a set.
    private mutating func letter() -> Unicode.Scalar? {
        guard take("\\") else { return signs.popFirst().flatMap { isLetter($0) ? $0 : nil } }
        if take("n") { return "\n" }
        return take("-") ? "-" : nil
    }

    private func isLetter(_ sign: Unicode.Scalar) -> Bool {
        sign.value >= 0xA0 || sign == " " || ("0"..."9").contains(sign)
            || sign.value < 0x80 && sign.properties.isAlphabetic
    }
}

/// A text that a pattern is tried on, with bounded patience.
package struct PlainMatcher {
    package enum Outcome {
        case none
        /// In bytes.
        case match(Range<Int>)
        /// The patience ended.
        case unknown
    }

    private static let patience = 50_000

    private let signs: [Unicode.Scalar]
    private var steps = 0

    package init(_ text: [UInt8]) { signs = Array(String(decoding: text, as: UTF8.self).unicodeScalars) }

    package mutating func firstMatch(of regex: PlainRegex) -> Outcome {
        for start in 0...signs.count {
            var end: Int?
            let isFound = matches(regex, at: start) { _, place in
                end = place
                return true
            }
            if steps > Self.patience { return .unknown }
            if isFound, let end { return .match(bytes(before: start)..<bytes(before: end)) }
        }
        return .none
    }

    private func bytes(before place: Int) -> Int { signs[..<place].reduce(0) { $0 + UTF8.width($1) } }

    private typealias Rest = (inout PlainMatcher, Int) -> Bool

    private mutating func matches(_ regex: PlainRegex, at place: Int, then: Rest) -> Bool {
        steps += 1
        guard steps <= Self.patience else { return false }
        switch regex {
        case .one(let isWanted):
            return place < signs.count && isWanted(signs[place]) && then(&self, place + 1)
        case .assertion(let holds):
            let isHeld = holds(place > 0 ? signs[place - 1] : nil, place < signs.count ? signs[place] : nil)
            return isHeld && then(&self, place)
        case .sequence(let pieces): return matches(pieces[...], at: place, then: then)
        case .choice(let branches):
            for branch in branches where matches(branch, at: place, then: then) { return true }
            return false
        case .repetition(let piece, let least, let most, let isGreedy):
            return repeats(piece, least, most, isGreedy, at: place, then: then)
        }
    }

    private mutating func matches(_ pieces: ArraySlice<PlainRegex>, at place: Int, then: Rest) -> Bool {
        guard let first = pieces.first else { return then(&self, place) }
        return matches(first, at: place) { $0.matches(pieces.dropFirst(), at: $1, then: then) }
    }

    private mutating func repeats(
        _ piece: PlainRegex, _ least: Int, _ most: Int, _ isGreedy: Bool, at place: Int, then: Rest
    ) -> Bool {
        steps += 1
        guard steps <= Self.patience else { return false }
        if least == 0 {
            if most == 0 { return then(&self, place) }
            if !isGreedy, then(&self, place) { return true }
        }
        let hasRound = matches(piece, at: place) { matcher, next in
            // An empty round adds nothing to those that needn't be.
            if next == place, least == 0 { return false }
            return matcher.repeats(
                piece, max(least - 1, 0), most == .max ? .max : most - 1, isGreedy, at: next, then: then)
        }
        return hasRound || (least == 0 && isGreedy && then(&self, place))
    }
}
