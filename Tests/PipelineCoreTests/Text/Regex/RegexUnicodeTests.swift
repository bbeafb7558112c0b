// The tables against the Unicode Character Database's own files, and against what the standard library knows.

import PipelineCore
import Testing

struct RegexUnicodeTests {
    /// Planes 0 to 3, which have all letters.
    private static let scalars: ClosedRange<UInt32> = 0...0x3FFFF

    /// The scalars that the pattern, anchored, matches.
    private func matching(_ pattern: String, caseInsensitive: Bool = false) throws -> Set<UInt32> {
        let matcher = TextMatching(try RegexProgram("^(?:\(pattern))$", caseInsensitive: caseInsensitive))
        var found: Set<UInt32> = []
        var text: [UInt8] = []
        for value in Self.scalars {
            guard let scalar = Unicode.Scalar(value) else { continue }
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if matcher.finds(text) { found.insert(value) }
        }
        return found
    }

    private static let hasDatabase = UnicodeDatabase.has("Scripts.txt") && UnicodeDatabase.has("CaseFolding.txt")

    private func range(_ field: String) -> ClosedRange<UInt32> {
        let ends = field.split(separator: ".").compactMap { UInt32($0, radix: 16) }
        return (ends.first ?? 1)...(ends.last ?? 1)
    }

    @Test(
        .enabled(if: hasDatabase),
        arguments: ["Greek", "Latin", "Han", "Common", "Cyrillic"])
    func `scripts are the database's`(name: String) throws {
        let lines = try UnicodeDatabase.lines("Scripts.txt").filter { $0[1] == name }
        #expect(try matching("\\p{\(name)}") == scalars(of: lines))
    }

    /// Those that the lines of a file of the database begin with, as far as they are looked at.
    private func scalars(of lines: [[String]]) -> Set<UInt32> {
        Set(lines.map { range($0[0]) }.filter(Self.scalars.overlaps).flatMap { $0.clamped(to: Self.scalars) })
    }

    @Test(.enabled(if: hasDatabase))
    func `every script and category has a name that is known`() throws {
        for name in Set(try UnicodeDatabase.lines("Scripts.txt").map { $0[1] }) {
            _ = try RegexProgram("\\p{\(name)}\\p{Script=\(name)}")
        }
        for name in Set(try UnicodeDatabase.lines("extracted/DerivedGeneralCategory.txt").map { $0[1] }) {
            _ = try RegexProgram("\\p{\(name)}\\p{gc=\(name)}\\p{\(name.prefix(1))}")
        }
    }

    @Test(
        .enabled(if: hasDatabase),
        arguments: [
            ("Lu", ["Lu"]), ("L", ["Lu", "Ll", "Lt", "Lm", "Lo"]), ("Nd", ["Nd"]), ("Cn", ["Cn"]), ("Zs", ["Zs"]),
        ])
    func `categories are the database's`(name: String, members: [String]) throws {
        let lines = try UnicodeDatabase.lines("extracted/DerivedGeneralCategory.txt").filter {
            members.contains($0[1])
        }
        #expect(try matching("\\p{\(name)}") == scalars(of: lines))
    }

    @Test(.enabled(if: hasDatabase))
    func `any case means the letters that fold to the same one`() throws {
        var orbits: [UInt32: Set<UInt32>] = [:]
        for line in try UnicodeDatabase.lines("CaseFolding.txt") where line[1] == "C" || line[1] == "S" {
            orbits[range(line[2]).lowerBound, default: [range(line[2]).lowerBound]].insert(
                range(line[0]).lowerBound)
        }
        #expect(orbits.count > 1_300)
        for orbit in orbits.values {
            for member in orbit {
                let matcher = TextMatching(
                    try RegexProgram("^\\x{\(String(member, radix: 16))}$", caseInsensitive: true))
                for other in orbit {
                    let text = Unicode.Scalar(other).map { Array(String($0).utf8) } ?? []
                    #expect(matcher.finds(text))
                }
            }
        }
    }

    @Test
    func `letters without another case, or with one only in full folding, match themselves alone`() throws {
        for letter in ["1", "ŉ", "日", "ı", "-"] {
            #expect(try matching(letter, caseInsensitive: true) == Set(letter.unicodeScalars.map(\.value)))
        }
        #expect(try matching("k", caseInsensitive: true) == [0x4B, 0x6B, 0x212A])
        #expect(try matching("ß", caseInsensitive: true) == [0xDF, 0x1E9E])
        for letter in ["i", "I", "İ"] {
            #expect(try matching(letter, caseInsensitive: true) == [0x49, 0x69, 0x130])
        }
    }

    @Test(arguments: ["\\w", "\\W", "\\d", "\\s", "\\S", "[\\w]", "[^\\W]"])
    func `the named classes are the same in any case`(pattern: String) throws {
        #expect(try matching(pattern) == matching(pattern, caseInsensitive: true))
    }

    @Test
    func `words, digits and white space are what the standard library says of the letters it shares`() throws {
        let (words, digits, spaces) = (try matching("\\w"), try matching("\\d"), try matching("\\s"))
        for value in UInt32(0)...0x2FFF {
            guard let properties = Unicode.Scalar(value)?.properties, properties.age.map({ $0.major < 15 }) ?? false
            else { continue }
            let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
            let isDigit = properties.generalCategory == .decimalNumber
            let isWord =
                properties.isAlphabetic || isMark || isDigit || properties.generalCategory == .connectorPunctuation
                || properties.isJoinControl
            #expect(words.contains(value) == isWord, "\(value)")
            #expect(digits.contains(value) == isDigit, "\(value)")
            #expect(spaces.contains(value) == properties.isWhitespace, "\(value)")
        }
    }
}
