// Every description in castline-source(5) is one: the whole ones as they are, the others as a part of a small one.
//
//     {                whole, kept in a file of its name
//     "records": …     a part; requests and responses may come before it, with an empty line between
//     query (          the text of films.graphql

import Foundation
import TestSupport
import Testing

@Suite("The descriptions in castline-source(5)")
struct PageDescriptionTests {
    /// What the parts are added to. Their members take the place of these.
    private static var rest: [String: Any] {
        [
            "name": "x", "baseURL": "https://api.example.org", "path": "/x", "records": "$",
            "pagination": ["type": "none"],
        ]
    }

    /// The literal blocks of the page.
    private static func blocks() throws -> [String] {
        let page = try Fixtures.document("man/castline-source.5")
        return page.components(separatedBy: "\n.Bd -literal").dropFirst().compactMap { part in
            let text = part.components(separatedBy: "\n.Ed").first ?? ""
            return text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).last
                .map { String($0).replacing("\\&", with: "").replacing("\\e", with: "\\") }
        }
    }

    private static func description(_ literal: String) throws -> [String: Any]? {
        let block = literal.components(separatedBy: "\n\n").last ?? ""
        let isWhole = block.hasPrefix("{\n")
        guard isWhole || block.hasPrefix("\"") else { return nil }
        let text = isWhole ? block : "{\(block)}"
        let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let object = try #require(parsed, "not JSON: \(block)")
        return isWhole ? object : Self.rest.merging(object) { $1 }
    }

    @Test
    func `are planned without a mistake`() throws {
        let blocks = try Self.blocks()
        let query = try #require(blocks.first { $0.hasPrefix("query (") })
        var count = 0
        for block in blocks {
            guard let description = try Self.description(block) else { continue }
            count += 1
            let folder = try ScratchFolder()
            try folder.write(query.utf8, to: "films.graphql")
            try folder.write(try JSONSerialization.data(withJSONObject: description), to: "x.json")
            let each = (description["each"] as? [String: Any]).map { Array($0.keys) } ?? []
            let options =
                each == ["parameter"] ? ["--each", "id"] : each.flatMap { ["--each", "\($0)=id"] }
            let run = try Session(
                "fetch-characters", ["--source", "x.json", "--plan", "-q"] + options,
                input: #"{"id":"112"}"#.utf8, folder: folder)
            #expect(run.status == 0 && run.errors == "", "\(block)\n\(run.errors)")
        }
        #expect(count > 20)
    }
}
