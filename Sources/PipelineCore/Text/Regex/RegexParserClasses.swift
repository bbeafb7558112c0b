// `[a-z]`, `[^…]`, `[[:alpha:]]`, nested classes, and `&&` for intersections.

extension RegexParser {
    /// At `[` outside a class.
    mutating func parseClass() throws(RegexError) {
        if let name = namedClassAhead() { throw RegexError(reason: .bareNamedClass(name), offset: index) }
        append(.scalars(try parseSet(depth: open.count)))
    }

    /// At `[`; reads up to the closing `]`. A `]` that comes first is literal.
    private mutating func parseSet(depth: Int) throws(RegexError) -> ScalarSet {
        let offset = index
        guard depth < Self.nestingLimit else {
            throw RegexError(reason: .nestedTooDeep(limit: Self.nestingLimit), offset: offset)
        }
        index += 1
        let isNegated = peek() == "^"
        if isNegated { index += 1 }
        var operand = ClassOperand()
        var whole: ScalarSet?
        var isFirst = true
        while let scalar = peek() {
            if scalar == "]", !isFirst {
                index += 1
                let set = intersection(whole, completed(operand))
                return isNegated ? set.inverted : set
            }
            isFirst = false
            if scalar == "&", peek(1) == "&" {
                index += 2
                whole = intersection(whole, completed(operand))
                operand = ClassOperand()
            } else if scalar == "[" {
                if let set = try namedSet() {
                    operand.add(set)
                } else {
                    operand.add(try parseSet(depth: depth + 1))
                }
            } else {
                try parseItem(into: &operand)
            }
        }
        throw RegexError(reason: .unclosedClass, offset: offset)
    }

    /// Named sets and nested classes were completed when they were read; `\d`, `\s` and `\w` cover every case.
    private mutating func completed(_ operand: ClassOperand) -> ScalarSet {
        operand.sets.union(inCase(ScalarSet(unsorted: operand.ranges)))
    }

    private func intersection(_ left: ScalarSet?, _ right: ScalarSet) -> ScalarSet {
        left.map { $0.intersection(right) } ?? right
    }

    /// One character, a range, or an escape for a set.
    private mutating func parseItem(into operand: inout ClassOperand) throws(RegexError) {
        let offset = index
        let first = try parseClassAtom()
        guard peek() == "-", let next = peek(1), next != "]" else {
            switch first {
            case .scalar(let scalar): operand.add(scalar, scalar)
            case .set(let set): operand.add(set)
            }
            return
        }
        index += 1
        guard next != "[", case .scalar(let lower) = first, case .scalar(let upper) = try parseClassAtom() else {
            throw RegexError(reason: .classInRange, offset: offset)
        }
        guard lower <= upper else {
            let range = String(String.UnicodeScalarView(scalars[offset..<index]))
            throw RegexError(reason: .reversedRange(range), offset: offset)
        }
        operand.add(lower, upper)
    }

    private mutating func parseClassAtom() throws(RegexError) -> Escaped {
        let scalar = scalars[index]
        guard scalar == "\\" else {
            index += 1
            return .scalar(scalar)
        }
        guard peek(1) != "b" else {
            index += 2
            return .scalar("\u{08}")
        }
        return try parseEscaped()
    }

    /// The name in `[:alpha:]` at `index`, including its `^`; nil if there is none.
    private func namedClassAhead() -> String? {
        guard peek() == "[", peek(1) == ":" else { return nil }
        var end = index + 2
        if end < scalars.count, scalars[end] == "^" { end += 1 }
        while end < scalars.count, ("a"..."z").contains(scalars[end]) { end += 1 }
        guard end + 1 < scalars.count, scalars[end] == ":", scalars[end + 1] == "]" else { return nil }
        return String(String.UnicodeScalarView(scalars[index + 2..<end]))
    }

    /// The set of `[:alpha:]` or `[:^alpha:]` at `index`; nil if there is none.
    private mutating func namedSet() throws(RegexError) -> ScalarSet? {
        guard let name = namedClassAhead() else { return nil }
        let key = "[\(flags.ignoresCase ? "i" : "")\(name)"
        let length = name.unicodeScalars.count + 4
        if let known = properties[key] {
            index += length
            return known
        }
        let isNegated = name.hasPrefix("^")
        guard let named = NamedClasses.posix(isNegated ? String(name.dropFirst()) : name) else {
            throw RegexError(reason: .unknownNamedClass(name), offset: index)
        }
        let set = inCase(named)
        let result = isNegated ? set.inverted : set
        properties[key] = result
        index += length
        return result
    }
}

/// One side of a `&&`, or a whole class. Single ranges are collected and sorted together, so that a class of
/// thousands of them isn't rebuilt for each.
private struct ClassOperand {
    private(set) var sets = ScalarSet()
    private(set) var ranges: [ScalarSet.Bounds] = []

    mutating func add(_ lower: Unicode.Scalar, _ upper: Unicode.Scalar) {
        ranges.append(ScalarSet.Bounds(lower: lower.value, upper: upper.value))
    }

    mutating func add(_ set: ScalarSet) { sets = sets.union(set) }
}
