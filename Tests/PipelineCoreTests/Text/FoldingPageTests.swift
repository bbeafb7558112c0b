// The manual's page of what folds, held against what the search does.

import Foundation
import PipelineCore
import Testing

@Suite("The page of what folds")
struct FoldingPageTests {
    private func page() throws -> String {
        let url = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Documentation/Folding.md").standardizedFileURL
        return try String(contentsOf: url, encoding: .utf8)
    }

    private func finds(_ query: some StringProtocol, in text: some StringProtocol) -> Bool {
        var search = TextQuery(Array(query.utf8).span, placement: .whole)
        return search.matches(Array(text.utf8).span)
    }

    @Test
    func `is right about every letter of the project's own table`() throws {
        let rows = try page().split(separator: "\n").filter {
            $0.hasPrefix("| ") && $0.split(separator: "|").count == 2
        }
        #expect(rows.count > 50)
        for row in rows.dropFirst() {
            let cells = row.split(separator: "|").map { $0.split(separator: " ") }
            for letter in cells[1] {
                #expect(finds(cells[0][0], in: letter), "\(cells[0][0]) \(letter)")
                #expect(!finds(letter, in: cells[0][0]), "\(letter) \(cells[0][0])")
                #expect(finds(cells[0][0], in: letter.uppercased()), "\(cells[0][0]) \(letter.uppercased())")
            }
        }
    }

    @Test
    func `is right about its examples of other forms`() throws {
        let rows = try page().split(separator: "\n").filter {
            $0.hasPrefix("| ") && $0.split(separator: "|").count == 3
        }
        #expect(rows.count > 10)
        for row in rows.dropFirst() {
            guard let examples = row.split(separator: "|").last?.dropFirst().dropLast() else { continue }
            for example in String(examples).components(separatedBy: ", ") {
                let parts = example.split(separator: " ", maxSplits: 1)
                guard parts.count == 2 else { continue }
                #expect(finds(parts[1], in: parts[0]) && finds(parts[0], in: parts[1]), "\(example)")
            }
        }
    }
}
