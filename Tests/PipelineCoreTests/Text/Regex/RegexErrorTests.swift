// What is refused, why, and where.

import PipelineCore
import Testing

struct RegexErrorTests {
    private func mistake(in pattern: String) -> RegexError? {
        do throws(RegexError) {
            _ = try RegexProgram(pattern)
            return nil
        } catch {
            return error
        }
    }

    typealias Case = (pattern: String, reason: RegexError.Reason, offset: Int)

    private static let structureCases: [Case] = [
        ("*a", .nothingToRepeat("*"), 0), ("é|+", .nothingToRepeat("+"), 2), ("(?", .unknownGroup, 0),
        ("(?)", .unknownGroup, 0), ("a(?:*)", .nothingToRepeat("*"), 4), ("{2}", .nothingToRepeat("{"), 0),
        ("(?i)*", .nothingToRepeat("*"), 4), ("a(?i)*", .nothingToRepeat("*"), 5), ("a**", .repeatedRepetition, 2),
        ("a{2}{3}", .repeatedRepetition, 4),
        ("a??*", .repeatedRepetition, 3), ("a++", .possessiveRepetition, 2), ("a?+", .possessiveRepetition, 2),
        ("a{", .badRepetition, 1), ("a{x}", .badRepetition, 1), ("a{,3}", .badRepetition, 1),
        ("a{2,3", .badRepetition, 1), ("a{ 2}", .badRepetition, 1), ("a{3,2}", .reversedRepetition, 1),
        ("a{1001}", .tooManyRepetitions, 2),
        ("a{1,99999999999999999999}", .tooManyRepetitions, 4), ("ab(c", .unclosedGroup, 2),
        ("((a)", .unclosedGroup, 0), ("(?i", .unclosedGroup, 0), ("(?#a", .unclosedGroup, 0),
        ("a)", .unopenedGroup, 1),
        ("(?|a)", .unknownGroup, 0), ("(?'n'a)", .unknownGroup, 0), ("(?P)", .unknownGroup, 0),
        ("(?q)", .unknownFlag("q"), 2), ("(?i--s)", .unknownFlag("-"), 4), ("(?<1a>b)", .badGroupName, 3),
        ("(?<>b)", .badGroupName, 3), ("(?P<a", .badGroupName, 5), ("(?<a b>c)", .badGroupName, 4),
        ("(?P<é>c)", .badGroupName, 4), ("(?<", .badGroupName, 3),
    ]

    private static let classCases: [Case] = [
        ("a[b", .unclosedClass, 1), ("[]", .unclosedClass, 0), ("[a[b]", .unclosedClass, 0),
        ("[a-", .unclosedClass, 0),
        ("é[z-a]", .reversedRange("z-a"), 2), ("[\\x62-\\x61]", .reversedRange("\\x62-\\x61"), 1),
        ("[\\d-z]", .classInRange, 1), ("[a-\\d]", .classInRange, 1), ("[a-[b]]", .classInRange, 1),
        ("[:alpha:]", .bareNamedClass("alpha"), 0), ("[[:alfa:]]", .unknownNamedClass("alfa"), 1),
        ("[[:^x:]]", .unknownNamedClass("^x"), 1), ("a\\", .unfinishedEscape, 1), ("[\\", .unfinishedEscape, 1),
        ("\\y", .unknownEscape("y"), 0), ("\\Z", .unknownEscape("Z"), 0), ("\\<", .unknownEscape("<"), 0),
        ("\\é", .unknownEscape("é"), 0), ("[\\A]", .unknownEscape("A"), 1), ("\\E", .unknownEscape("E"), 0),
        ("\\012", .octalEscape, 0), ("\\x4", .badNumber, 0), ("\\xg1", .badNumber, 0), ("\\x{}", .badNumber, 0),
        ("\\x{41", .badNumber, 0), ("\\u004", .badNumber, 0), ("a\\x{110000}", .notAScalar, 1),
        ("\\uD83D\\uDE00", .notAScalar, 0), ("\\x{FFFFFFFFFFFFFFFFFF}", .notAScalar, 0),
        ("\\p", .unclosedProperty, 0),
        ("\\p{L", .unclosedProperty, 0), ("\\p{Klingon}", .unknownProperty("Klingon"), 0),
        ("\\pX", .unknownProperty("X"), 0), ("\\p{}", .unknownProperty(""), 0),
        ("\\p{scx=Grek}", .unknownProperty("scx=Grek"), 0), ("\\p{a\nb}", .unknownProperty("a\u{FFFD}b"), 0),
    ]

    private static let refusalCases: [Case] = [
        ("(a)\\1", .backReference, 3), ("\\k<n>", .backReference, 0), ("\\g1", .backReference, 0),
        ("(?P=n)", .backReference, 0), ("[\\1]", .backReference, 1), ("a(?=b)", .lookAround, 1),
        ("(?!b)", .lookAround, 0), ("(?<=b)", .lookAround, 0), ("(?<!b)", .lookAround, 0),
        ("(?>a)", .atomicGroup, 0),
        ("(?(1)a)", .condition, 0), ("(?R)", .recursion, 0), ("(?1)", .recursion, 0), ("(?&n)", .recursion, 0),
        ("(?P>n)", .recursion, 0), ("(?+1)", .recursion, 0),
    ]

    @Test(arguments: structureCases + classCases + refusalCases)
    func `a mistake is named with its place`(_ test: Case) throws {
        let error = try #require(mistake(in: test.pattern))
        #expect(error.reason == test.reason)
        #expect(error.offset == test.offset)
        #expect(error.message.contains("; "))
        #expect(error.message.first?.isUppercase != true)
        #expect(!error.message.contains("\n"))
        #expect(error.description == "\(error.message) (at character \(test.offset + 1))")
    }

    @Test
    func `back-references and look-around are refused by name`() {
        #expect(mistake(in: "\\1")?.message.hasPrefix("back-references can't be matched in linear time; ") == true)
        #expect(mistake(in: "(?=a)")?.message.hasPrefix("look-around can't be matched in linear time") == true)
    }
}
