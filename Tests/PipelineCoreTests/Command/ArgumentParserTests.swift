// Every way in which options and operands can be written, every way in which they can be wrong, and the help, where nothing
// is left out and no line is too wide.

import PipelineCore
import Testing

/// What the tests' command is told, in the order in which it was said.
struct Said {
    var words: [String] = []

    static func command(withOperands: Bool = true) -> Command<Said> {
        Command<Said>(
            name: "tool", summary: "Test the parser of arguments.",
            options: [
                .flag("verbose", short: "v", help: "Say more.") { $0.words.append("verbose") },
                .flag("any", short: "a", help: "Any of them.") { $0.words.append("any") },
                .value("limit", short: "n", "COUNT", help: "Stop after COUNT.") { (said, text) in
                    said.words.append("limit \(text)")
                },
                .value("count", "N", help: "A number.") { (said, text) throws(UsageError) in
                    said.words.append("count \(try ArgumentValue.count(text, option: "--count"))")
                },
                .optionalValue("placeholder", "FILE", help: "Stands in.") { (said, text) in
                    said.words.append("placeholder \(text)")
                },
            ],
            operand: withOperands ? { (said, text) in said.words.append("operand \(text)") } : nil
        ) { manual in
            manual.synopsis = ["[options] TEXT [FILE...]", "[options] -e TEXT"]
            manual.description = [
                "A first paragraph, which is long enough to go on over the end of a line of forty columns."
            ]
            manual.examples = [("tool Mick", "Say Mick.")]
            manual.habits = [("loud blare", "--verbose says more"), ("x convert", "write -v")]
        }
    }

    static func parsed(_ arguments: [String], withOperands: Bool = true) throws(UsageError) -> [String] {
        var said = Said()
        return switch try command(withOperands: withOperands).parse(arguments, into: &said) {
        case .run: said.words
        case .shortHelp: ["SHORT HELP"]
        case .help: ["HELP"]
        case .version: ["VERSION"]
        }
    }
}

@Suite("The parser of arguments")
struct ArgumentParserTests {
    @Test(
        arguments: [
            ([], []), (["x"], ["operand x"]), (["-"], ["operand -"]), ([""], ["operand "]), (["-v"], ["verbose"]),
            (["-va"], ["verbose", "any"]),
            (["--verbose", "x", "--any"], ["verbose", "operand x", "any"]), (["-n5"], ["limit 5"]),
            (["-n", "5"], ["limit 5"]), (["-n=5"], ["limit 5"]),
            (["-vn5", "x"], ["verbose", "limit 5", "operand x"]), (["-vn", "5"], ["verbose", "limit 5"]),
            (["-n", "-v"], ["limit -v"]),
            (["--limit", "5"], ["limit 5"]), (["--limit=5"], ["limit 5"]), (["--limit="], ["limit "]),
            (["--limit=a=b"], ["limit a=b"]),
            (["--limit", "--any"], ["limit --any"]), (["--limit", "--", "x"], ["limit --", "operand x"]),
            (["-n", "", "-v"], ["limit ", "verbose"]),
            (["--", "-v", "--any", "--"], ["operand -v", "operand --any", "operand --"]),
            (["x", "--"], ["operand x"]), (["-n1", "-n2"], ["limit 1", "limit 2"]),
            (["--placeholder"], ["placeholder "]), (["--placeholder=f"], ["placeholder f"]),
            (["--placeholder", "f"], ["placeholder ", "operand f"]),
            (["--help"], ["HELP"]), (["-h"], ["SHORT HELP"]), (["-vh"], ["SHORT HELP"]),
            (["x", "--help", "--unknown"], ["HELP"]), (["--version"], ["VERSION"]),
            (["--version", "--help"], ["VERSION"]), (["--", "--help"], ["operand --help"]),
            (["-n", "--help"], ["limit --help"]), (["--count=007"], ["count 7"]),
            (["-n\u{301}"], ["limit \u{301}"]), (["-n=\u{338}"], ["limit \u{338}"]),
            (["-vn\u{FE0F}x"], ["verbose", "limit \u{FE0F}x"]), (["--limit=\u{338}"], ["limit \u{338}"]),
        ] as [([String], [String])])
    func `reads`(_ arguments: [String], _ expected: [String]) throws {
        #expect(try Said.parsed(arguments) == expected)
    }

    @Test(
        arguments: [
            (["--limt", "5"], "unknown option --limt; did you mean --limit?"),
            (["--limit5"], "unknown option --limit5; did you mean --limit?"),
            (["--hepl"], "unknown option --hepl; did you mean --help?"),
            (["--versoin"], "unknown option --versoin; did you mean --version?"),
            (["--loud", "5"], "unknown option --loud; --verbose says more"),
            (["--zzzzzzzz"], "unknown option --zzzzzzzz; tool --help lists them"),
            (["--=5"], "unknown option --; tool --help lists them"),
            (["-y"], "unknown option -y; tool --help lists them"),
            (["-vx"], "unknown option -x in -vx; write -v"),
            (["--convert=5"], "unknown option --convert; write -v"),
            (["-convert", "xml1"], "unknown option -convert; write -v"),
            (["-limit", "5"], "unknown option -limit; write --limit"),
            (["-é"], "unknown option -é; tool --help lists them"),
            (["-\u{301}"], "unknown option -\u{301}; tool --help lists them"),
            (["-v\u{301}"], "unknown option -\u{301}; tool --help lists them"),
            (["--\u{301}"], "unknown option --\u{301}; tool --help lists them"),
            (["--verbose\u{301}"], "unknown option --verbose\u{301}; did you mean --verbose?"),
            (["--limit"], "--limit needs a value: --limit COUNT"), (["-n"], "-n needs a value: -n COUNT"),
            (["-vn"], "-n needs a value: -n COUNT"),
            (["--verbose=yes"], "--verbose takes no value"), (["--verbose="], "--verbose takes no value"),
            (["--count", "x"], "--count takes a whole number of at least 0, not 'x'"),
            (["--unknown", "--help"], "unknown option --unknown; tool --help lists them"),
        ] as [([String], Message)])
    func `refuses, and says what to write`(_ arguments: [String], _ message: Message) {
        #expect(throws: UsageError(message)) { try Said.parsed(arguments) }
    }

    @Test(arguments: [["x"], ["--", "x"], ["-v", "x"]])
    func `refuses operands where the command takes none`(_ arguments: [String]) throws {
        #expect(throws: UsageError("'x' isn't expected; tool takes options only")) {
            try Said.parsed(arguments, withOperands: false)
        }
        #expect(try Said.parsed(["-v", "--"], withOperands: false) == ["verbose"])
    }
}

@Suite("The help")
struct HelpTests {
    @Test
    func `gives examples first, then options, then how a run can end`() {
        let lines = Said.command().help(width: 100).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        #expect(
            lines.prefix(7) == [
                "Test the parser of arguments.", "", "usage: tool [options] TEXT [FILE...]",
                "       tool [options] -e TEXT", "", "Examples:", "  tool Mick",
            ])
        #expect(lines.contains("  -v, --verbose             Say more."))
        #expect(lines.contains("  -n, --limit COUNT         Stop after COUNT."))
        #expect(lines.contains("      --count N             A number."))
        #expect(lines.contains("      --placeholder[=FILE]  Stands in."))
        #expect(lines.contains("  -h, --help                Show a summary, or this help."))
        #expect(lines.contains("  65   bad input data"))
        #expect(lines.contains("  143  terminated (SIGTERM)"))
    }

    @Test(arguments: [0, 40, 41, 60, 80, 100, 500])
    func `keeps to the width and says the same words at any`(_ width: Int) {
        let text = Said.command().help(width: width)
        let words = { (text: String) in text.split { $0 == " " || $0 == "\n" } }
        #expect(words(text) == words(Said.command().help(width: 80)))
        let most = min(max(width, 40), 100)
        for line in text.split(separator: "\n") { #expect(line.count <= most, "\(line)") }
        #expect(!text.contains(" \n") && text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    @Test(arguments: 40...100)
    func `breaks no line before a word that has room on it`(width: Int) throws {
        let text = Said.command().help(width: width)
        let start = try #require(text.firstRange(of: "Exit status:\n"))
        let lines = text[start.upperBound...].split(separator: "\n")
        for (line, next) in zip(lines, lines.dropFirst()) where next.hasPrefix("       ") {
            let word = next.drop { $0 == " " }.prefix { $0 != " " }
            #expect(line.count + 1 + word.count > width, "\(line)")
        }
    }

    @Test func `names every status that the tool may end with`() {
        let command = Said.command()
        #expect(command.endings.map(\.status).contains(65) && !command.endings.map(\.status).contains(69))
        for ending in command.endings { #expect(command.help(width: 100).contains("\n  \(ending.status)")) }
    }
}
