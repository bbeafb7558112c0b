// What each pair of options of filter-search and store-plist means. An option belongs to one question: options of two
// questions go together, and those of one only where the table says how.

import Testing

@testable import PipelineCore
@testable import filter_search
@testable import store_plist

@Suite("Pairs of options") struct FilterStorePairTests {
    /// Options by the question that they answer, and what pairs of one question mean.
    private struct Meaning {
        let questions: [String: String]
        let together: [String: String]
        /// Pairs that are refused, whichever question they answer.
        let refused: Set<String>
    }

    private static let search = Meaning(
        questions: [
            "what": "query all", "where": "field any", "which records": "where invert",
            "how": "word whole prefix regex fuzzy loose", "which letters": "case-sensitive accents",
            "how many": "limit best", "what comes out": "count quiet explain color",
            "for whom": "exit-status report", "bad lines": "on-bad-line strict",
        ],
        together: [
            "query+all": "each query must be found", "where+invert": "both are negated as a whole",
            "word+regex": "the expression matches whole words",
            "whole+regex": "the expression matches the whole text",
            "prefix+regex": "the expression matches at the beginning",
            "word+loose": "whole words, signs aside", "whole+loose": "the whole text, signs aside",
            "prefix+loose": "the beginning, signs aside", "fuzzy+loose": "what either finds",
            "case-sensitive+accents": "letters as typed", "count+quiet": "nothing is printed",
            "count+explain": "the number, and each place", "count+color": "a number has no colour",
            "quiet+color": "nothing is printed", "explain+color": "records with colours, places without",
            "exit-status+report": "both are told", "on-bad-line+strict": "more lines are checked",
        ],
        refused: [
            "any+field", "word+whole", "word+prefix", "whole+prefix", "regex+fuzzy", "regex+loose", "word+fuzzy",
            "whole+fuzzy", "prefix+fuzzy", "limit+best", "invert+best", "invert+explain", "quiet+explain",
            "best+count",
        ])

    private static func name(_ first: String, _ second: String) -> [String] {
        ["\(first)+\(second)", "\(second)+\(first)"]
    }

    private static func check<Settings>(
        _ command: Command<Settings>, _ settings: Settings, _ meaning: Meaning, values: [String: String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var questions: [String: String] = [:]
        for (question, names) in meaning.questions {
            for name in names.split(separator: " ") { questions[String(name)] = question }
        }
        let names = command.options.map(\.name)
        #expect(Set(names) == Set(questions.keys), sourceLocation: sourceLocation)
        for (index, first) in names.enumerated() {
            for second in names[(index + 1)...] {
                let pair = name(first, second)
                let isRefused = pair.contains(where: meaning.refused.contains)
                let arguments = [first, second].map { "--\($0)\(values[$0].map { "=\($0)" } ?? "")" }
                for order in [arguments, arguments.reversed()] {
                    var settings = settings
                    var mistake: String?
                    do throws(UsageError) { _ = try command.parse(order, into: &settings) } catch {
                        mistake = error.message.description
                    }
                    #expect(
                        (mistake != nil) == isRefused, "\(order): \(mistake ?? "taken")",
                        sourceLocation: sourceLocation)
                }
                if !isRefused, questions[first] == questions[second] {
                    #expect(
                        pair.contains { meaning.together[$0] != nil },
                        "\(pair[0]) means nothing that is written down",
                        sourceLocation: sourceLocation)
                }
            }
        }
    }

    @Test func `of filter-search`() {
        Self.check(
            .filterSearch, FilterSettings(), Self.search,
            values: [
                "query": "x", "field": "a", "where": "a = 1", "limit": "2", "best": "3", "color": "always",
                "report": "r", "on-bad-line": "stop",
            ])
    }

    @Test func `of which the order doesn't count`() throws {
        for arguments in [["-s", "--accents"], ["--accents", "-s"]] {
            var settings = FilterSettings()
            _ = try Command.filterSearch.parse(arguments, into: &settings)
            #expect(settings.strength == .exact)
        }
    }

    private static let reading = ["load", "newest", "describe", "diff"]

    /// Two options of store-plist that say different things are refused even where each is given what it needs.
    @Test(arguments: [
        "--load --newest a", "--load --describe swift", "--load --diff o --key a",
        "--mode remove --key a --same-shape",
        "--mode append --keyed --key a", "--mode append --key a --ignore b",
        "--load --key a", "--load --mode merge", "--newest a --sealed", "--describe swift --min-records 1",
        "--diff o --key a --backup .old", "--diff o --key a --changes c", "--newest a --lossy text",
        "--load --date d",
        "--changes c", "--ignore b", "--keyed", "--type Film", "--describe swift --lossy text",
    ])
    func `of store-plist that are refused`(line: String) {
        var settings = StoreSettings()
        #expect(throws: UsageError.self) {
            _ = try Command.storePlist.parse(line.split(separator: " ").map(String.init), into: &settings)
        }
    }

    @Test(arguments: [
        ("--min-records 0", true), ("--min-records 3 --min-records 0", true), ("--min-records 3", false),
        ("--min-records 0 --min-records 3", false), ("", false),
    ])
    func `of store-plist that say the same`(line: String, allows: Bool) throws {
        var settings = StoreSettings()
        _ = try Command.storePlist.parse(line.split(separator: " ").map(String.init), into: &settings)
        #expect(settings.allowsEmpty == allows)
    }
}
