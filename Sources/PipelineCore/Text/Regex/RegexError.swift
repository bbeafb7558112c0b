// Why a pattern can't be used, and where.

/// A pattern is wrong, or uses something unsupported.
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
    /// The offset in the pattern, in scalars from 0.
    package let offset: Int

    /// The reason alone: what is wrong; what to do about it.
    package var message: String { reason.message }

    /// The message with the position, counted from 1.
    package var description: String { "\(reason.message) (at character \(offset + 1))" }
}
