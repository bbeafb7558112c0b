// The lists of exit statuses in pages and recipes that are otherwise written by hand.

import Foundation
import PipelineCore
import Testing

/// A list, and what stands before and after it on its page.
struct StatusList: Sendable {
    let page: String
    let before: String
    let after: String
    let text: String

    private static let recipes = "scripts/examples/recipes/"
    private static let passing = ExitStatus.allCases.filter(\.mayPass)
    private static let ofService = ExitStatus.allCases.filter(\.isOfService)

    static let all = [
        StatusList(
            page: "README.md", before: "All four tools share them:\n", after: "129, 130 and 143", text: sentence("")
        ),
        StatusList(
            page: "AGENTS.md", before: "the same for all:\n", after: "  129, 130 and 143", text: sentence("  ")),
        StatusList(
            page: "Documentation/man/castline.7", before: ".Bl -column \"129, 130, 143\"\n", after: ".It 129",
            text: table),
        StatusList(
            page: recipes + "castline-refresh.service", before: "\nSuccessExitStatus=", after: "\n",
            text: numbers(passing, " ")),
        StatusList(
            page: recipes + "refresh-store", before: "\ncase $status in\n    ", after: ")",
            text: numbers(passing, " | ")),
        StatusList(
            page: recipes + "Makefile", before: "    0) ;; \\\n\t    ", after: ")",
            text: numbers(ofService, " | ")),
        StatusList(
            page: "scripts/examples/spark/images.py", before: "\nFINE = {0, ", after: "}",
            text: numbers(ofService, ", ")),
    ]

    private static func numbers(_ statuses: [PipelineCore.ExitStatus], _ separator: String) -> String {
        statuses.map { "\($0.rawValue)" }.joined(separator: separator)
    }

    private static var table: String {
        let detail = ": a line, a property list, a source description"
        return ExitStatus.allCases.map {
            ".It \($0.rawValue) Ta \($0.meaning)\($0 == .badData ? detail : "")\n"
        }.joined()
    }

    /// Without the details after a colon.
    private static func sentence(_ indent: String) -> String {
        let entries = ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning.prefix { $0 != ":" });" }
        var lines = [""]
        for word in entries.joined(separator: " ").split(separator: " ") {
            if lines[lines.count - 1].count + word.count > 118 { lines.append("") }
            lines[lines.count - 1] += (lines.last == "" ? indent : " ") + word
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension DocumentTests {
    @Test func `say which of several exit statuses takes precedence`() throws {
        let page = try Fixtures.document("man/castline.7")
        let sentence = try #require(page.firstMatch(of: /If several apply, (.*)\./)).1
        let order = sentence.matches(of: /\d+/).compactMap { Int32($0.0).flatMap(ExitStatus.init(rawValue:)) }
        #expect(order.first == .inputOutput && order.last == .noMatch && order.count > 3)
        for (graver, other) in zip(order, order.dropFirst()) { #expect(other.combined(with: graver) == graver) }
    }

    @Test(arguments: StatusList.all)
    func `have the exit statuses on the pages and in the recipes written by hand`(_ list: StatusList) throws {
        let url = URL(fileURLWithPath: Fixtures.checkout + "/" + list.page)
        let page = try String(contentsOf: url, encoding: .utf8)
        let start = try #require(page.range(of: list.before)?.upperBound)
        let end = try #require(page.range(of: list.after, range: start..<page.endIndex)?.lowerBound)
        let text = page.replacingCharacters(in: start..<end, with: list.text)
        if ProcessInfo.processInfo.environment["CASTLINE_WRITE_DOCUMENTS"] != nil {
            try Data(text.utf8).write(to: url)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == text)
    }
}
