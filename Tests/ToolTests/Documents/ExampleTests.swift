// Runs every example of the documents: the blocks of the README and the pages under Documentation, and those under
// EXAMPLES in the manual pages.
//
//     ```sh        is run, and ends with status 0
//     ```console   is run line by line where a line begins with "$ "; the rest is what they print, and a line of nothing
//                  but … stands for any lines, at the end of a line for the rest of it
//     ```swift FILE    is that file, which the commands after it compile

import Foundation
import TestSupport
import Testing

@Suite("The examples")
struct ExampleTests {
    // MARK: Manual pages

    @Test
    func `of the manual pages run`() throws {
        let server = try ExampleRoom.server()
        for page in try Shells.manualPages() {
            let name = page.components(separatedBy: "/").last ?? page
            for example in Self.examples(ofPage: try String(contentsOfFile: page, encoding: .utf8)) {
                guard Shells.has("jq") || !example.contains("jq ") else {
                    withKnownIssue("an example needs jq") { Issue.record("not run: \(example)") }
                    continue
                }
                let room = try ExampleRoom(server)
                try room.furnish()
                try room.folder.write(Self.sourceDescription(server).utf8, to: "shows.json")
                let run = try room.run("set -e -o pipefail\n" + example)
                // Some pictures of the catalogue aren't valid.
                let isWhole = run.status == 0 || run.status == 76 && run.errors.contains(" no picture: ")
                #expect(isWhole, "\(name): \(example)\(run.errors)")
            }
        }
    }

    /// The literal blocks below EXAMPLES that are commands, as they are typed.
    private static func examples(ofPage text: String) -> [String] {
        var examples: [String] = []
        var lines: [Substring] = []
        var isBelow = false
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(".Sh ") { isBelow = line == ".Sh EXAMPLES" }
            guard isBelow else { continue }
            if line.hasPrefix(".Bd -literal") {
                isInside = true
                lines = []
            } else if line == ".Ed" {
                isInside = false
                let text = lines.map { $0.replacing("\\&", with: "").replacing("\\e", with: "\\") + "\n" }.joined()
                if !text.hasPrefix("{") { examples.append(text.replacing("\\-", with: "-")) }
            } else if isInside {
                lines.append(line)
            }
        }
        return examples
    }

    /// The description of castline-source(5), of the local server.
    private static func sourceDescription(_ server: LocalServer) throws -> String {
        let page = try Fixtures.document("man/castline-source.5")
        let start = try #require(page.range(of: "\n{\n"))
        let end = try #require(page.range(of: "\n}\n", range: start.upperBound..<page.endIndex))
        return String(page[start.lowerBound..<end.upperBound]).replacing(
            "https://api.disneyapi.dev", with: server.url)
    }

    @Test(.enabled(if: Executables.testsPackages && Shells.has("jq"), "scripts/test --packages runs it"))
    func `of the picture of a terminal are what the tools print`() throws {
        let run = try Session(
            Fixtures.checkout + "/scripts/draw-terminal", ["--check"],
            environment: ["CASTLINE_BIN": Executables.folder])
        #expect(run.status == 0, "\(run.errors)")
    }

    // MARK: Markdown

    struct Block: Sendable {
        let line: Int
        let language: String
        /// What it is, where it isn't commands.
        let file: String
        let lines: [String]
    }

    /// A file and its blocks that are run.
    struct Document: CustomTestStringConvertible, Sendable {
        let path: String
        let blocks: [Block]

        var testDescription: String { path }
    }

    @Test(arguments: try documents())
    func `of README.md and Documentation run and print what is shown`(_ document: Document) throws {
        let isSwift = document.blocks.contains { $0.language == "swift" }
        if isSwift && !Shells.has("swift") { try Test.cancel("no swift") }
        let room = try ExampleRoom(try ExampleRoom.server(), tools: isSwift ? Shells.folder(of: "swift") : nil)
        for block in document.blocks {
            let place = "\(document.path):\(block.line)"
            switch block.language {
            case "sh": try run(block, place, room)
            case "swift": try room.folder.write(block.lines.joined(separator: "\n") + "\n", to: block.file)
            default: try converse(block, place, room)
            }
        }
    }

    private func run(_ block: Block, _ place: String, _ room: ExampleRoom) throws {
        let run = try room.run("set -euo pipefail\n" + block.lines.joined(separator: "\n"))
        #expect(run.status == 0, "\(place): \(run.errors)")
    }

    /// The commands of a block see the status of the one before.
    private func converse(_ block: Block, _ place: String, _ room: ExampleRoom) throws {
        var status: Int32 = 0
        var index = block.lines.startIndex
        while index < block.lines.endIndex {
            let command = block.lines[index].dropFirst(2)
            let end = block.lines[(index + 1)...].firstIndex { $0.hasPrefix("$ ") } ?? block.lines.endIndex
            let shown = block.lines[(index + 1)..<end].map(room.shown)
            let run = try room.run("(exit \(status)); { \(command); } 2>&1", limitSeconds: 300)
            status = run.status
            #expect(
                Self.fits(run.lines[...], shown[...]),
                "\(place): \(command)\nprinted\n\(run.text)")
            index = end
        }
    }

    /// Whether the printed lines are the shown ones.
    private static func fits(_ printed: ArraySlice<String>, _ shown: ArraySlice<String>) -> Bool {
        guard let line = shown.first else { return printed.isEmpty }
        if line == "…" { return (0...printed.count).contains { fits(printed.dropFirst($0), shown.dropFirst()) } }
        guard let first = printed.first else { return false }
        let isSame = line.hasSuffix("…") ? first.hasPrefix(line.dropLast()) : first == line
        return isSame && fits(printed.dropFirst(), shown.dropFirst())
    }

    private static func documents() throws -> [Document] {
        let pages = try FileManager.default.contentsOfDirectory(atPath: Fixtures.checkout + "/Documentation")
            .filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/" + $0 }
        return try (["README.md", "CONTRIBUTING.md"] + pages).compactMap { file in
            let path = Fixtures.checkout + "/" + file
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            let blocks = blocks(of: try String(contentsOfFile: path, encoding: .utf8))
            return blocks.isEmpty ? nil : Document(path: file, blocks: blocks)
        }
    }

    private static func blocks(of text: String) -> [Block] {
        var blocks: [Block] = []
        var begun: (line: Int, words: [String], lines: [String])?
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            if let block = begun {
                if line == "```" {
                    let language = block.words.first ?? ""
                    if ["sh", "console"].contains(language) || language == "swift" && block.words.count == 2 {
                        blocks.append(
                            Block(
                                line: block.line, language: language, file: block.words.last ?? "",
                                lines: block.lines))
                    }
                    begun = nil
                } else {
                    begun?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                begun = (number + 1, line.dropFirst(3).split(separator: " ").map(String.init), [])
            }
        }
        return blocks
    }
}
