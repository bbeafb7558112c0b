// `--help` is a function of the command: nothing is left out, and no line is too wide.

import PipelineCore
import Testing

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

    @Test(arguments: PipelineCore.ExitStatus.allCases)
    func `names every status of the table`(_ status: PipelineCore.ExitStatus) {
        #expect(Said.command().help(width: 100).contains("\n  \(status.rawValue)"))
    }
}
