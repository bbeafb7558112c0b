// What is refused, why, and where.

import PipelineCore
import Testing

struct RegexErrorTests {
    typealias Case = (pattern: String, message: String, offset: Int)

    private static let structureCases: [Case] = [
        ("*a", "'*' has nothing to repeat", 0), ("é|+", "'+' has nothing to repeat", 2),
        ("(?", "the group isn't closed", 0),
        ("(?)", "unknown kind of group", 0), ("a(?:*)", "'*' has nothing to repeat", 4),
        ("{2}", "'{' has nothing to repeat", 0),
        ("(?i)*", "'*' has nothing to repeat", 4), ("a(?i)*", "'*' has nothing to repeat", 5),
        ("a**", "a repetition is itself", 2),
        ("a{2}{3}", "a repetition is itself", 4),
        ("a??*", "a repetition is itself", 3), ("a++", "a repetition is itself", 2),
        ("a?+", "a repetition is itself", 2),
        ("a{", "'{' begins a repetition", 1), ("a{x}", "'{' begins a repetition", 1),
        ("a{,3}", "'{' begins a repetition", 1),
        ("a{2,3", "'{' begins a repetition", 1), ("a{ 2}", "'{' begins a repetition", 1),
        ("a{3,2}", "the repetition's first number", 1),
        ("a{1001}", "a repetition of more than 1000", 2),
        ("a{1,99999999999999999999}", "a repetition of more than 1000", 4), ("ab(c", "the group isn't closed", 2),
        ("((a)", "the group isn't closed", 0), ("(?i", "the group isn't closed", 0),
        ("(?#a", "the group isn't closed", 0),
        ("a)", "no group is open", 1),
        ("(?|a)", "unknown kind of group", 0), ("(?'n'a)", "unknown kind of group", 0),
        ("(?P)", "unknown kind of group", 0),
        ("(?q)", "unknown kind of group", 0), ("(?i--s)", "unknown kind of group", 0),
        ("(?<1a>b)", "a group's name", 3),
        ("(?<>b)", "a group's name", 3), ("(?P<a", "a group's name", 5), ("(?<a b>c)", "a group's name", 4),
        ("(?P<é>c)", "a group's name", 4), ("(?<", "a group's name", 3),
    ]

    private static let classCases: [Case] = [
        ("a[b", "the class isn't closed", 1), ("[]", "the class isn't closed", 0),
        ("[a[b]", "the class isn't closed", 0),
        ("[a-", "the class isn't closed", 0),
        ("é[z-a]", "the range z-a is reversed", 2), ("[\\x62-\\x61]", "the range \\x62-\\x61 is reversed", 1),
        ("[\\d-z]", "a range goes from", 1), ("[a-\\d]", "a range goes from", 1),
        ("[a-[b]]", "a range goes from", 1),
        ("[:alpha:]", "[:alpha:] belongs inside", 0), ("[[:alfa:]]", "unknown class [:alfa:]", 1),
        ("[[:^x:]]", "unknown class [:^x:]", 1), ("a\\", "a backslash ends", 1), ("[\\", "a backslash ends", 1),
        ("\\y", "unknown escape \\y", 0), ("\\Z", "unknown escape \\Z", 0), ("\\<", "unknown escape \\<", 0),
        ("\\é", "unknown escape \\é", 0), ("[\\A]", "unknown escape \\A", 1), ("\\E", "unknown escape \\E", 0),
        ("\\012", "octal escapes", 0), ("\\x4", "a character's number", 0), ("\\xg1", "a character's number", 0),
        ("\\x{}", "a character's number", 0),
        ("\\x{41", "a character's number", 0), ("\\u004", "a character's number", 0),
        ("a\\x{110000}", "a character's number", 1),
        ("\\uD83D\\uDE00", "a character's number", 0), ("\\x{FFFFFFFFFFFFFFFFFF}", "a character's number", 0),
        ("\\p", "the property's name", 0),
        ("\\p{L", "the property's name", 0), ("\\p{Klingon}", "unknown property", 0),
        ("\\pX", "unknown property", 0), ("\\p{}", "unknown property", 0),
        ("\\p{scx=Grek}", "unknown property", 0),
    ]

    private static let refusalCases: [Case] = [
        ("\\1", "back-references can't be matched in linear time; ", 0), ("(a)\\1", "back-references", 3),
        ("\\k<n>", "back-references", 0), ("\\g1", "back-references", 0),
        ("(?=a)", "look-around can't be matched in linear time", 0),
        ("(?P=n)", "unknown kind of group", 0), ("[\\1]", "back-references", 1), ("a(?=b)", "look-around", 1),
        ("(?!b)", "look-around", 0), ("(?<=b)", "look-around", 0), ("(?<!b)", "look-around", 0),
        ("(?>a)", "unknown kind of group", 0),
        ("(?(1)a)", "unknown kind of group", 0), ("(?R)", "unknown kind of group", 0),
        ("(?1)", "unknown kind of group", 0), ("(?&n)", "unknown kind of group", 0),
        ("(?P>n)", "unknown kind of group", 0), ("(?+1)", "unknown kind of group", 0),
    ]

    @Test(arguments: structureCases + classCases + refusalCases)
    func `a mistake is named with its place`(_ test: Case) throws {
        let error = try #require(throws: RegexError.self) { try RegexProgram(test.pattern) }
        #expect(error.message.hasPrefix(test.message))
        #expect(error.offset == test.offset)
        #expect(error.message.contains("; "))
        #expect(error.message.first?.isUppercase != true)
        #expect(!error.message.contains("\n"))
        #expect(error.description == "\(error.message) (at character \(test.offset + 1))")
    }
}
