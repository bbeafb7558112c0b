// Why a pattern can't be used, and where:
//
//     mick(ey
//         ^ the group isn't closed; add ')', or write \( for the sign itself

/// A pattern is wrong, or asks for what isn't offered.
package struct RegexError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case tooLong(limitBytes: Int)
        case nestedTooDeep(limit: Int)
        case tooLarge(limitBytes: Int)
        case nothingToRepeat(String)
        case repeatedRepetition
        case possessiveRepetition
        case badRepetition
        case reversedRepetition
        case tooManyRepetitions(limit: Int)
        case unclosedGroup
        case unopenedGroup
        case unknownGroup
        case unknownFlag(String)
        case badGroupName
        case unclosedClass
        case reversedRange(String)
        case classInRange
        case bareNamedClass(String)
        case unknownNamedClass(String)
        case unfinishedEscape
        case unknownEscape(String)
        case octalEscape
        case badNumber
        case notAScalar
        case unclosedProperty
        case unknownProperty(String)
        case backReference
        case lookAround
        case atomicGroup
        case condition
        case recursion
    }

    package let reason: Reason
    /// Where in the pattern, in scalars from 0.
    package let offset: Int

    /// The reason alone: what is wrong; what to do about it.
    package var message: String { reason.message }

    /// The message with the place, counted from 1.
    package var description: String { "\(reason.message) (at character \(offset + 1))" }

    /// At most that many scalars of the pattern are shown.
    private static let shownScalars = 72

    /// Two lines: the pattern, or the part of a long one around the place, and a caret under the place with the message.
    /// A control character is shown as U+FFFD.
    package func rendering(in pattern: String) -> String {
        let scalars = pattern.unicodeScalars
        let first = max(0, min(offset - Self.shownScalars / 2, scalars.count - Self.shownScalars))
        var shown = String.UnicodeScalarView()
        for scalar in scalars.dropFirst(first).prefix(Self.shownScalars) {
            let isShown = scalar.properties.generalCategory != .control && !Self.breaksLines(scalar)
            shown.append(isShown ? scalar : "\u{FFFD}")
        }
        let indent = String(repeating: " ", count: max(0, min(offset, scalars.count) - first))
        return "\(String(shown))\n\(indent)^ \(message)"
    }

    private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{2028}" || scalar == "\u{2029}"
    }
}
