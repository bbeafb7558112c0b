// All pairs of options of the two fetch tools. A table says of each option which others it refuses; any other pair does
// what both say. Whoever adds an option sees in the table's difference what its pairs are.

import Foundation
import PipelineCore
import Testing

@testable import fetch_characters
@testable import fetch_images

@Suite("All pairs of options") struct OptionPairTests {
    /// The lines of the table: an option, and those that it refuses, of which each has the other in its own line.
    private static func table<Settings>(_ tool: OptionTool<Settings>) throws -> [String] {
        let names = tool.command.options.map(\.name).sorted()
        return try names.map { name in
            let refused = try names.filter { try $0 != name && refuses(tool, name, $0) }
            return ([name + ":"] + refused).joined(separator: " ")
        }
    }

    /// Whether a pair is refused that doesn't lack a third: with the values that go together best, in both orders.
    private static func refuses<Settings>(_ tool: OptionTool<Settings>, _ first: String, _ second: String) throws
        -> Bool
    {
        let needed = try needs(tool, first, second)
        var taken = 0
        var orders: Set<Bool> = []
        for one in try tool.arguments(first) {
            for other in try tool.arguments(second) {
                let there = tool.mistake(needed + [one, other]) == nil
                let back = tool.mistake(needed + [other, one]) == nil
                orders.insert(there == back)
                if there { taken += 1 }
            }
        }
        #expect(orders == [true], "--\(first) and --\(second) depend on their order")
        return taken == 0
    }

    /// The options that one of two has no meaning without, as far as they aren't among the two.
    private static func needs<Settings>(
        _ tool: OptionTool<Settings>, _ first: String, _ second: String
    ) throws -> [String] {
        var added: [String] = []
        for rule in tool.command.rules() {
            guard case .needs(let names, let others, _, let unless) = rule else { continue }
            guard names.contains(where: { [first, second].contains($0) }) else { continue }
            guard !(others + unless).contains(where: { [first, second].contains($0) }) else { continue }
            added.append(try tool.arguments(others[0])[0])
        }
        return added
    }

    private static let folder = Fixtures.checkout + "/Tests/ToolTests/OptionPairs"

    private static func check(_ name: String, _ lines: [String]) throws {
        let path = "\(folder)/\(name).txt"
        if ProcessInfo.processInfo.environment["CASTLINE_WRITE_TRANSCRIPTS"] != nil {
            try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
        let held = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines == held, "CASTLINE_WRITE_TRANSCRIPTS=1 writes \(path) anew; read what has changed")
        // A pair is refused whichever of the two is asked about.
        let refused = Set(
            lines.flatMap { line in
                let words = line.split(separator: " ")
                return words.dropFirst().map { "\(words[0].dropLast()) \($0)" }
            })
        for pair in refused {
            let words = pair.split(separator: " ")
            #expect(refused.contains("\(words[1]) \(words[0])"), "\(pair)")
        }
    }

    @Test func `of fetch-images are refused, or do what both say`() throws {
        try Self.check(
            "fetch-images", try Self.table(OptionTool(command: .fetchImages, settings: ImagesSettings())))
    }

    @Test func `of fetch-characters are refused, or do what both say`() throws {
        try Self.check(
            "fetch-characters", try Self.table(OptionTool(command: .fetchCharacters, settings: FetchSettings())))
    }

    /// Pairs of values that can only fail, or of which one would be silently dropped.
    @Test(arguments: [
        "fetch-characters --min-records 4 --limit 3", "fetch-characters --id 1 --min-records 2",
        "fetch-characters --id 1 --id 2 --min-records 3", "fetch-characters --quiet --explain",
        "fetch-images --placeholder --on-error=drop", "fetch-images --placeholder --on-error=stop",
        "fetch-images --verify --record r", "fetch-images --verify --replay r", "fetch-images --prune 2.5",
    ])
    func `are refused by their values`(line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        #expect(try Session(words[0], Array(words.dropFirst())).status == 64, "\(line)")
    }

    /// What they mean together. Each runs, and says what its row promises.
    @Test(arguments: [
        "fetch-characters --min-records 3 --limit 3", "fetch-characters --id 214 --min-records 1",
        "fetch-characters --limit 3 --page-size 100",
        "fetch-characters --limit 2 --retries 0 --rate 100/second --jobs 1",
    ])
    func `of counts that fit each other run`(line: String) throws {
        let server = try LocalServer()
        let words = line.split(separator: " ").map(String.init)
        let run = try Session(words[0], Array(words.dropFirst()) + ["--base-url", server.url])
        #expect(run.status == 0, "\(line): \(run.errors)")
    }
}
