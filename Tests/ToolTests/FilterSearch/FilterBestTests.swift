// --best beside a program that ranks every record and sorts them all.

import TestSupport
import Testing

@Suite("The best matches") struct FilterBestTests {
    private static let words = [
        "mick", "Mickey", "MICK", "uncle", "gimmick", "mi", "ck", "Mi-ck", "x", "nomicky", "mic",
    ]

    private struct Record {
        let line: String
        let names: [String]
    }

    private func records(_ seed: UInt64, count: Int) -> [Record] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { number in
            let names = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    Self.words.randomElement(using: &random) ?? ""
                }
                .joined(separator: " ")
            }
            let list = names.map { "\"\($0)\"" }.joined(separator: ",")
            return Record(line: "{\"n\":\(number),\"name\":[\(list)]}", names: names)
        }
    }

    /// The rank of a text in which `query`, of small ASCII letters, is found.
    private func rank(_ query: String, in text: String) -> [Int]? {
        let letters = Array(text.lowercased())
        let wanted = Array(query)
        func isLetter(_ index: Int) -> Bool { letters.indices.contains(index) && letters[index].isLetter }
        return letters.indices.compactMap { start -> [Int]? in
            let end = start + wanted.count
            guard end <= letters.count, Array(letters[start..<end]) == wanted else { return nil }
            if wanted.count == letters.count { return [0, start] }
            if start == 0 { return [1, start] }
            guard !isLetter(start - 1) else { return [4, start] }
            return [isLetter(end) ? 3 : 2, start]
        }.min { $0.lexicographicallyPrecedes($1) }
    }

    private func sorted(_ records: [Record], _ queries: [String]) -> [String] {
        let ranked = records.enumerated().compactMap { index, record -> (key: [Int], line: String)? in
            let ranks = record.names.flatMap { name in queries.compactMap { rank($0, in: name) } }
            guard let best = ranks.min(by: { $0.lexicographicallyPrecedes($1) }) else { return nil }
            return (best + [index], record.line)
        }
        return ranked.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.line)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `come in the order of a program that sorts all`(seed: UInt64) throws {
        let records = records(seed, count: 400)
        for queries in [["mick"], ["mi"], ["ck", "uncle"], ["nobody"]] {
            let all = sorted(records, queries)
            for count in [1, 7, 1000] {
                let arguments = ["--best", "\(count)"] + queries.flatMap { ["-e", $0] }
                let run = try Session.filter(arguments, records.map(\.line))
                #expect(run.lines == Array(all.prefix(count)), "\(queries) \(count)")
                #expect(run.status == 0)
            }
        }
    }

    @Test
    func `are the same from a pipe, from files and from their parts`() throws {
        let folder = try ScratchFolder()
        let records = records(9, count: 40_000)
        let text = records.map { $0.line + "\n" }.joined()
        try folder.write(text.utf8, to: "a.jsonl")
        let expected = Array(sorted(records, ["mick"]).prefix(30))
        for command in [
            "filter-search --best 30 mick <a.jsonl", "cat a.jsonl | filter-search --best 30 mick",
            "filter-search --best 30 mick a.jsonl",
        ] {
            let run = try Session.script(command, folder: folder)
            #expect(run.lines == expected, "\(command)")
        }
        let twice = try Session.script(
            "filter-search --best 2 -x 'mick mick mick' --report r a.jsonl a.jsonl; grep -o '\"recordsOut\":[0-9]*' r",
            folder: folder)
        let exact = records.filter { $0.names.contains { $0.lowercased() == "mick mick mick" } }.map(\.line)
        #expect(twice.lines == Array((exact + exact).prefix(2)) + ["\"recordsOut\":2"])
    }
}
