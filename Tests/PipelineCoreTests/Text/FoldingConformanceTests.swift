// What folds, by the database: every case pair and every normalisation form match each other; and by the page that lists
// the project's own letters.

import Foundation
import PipelineCore
import Testing

struct FoldingConformanceTests {
    /// The pairs that don't match each other, in either direction; one in 211 is also looked for anywhere, which
    /// takes longer.
    private func strangers(_ pairs: [(String, String)], _ strength: TextStrength) -> [String] {
        pairs.enumerated().flatMap { [($0, $1.0, $1.1), ($0, $1.1, $1.0)] }
            .filter { number, query, text in
                !finds(query, in: text, strength, .whole)
                    || number % 211 == 0 && !finds(query, in: "\(text)😀", strength)
            }
            .map { "\($1.unicodeScalars) in \($2.unicodeScalars)" }
    }

    /// The tables have a column for each, in this order.
    @Test
    func `scripts/generate-unicode has the same strengths`() throws {
        let checkout = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let script = try String(contentsOf: checkout.appending(path: "scripts/generate-unicode"), encoding: .utf8)
        let list = try #require(script.firstMatch(of: /\nSTRENGTHS = (.*)\n/)).1
        #expect(list.matches(of: /"(\w+)":/).map { String($0.1) } == TextStrength.allCases.map { "\($0)" })
    }

    @Test(.enabled(if: UnicodeDatabase.has("CaseFolding.txt")), arguments: [TextStrength.search, .accents])
    func `every case pair of CaseFolding matches each other`(strength: TextStrength) throws {
        let pairs = try UnicodeDatabase.lines("CaseFolding.txt").filter { ["C", "F"].contains($0[1]) }
            .map { (UnicodeDatabase.text($0[0]), UnicodeDatabase.text($0[2])) }
        #expect(pairs.count > 1500)
        #expect(strangers(pairs, strength) == [])
    }

    @Test(.enabled(if: UnicodeDatabase.has("NormalizationTest.txt.bz2")), arguments: TextStrength.allCases)
    func `the canonical forms of NormalizationTest match each other, and in a search the compatible ones too`(
        strength: TextStrength
    ) throws {
        let lines = try UnicodeDatabase.lines("NormalizationTest.txt.bz2").map { $0.map(UnicodeDatabase.text) }
        #expect(lines.count > 18_000)
        let forms = strength.ignoresAccents ? 5 : 3
        let pairs = lines.flatMap { line in
            (0..<forms).flatMap { left in (left + 1..<forms).map { (line[left], line[$0]) } }
        }
        #expect(strangers(pairs.filter { Array($0.0.utf8) != Array($0.1.utf8) }, strength) == [])
    }
}

enum UnicodeDatabase {
    static let directory = "/usr/share/unicode"

    static func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(directory)/\(name)") }

    /// The fields of each line that has some, comments left out; a compressed file is unpacked by bzcat.
    static func lines(_ name: String) throws -> [[String]] {
        let path = "\(directory)/\(name)"
        let text =
            try name.hasSuffix(".bz2") ? output(["bzcat", path]) : String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let data = line.prefix { $0 != "#" }
            guard !data.isEmpty, !data.hasPrefix("@") else { return nil }
            return data.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// What a program prints.
    static func output(_ command: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// The text that is written as code points in hexadecimal.
    static func text(_ field: String) -> String {
        var text = String.UnicodeScalarView()
        for code in field.split(separator: " ") {
            if let code = UInt32(code, radix: 16), let scalar = Unicode.Scalar(code) { text.append(scalar) }
        }
        return String(text)
    }
}

@Suite("The page of what folds")
struct FoldingPageTests {
    private func page() throws -> String {
        let url = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Documentation/Folding.md").standardizedFileURL
        return try String(contentsOf: url, encoding: .utf8)
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
                let (plain, letter) = (String(cells[0][0]), String(letter))
                #expect(finds(plain, in: letter, .search, .whole), "\(plain) \(letter)")
                #expect(!finds(letter, in: plain, .search, .whole), "\(letter) \(plain)")
                #expect(finds(plain, in: letter.uppercased(), .search, .whole), "\(plain) \(letter.uppercased())")
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
                let parts = example.split(separator: " ", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { continue }
                #expect(finds(parts[1], in: parts[0], .search, .whole), "\(example)")
                #expect(finds(parts[0], in: parts[1], .search, .whole), "\(example)")
            }
        }
    }
}
