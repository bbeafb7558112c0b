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

/// The message for each fault in a pattern: what it is; how to fix it.
extension RegexError.Reason {
    var message: String {
        switch self {
        case .tooLong(let limit): "the pattern is longer than \(limit) bytes; shorten it"
        case .nestedTooDeep(let limit): "groups or classes are nested deeper than \(limit); nest fewer"
        case .tooLarge(let limit):
            "the pattern needs more than \(limit >> 20) MiB when it is compiled; repeat less"
        case .unfinishedEscape: "a backslash ends the pattern; write \\\\ for the sign itself"
        case .unknownEscape(let name): "unknown escape \\\(name); write \\\\ for a backslash itself"
        case .octalEscape: "octal escapes aren't known; write \\x0A or \\x{A}"
        case .badNumber: "a hexadecimal number is missing or not ended; write \\x0A, \\x{A}, \\u000A or \\u{A}"
        case .notAScalar: "no character has that number; one is at most 10FFFF and not in D800 to DFFF"
        case .unclosedProperty: "the property's name isn't closed; write \\p{Greek} or \\pL"
        case .unknownProperty(let name):
            "unknown property '\(name)'; write a general category, a script, Alphabetic, Lowercase, Uppercase or White_Space"
        case .backReference:
            "back-references can't be matched in linear time; write out what is repeated"
        case .lookAround:
            "look-around can't be matched in linear time here; use two queries with --all, or -v, instead"
        case .atomicGroup: "atomic groups aren't needed where nothing is tried twice; write (?:…)"
        case .condition: "conditions on groups can't be matched in linear time; use an alternation instead"
        case .recursion:
            "recursion isn't regular and can't be matched in linear time; write out the levels that are needed"
        default: structureMessage
        }
    }

    /// Groups, classes and repetitions.
    private var structureMessage: String {
        switch self {
        case .nothingToRepeat(let sign): "'\(sign)' has nothing to repeat; write \\\(sign) for the sign itself"
        case .repeatedRepetition: "a repetition is itself repeated; put the inner one in (?:…)"
        case .possessiveRepetition:
            "possessive repetitions aren't needed where nothing is tried twice; drop the second '+'"
        case .badRepetition: "'{' begins a repetition such as {2}, {2,} or {0,5}; write \\{ for the sign itself"
        case .reversedRepetition: "the repetition's first number is above its second; exchange them"
        case .tooManyRepetitions(let limit): "a repetition of more than \(limit); repeat less, or use * or +"
        case .unclosedGroup: "the group isn't closed; add ')', or write \\( for the sign itself"
        case .unopenedGroup: "no group is open here; add '(' before, or write \\) for the sign itself"
        case .unknownGroup: "unknown kind of group; write (…), (?:…), (?<name>…) or flags such as (?i)"
        case .unknownFlag(let flag): "unknown flag '\(flag)'; the flags are i, m, s and x"
        case .badGroupName:
            "a group's name is letters, digits and '_', no digit first, ended by '>'; correct it, or write (…)"
        case .unclosedClass: "the class isn't closed; add ']', or write \\[ for the sign itself"
        case .reversedRange(let range): "the range \(range) is reversed; exchange its ends"
        case .classInRange: "a range goes from one character to another; write \\- for the sign itself"
        case .bareNamedClass(let name): "[:\(name):] belongs inside a class; write [[:\(name):]]"
        case .unknownNamedClass(let name):
            "unknown class [:\(name):]; the names are alnum, alpha, ascii, blank, cntrl, digit, graph, lower, print, "
                + "punct, space, upper, word and xdigit"
        default: ""
        }
    }
}
