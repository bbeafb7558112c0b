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
        #expect(twice.lines.last == "\"recordsOut\":2" && twice.lines[0] == twice.lines[0])
    }

    private static let names = ["Gimmick", "Uncle Mickey", "Uncle Mick", "Mickey Mouse", "M\\u0069CK", "Mikc"]
    private let lines = names.map { "{\"name\":\"\($0)\"}" }

    @Test
    func `are explained with rule and rank`() throws {
        let run = try Session.filter(["--best", "5", "--explain", "mick"], lines)
        #expect(
            run.errors.split(separator: "\n").map(String.init) == [
                #"{"line":5,"field":"name","start":9,"end":18,"rule":"whole","rank":1}"#,
                #"{"line":4,"field":"name","start":9,"end":13,"rule":"prefix","rank":2}"#,
                #"{"line":3,"field":"name","start":15,"end":19,"rule":"word","rank":3}"#,
                #"{"line":2,"field":"name","start":15,"end":19,"rule":"beginning","rank":4}"#,
                #"{"line":1,"field":"name","start":12,"end":16,"rule":"inside","rank":5}"#,
            ])
        #expect(run.lines == [4, 3, 2, 1, 0].map { lines[$0] })
    }

    @Test(arguments: [
        (["-z", "mickye"], [3, 1]), (["-w", "mick"], [4, 2]), (["-p", "mick"], [4, 3]), (["-x", "mick"], [4]),
        (["-E", "mi.k"], [4, 3, 2, 1, 0]), (["--all", "-e", "mick", "-e", "uncle"], [1, 2]),
        (["--where", "name exists"], [0, 1, 2, 3, 4, 5]), (["--where", "name != mick", "mick"], [3, 2, 1, 0]),
        (["-a", "mick"], [4, 3, 2, 1, 0]), (["--loose", "m-ick"], [4, 3, 2, 1, 0]), (["-s", "Mick"], [3, 2, 1]),
        (["--loose", "-z", "mickye"], [3, 1]), (["-e", "mouse", "-e", "uncle"], [1, 2, 3]),
    ])
    func `go with every kind of search`(arguments: [String], expected: [Int]) throws {
        let run = try Session.filter(["--best", "9"] + arguments, lines)
        #expect(run.lines == expected.map { lines[$0] }, "\(arguments)")
    }

    @Test(arguments: [#"(?x)mick # c"#, #"\Qmick"#, #"m(?x)ick#)"#, #"mick|\Qx)"#, "(?x) (mick) #\\Q"])
    func `take every expression that a search takes`(expression: String) throws {
        let found = try Session.filter(["-E", expression], lines).lines
        #expect(found.count == 5)
        #expect(
            try Session.filter(["--best", "9", "-E", expression], lines).lines == [4, 3, 2, 1, 0].map { lines[$0] })
        #expect(try Session.filter(["-x", "-E", expression], lines).lines == [lines[4]])
    }

    @Test
    func `leave the count, the answer and the seal as they are`() throws {
        let seal = #"{"$seal":{"records":6,"complete":true}}"#
        #expect(try Session.filter(["--best", "1", "-c", "mick"], lines + [seal]).lines == ["{\"count\":5}"])
        #expect(try Session.filter(["--best", "1", "-q", "mick"], lines).status == 0)
        #expect(try Session.filter(["--best", "1", "mick"], lines + [seal]).lines == [lines[4], seal])
    }

    @Test
    func `are not written where the input fails on the way`() throws {
        let run = try Session.filter(
            ["--best", "2", "--on-bad-line=stop", "mick"], [lines[0], "nonsense", lines[4]])
        #expect(run.status == 65 && run.output.isEmpty)
        #expect(
            try Session.filter(["--best", "2", "mick"], [lines[0], "nonsense", lines[4]]).lines == [
                lines[4], lines[0],
            ])
    }

    @Test(arguments: [
        (["--best", "0", "x"], "--best takes a whole number of at least 1, not '0'"),
        (["--best", "-1", "x"], "--best takes a whole number of at least 1, not '-1'"),
        (["--best", "2", "-v", "x"], "--best ranks what matches; leave out --invert"),
        (["--best", "2", "-m", "3", "x"], "--best reads all records before it writes any; leave out --limit"),
        (["--color", "sometimes", "x"], "--color takes auto, always or never, not 'sometimes'"),
    ])
    func `are refused where they mean nothing`(arguments: [String], message: String) throws {
        let run = try Session.filter(arguments, lines)
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("filter-search: \(message)"), "\(run.errors)")
    }
}
