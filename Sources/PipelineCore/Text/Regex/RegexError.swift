// Why a pattern can't be used, and where.

/// A pattern is wrong, or uses something unsupported.
package struct RegexError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong; what to do about it.
    package struct Reason: Equatable, Sendable {
        package let message: String

        init(_ message: String) { self.message = message }
    }

    package let reason: Reason
    /// The offset in the pattern, in scalars from 0.
    package let offset: Int

    /// The reason alone: what is wrong; what to do about it.
    package var message: String { reason.message }

    /// The message with the position, counted from 1.
    package var description: String { "\(reason.message) (at character \(offset + 1))" }
}

/// The fault of a pattern: what it is; how to fix it.
extension RegexError.Reason {
    package static let tooLong = Self("the pattern is longer than \(RegexParser.limitBytes) bytes; shorten it")
    package static let nestedTooDeep = Self(
        "groups or classes are nested deeper than \(RegexParser.nestingLimit); nest fewer")
    package static let tooLarge = Self(
        "the pattern needs more than \(RegexCompiler.limitBytes >> 20) MiB when it is compiled; repeat less")
    package static func nothingToRepeat(_ sign: String) -> Self {
        Self("'\(sign)' has nothing to repeat; write \\\(sign) for a literal one")
    }
    package static let repeatedRepetition = Self("a repetition is itself repeated; put the inner one in (?:…)")
    package static let possessiveRepetition = Self(
        "possessive repetitions aren't needed where nothing is tried twice; drop the second '+'")
    package static let badRepetition = Self(
        "'{' begins a repetition such as {2}, {2,} or {0,5}; write \\{ for a literal one")
    package static let reversedRepetition = Self("the repetition's first number is above its second; exchange them")
    package static let tooManyRepetitions = Self(
        "a repetition of more than \(RegexParser.repetitionLimit); repeat less, or use * or +")
    package static let unclosedGroup = Self("the group isn't closed; add ')', or write \\( for a literal one")
    package static let unopenedGroup = Self(
        "no group is open here; add '(' before, or write \\) for a literal one")
    package static let unknownGroup = Self(
        "unknown kind of group; write (…), (?:…), (?<name>…) or flags such as (?i)")
    package static func unknownFlag(_ flag: String) -> Self {
        Self("unknown flag '\(flag)'; the flags are i, m, s and x")
    }
    package static let badGroupName = Self(
        "a group's name is letters, digits and '_', no digit first, ended by '>'; correct it, or write (…)")
    package static let unclosedClass = Self("the class isn't closed; add ']', or write \\[ for a literal one")
    package static func reversedRange(_ range: String) -> Self {
        Self("the range \(range) is reversed; exchange its ends")
    }
    package static let classInRange = Self(
        "a range goes from one character to another; write \\- for a literal one")
    package static func bareNamedClass(_ name: String) -> Self {
        Self("[:\(name):] belongs inside a class; write [[:\(name):]]")
    }
    package static func unknownNamedClass(_ name: String) -> Self {
        Self(
            "unknown class [:\(name):]; the names are alnum, alpha, ascii, blank, cntrl, digit, graph, lower, print, punct, space, upper, word and xdigit"
        )
    }
    package static let unfinishedEscape = Self("a backslash ends the pattern; write \\\\ for a literal one")
    package static func unknownEscape(_ name: String) -> Self {
        Self("unknown escape \\\(name); write \\\\ for a backslash itself")
    }
    package static let octalEscape = Self("octal escapes aren't known; write \\x0A or \\x{A}")
    package static let badNumber = Self(
        "a hexadecimal number is missing or not ended; write \\x0A, \\x{A}, \\u000A or \\u{A}")
    package static let notAScalar = Self(
        "no character has that number; one is at most 10FFFF and not in D800 to DFFF")
    package static let unclosedProperty = Self("the property's name isn't closed; write \\p{Greek} or \\pL")
    package static func unknownProperty(_ name: String) -> Self {
        Self(
            "unknown property '\(name)'; write a general category, a script, Alphabetic, Lowercase, Uppercase or White_Space"
        )
    }
    package static let backReference = Self(
        "back-references can't be matched in linear time; write out what is repeated")
    package static let lookAround = Self(
        "look-around can't be matched in linear time here; use two queries with --all, or -v, instead")
    package static let atomicGroup = Self("atomic groups aren't needed where nothing is tried twice; write (?:…)")
    package static let condition = Self(
        "conditions on groups can't be matched in linear time; use an alternation instead")
    package static let recursion = Self(
        "recursion isn't regular and can't be matched in linear time; write out the levels that are needed")
}
