// The kinds of values that Swift tells apart.

/// A kind of value, in the order in which a value that may be of several kinds is tried.
enum SwiftKind: String, CaseIterable {
    case flag, integer, unsigned, real, date, data, text, list, object, dictionary

    /// The type of a value, nil where it depends on what is in it.
    var type: String? {
        switch self {
        case .flag: "Bool"
        case .integer: "Int"
        case .unsigned: "UInt64"
        case .real: "Double"
        case .date: "Date"
        case .data: "Data"
        case .text: "String"
        case .list, .object, .dictionary: nil
        }
    }
}

extension Shape {
    /// The kinds of its values, of which none is held by another: integers are reals where each of them can be one exactly.
    var swiftKinds: [SwiftKind] {
        let hasReals = hasFiniteReals || hasOtherReals
        let hasIntegers = integers.areAny && (!hasReals || integers.areInexactAsReals)
        return SwiftKind.allCases.filter { kind in
            switch kind {
            case .flag: hasBooleans
            case .integer: hasIntegers && (!integers.areBeyondSigned || integers.areNegative)
            case .unsigned: hasIntegers && integers.areBeyondSigned
            case .real: hasReals
            case .date: hasDates
            case .data: hasData
            case .text: hasTexts
            case .list: arrays > 0
            case .object: objects > 0 && value == nil
            case .dictionary: value != nil
            }
        }
    }
}
