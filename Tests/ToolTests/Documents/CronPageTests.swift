// The page for a bad night leaves out no status that the tools can give.

import Foundation
import Testing

@Suite("The page for a bad night")
struct CronPageTests {
    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: Fixtures.checkout + "/Documentation/" + name, encoding: .utf8)
    }

    @Test
    func `explains each exit status of the manual`() throws {
        let page = try Self.text("Cron.md")
        let manual = try Self.text("man/castline.7")
        let part = try #require(
            manual.components(separatedBy: ".Sh EXIT STATUS").last?.components(separatedBy: ".El").first)
        let statuses = part.split(separator: "\n").filter { $0.hasPrefix(".It ") }
            .flatMap { $0.components(separatedBy: " Ta ")[0].matches(of: /\d+/).map { String($0.0) } }
        #expect(statuses.count == 14)
        for status in statuses { #expect(page.contains("**\(status)**"), "\(status)") }
    }

    @Test(arguments: ["refresh-store", "mail-changes", "castline-refresh.service", "castline-refresh.timer"])
    func `names recipes that are there`(name: String) throws {
        #expect(try Self.text("Cron.md").contains("`\(name)`"))
        #expect(FileManager.default.fileExists(atPath: RecipeUnderTest.folder + "/" + name))
    }
}
