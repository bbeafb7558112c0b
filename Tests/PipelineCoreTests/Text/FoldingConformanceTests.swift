// The database's own word on what is the same: every case pair and every normalisation form match each other.

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
        let forms = strength == .search ? 5 : 3
        let pairs = lines.flatMap { line in
            (0..<forms).flatMap { left in (left + 1..<forms).map { (line[left], line[$0]) } }
        }
        #expect(strangers(pairs.filter { Array($0.0.utf8) != Array($0.1.utf8) }, strength) == [])
    }
}
