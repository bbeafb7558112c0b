// The manual pages and completions in the checkout are those of the tools as they are.

import Foundation
import PipelineCore
import Testing

@testable import fetch_characters

@Suite("The generated documents")
struct DocumentTests {
    @Test(arguments: ToolDocument.all)
    func `are current; scripts/generate-documents writes them anew`(_ document: ToolDocument) throws {
        let url = URL(fileURLWithPath: document.fullPath)
        if ProcessInfo.processInfo.environment["CASTLINE_WRITE_DOCUMENTS"] != nil {
            try Data(document.text.utf8).write(to: url)
        }
        let written = FileManager.default.contents(atPath: document.fullPath).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(written == document.text)
    }

    /// The gallery's titles: each source's summary without the part after the comma, its host.
    @Test
    func `have the summaries of all sources for the gallery`() throws {
        let library = Fixtures.checkout + "/Documentation/sources/"
        let files = try FileManager.default.contentsOfDirectory(atPath: library).filter { $0.hasSuffix(".json") }
        let descriptions =
            try files.map { try Data(contentsOf: URL(fileURLWithPath: library + $0)) }
            + BuiltInSource.all.map { Data($0.file.bytes) }
        let lines = try descriptions.compactMap { data -> String? in
            let members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            let name = try #require(members["name"] as? String),
                summary = try #require(members["summary"] as? String)
            let isOfAnything = summary.hasPrefix("Any ")
            return isOfAnything ? nil : "\(name)\t\(summary.prefix { $0 != "," })\n"
        }
        let text = lines.sorted().joined()
        let url = URL(fileURLWithPath: Fixtures.checkout + "/Sources/fetch-images/Gallery/Page/summaries.txt")
        if ProcessInfo.processInfo.environment["CASTLINE_WRITE_DOCUMENTS"] != nil {
            try Data(text.utf8).write(to: url)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == text)
    }

    @Test
    func `are all there is, but for the pages written by hand`() throws {
        let there = try ["man/", "completions/"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: Fixtures.checkout + "/Documentation/" + folder)
                .map { folder + $0 }
        }
        let byHand = ["man/castline.7", "man/castline-source.5", "man/parts"]
        #expect(Set(there).subtracting(byHand) == Set(ToolDocument.all.map(\.path)))
    }

    @Test(.enabled(if: Shells.has("mandoc"), "no mandoc"))
    func `are manual pages without a fault`() throws {
        for page in try Shells.manualPages() {
            #expect(try String(contentsOfFile: page, encoding: .utf8).contains("\n.Os castline \(Tool.version)\n"))
            let run = try Session.script("mandoc -Tlint \(page)")
            // The other pages are found only where they are installed.
            // To mandoc, only the pages of NetBSD name a system.
            let isExpected = ["referenced manual not found", "operating system explicitly specified"]
            let faults = run.lines.filter { line in !isExpected.contains { line.contains($0) } }
            #expect(faults == [])
        }
    }

    @Test(.enabled(if: Shells.has("mandoc"), "no mandoc"))
    func `fit a terminal of 80 columns`() throws {
        for page in try Shells.manualPages() {
            let run = try Session.script(
                "mandoc -Tutf8 -O width=78 \(page) | sed 's/.\\x08//g'", environment: ["LC_ALL": "C.UTF-8"])
            #expect(run.lines.filter { $0.count > 80 } == [])
            #expect(run.lines.count > 40)
        }
    }

    @Test(arguments: ToolDocument.tools)
    func `name every option of the help in the page`(_ tool: String) throws {
        let help = try Session(tool, ["--help"], environment: ["COLUMNS": "100"])
        let page = try #require(ToolDocument.all.first { $0.path == "man/\(tool).1" })
        let names = help.lines.compactMap { line in
            line.firstMatch(of: /^ {2}(-.|  )[, ] --([a-z-]+)/).map { String($0.2) }
        }
        #expect(names.count > 10)
        for name in names { #expect(page.text.contains("Fl -\(name)"), "\(name)") }
    }

    @Test(arguments: ToolDocument.tools)
    func `fit the short help on a screen of 24 lines and 80 columns`(_ tool: String) throws {
        let help = try Session(tool, ["-h"], environment: ["COLUMNS": "80"])
        #expect(help.status == 0 && help.lines.count <= 24 && help.lines.allSatisfy { $0.count <= 80 })
        #expect(help.text.contains("usage: \(tool) ") && help.text.contains("\(tool) --help has all "))
        // Each of its options is there: one that was renamed would silently go.
        #expect(help.lines.count { $0.contains(" --") && $0.hasPrefix("  ") } >= 7)
    }

    /// Only the fetch tools can meet a service, and only some answer with 1.
    @Test(arguments: [("filter-search", [69, 75, 76, 77]), ("store-plist", [69, 76, 77]), ("fetch-images", [1])])
    func `name in the help the statuses that the tool can give, and no others`(tool: String, others: [Int]) throws {
        let help = try Session(tool, ["--help"])
        let table = help.lines.drop { $0 != "Exit status:" }.compactMap { $0.firstMatch(of: /^ {2}([0-9]+)\s/) }
        let statuses = table.compactMap { Int($0.1) }
        #expect(statuses.count > 8 && !statuses.contains(where: others.contains))
    }

    @Test
    func `explain each exit status of the manual on the page for a bad night`() throws {
        let page = try Fixtures.document("Cron.md")
        let manual = try Fixtures.document("man/castline.7")
        let part = try #require(
            manual.components(separatedBy: ".Sh EXIT STATUS").last?.components(separatedBy: ".El").first)
        let statuses = part.split(separator: "\n").filter { $0.hasPrefix(".It ") }
            .flatMap { $0.components(separatedBy: " Ta ")[0].matches(of: /\d+/).map { String($0.0) } }
        #expect(Set(statuses) == Set(ExitStatus.allCases.map { "\($0.rawValue)" } + ["129", "130", "143"]))
        for status in statuses { #expect(page.contains("**\(status)**"), "\(status)") }
    }

    /// A file is named with or without its room: `Records/RecordInput`, `RecordInput`; a type or a member by its name alone.
    @Test
    func `name rooms and files that are there in the architecture`() throws {
        let root = Fixtures.checkout
        let text = try Fixtures.document("Architecture.md") + Fixtures.document("Changing.md")
        let paths = ["Sources", "Tests", "Fuzz", "scripts"].flatMap { folder in
            ["/" + folder]
                + (FileManager.default.subpaths(atPath: "\(root)/\(folder)") ?? []).flatMap {
                    ["/\(folder)/\($0)", "/\(folder)/" + ($0 as NSString).deletingPathExtension]
                }
        }
        let sources = try paths.filter {
            $0.hasPrefix("/Sources/") && ($0.hasSuffix(".swift") || $0.hasSuffix(".js"))
        }
        .map { try String(contentsOfFile: root + $0, encoding: .utf8) }
        let types = Set(
            sources.flatMap { $0.matches(of: /(?:struct|enum|class|protocol) ([A-Z]\w*)/).map { "/" + $0.1 } })
        let names = text.matches(of: /`([A-Z][A-Za-z]*(?:[\/+][A-Za-z0-9]+)*)`/).map { "/" + $0.1 }
        #expect(names.count > 60)
        for name in Set(names) {
            #expect(types.contains(name) || paths.contains { $0.hasSuffix(name) }, "\(name)")
        }
        let members = Set(
            sources.flatMap { $0.matches(of: /(?:func|function|const|var|let|case) `?([a-z]\w*)/).map { $0.1 } })
        for name in text.matches(of: /`([a-z][A-Za-z]+)[`(]/) {
            let isThere = members.contains(name.1)
            #expect(isThere, "\(name.1)")
        }
    }
}
