// A slow search that is right at a glance: whole texts are folded, by Foundation's normalisation and the database's own
// files, and compared letter by letter at every place.

import Foundation
import PipelineCore

/// What the script's own table and the database say, read as they are.
struct ReferenceSearch {
    private typealias Scalars = [UInt32]

    /// A letter, and its marks in canonical order.
    private struct Letter {
        var base: Scalars
        var marks: Scalars = []
        /// Whether it may have more marks than the query's.
        var mayHaveMore: Bool

        /// Adds a mark after those of its combining class.
        mutating func add(_ mark: UInt32, _ combining: UInt8) {
            let place = marks.lastIndex { ReferenceSearch.combiningClass($0) <= combining }.map { $0 + 1 } ?? 0
            marks.insert(mark, at: place)
        }
    }

    private static func combiningClass(_ code: UInt32) -> UInt8 {
        Unicode.Scalar(code)?.properties.canonicalCombiningClass.rawValue ?? 0
    }

    private static let nothing: UInt32 = 0
    /// Stands where something was ignored.
    private static let ignored: UInt32 = 0xF8000
    /// Stands after what a letter of the script's own table is folded to: a private-use code point for each letter.
    private static let ownMark: UInt32 = 0xF0000

    private let caseFolding: [UInt32: Scalars]
    private let own: [UInt32: Scalars]
    private let droppedOver: Set<UInt32>

    static let scriptPath = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../scripts/generate-unicode").standardizedFileURL.path
    static let isAvailable = ["CaseFolding.txt", "Scripts.txt"].allSatisfy(UnicodeDatabase.has)

    init() throws {
        let folds = try UnicodeDatabase.lines("CaseFolding.txt").filter { ["C", "F"].contains($0[1]) }
        caseFolding = Dictionary(
            uniqueKeysWithValues: folds.map { (Self.scalars($0[0])[0], Self.scalars($0[2])) })
        let scripts: Set = ["Latin", "Greek", "Cyrillic", "Hebrew", "Arabic"]
        var droppedOver: Set<UInt32> = []
        for line in try UnicodeDatabase.lines("Scripts.txt") where scripts.contains(line[1]) {
            let bounds = line[0].components(separatedBy: "..").compactMap { UInt32($0, radix: 16) }
            droppedOver.formUnion(bounds[0]...bounds[bounds.count - 1])
        }
        self.droppedOver = droppedOver
        own = try Self.ownTable()
    }

    /// What the script prints for the manual, a line for each base: each letter that folds, and to what.
    static func folds() throws -> [(letter: String, base: String)] {
        let text = try UnicodeDatabase.output(["python3", scriptPath, "--folds"])
        return text.split(separator: "\n").flatMap { line in
            let fields = line.split(separator: " ")
            return fields[1].unicodeScalars.map { (letter: String($0), base: String(fields[0])) }
        }
    }

    private static func ownTable() throws -> [UInt32: Scalars] {
        var table: [UInt32: Scalars] = [:]
        for fold in try folds() {
            let isLetter = fold.base.allSatisfy(\.isLetter)
            let mark = ownMark + UInt32(table.count)
            let scalars = fold.base.unicodeScalars.flatMap { isLetter ? [$0.value, mark] : [$0.value] }
            for letter in fold.letter.unicodeScalars { table[letter.value] = scalars }
        }
        return table
    }

    private static func scalars(_ field: String) -> Scalars {
        UnicodeDatabase.text(field).unicodeScalars.map(\.value)
    }

    func finds(_ query: String, in text: String, _ strength: TextStrength, _ placement: TextPlacement) -> Bool {
        let query = self.letters(query, strength)
        guard !query.isEmpty else { return placement != .whole || self.letters(text, strength).isEmpty }
        if placement == .word {
            let words = segments(of: text)
            return words.indices.contains(where: { start in
                (start..<words.count).contains(where: { end in
                    same(query, self.letters(words[start...end].joined(), strength)[...])
                })
            })
        }
        if placement == .beginning {
            let words = segments(of: text)
            return words.indices.contains(where: { start in
                let letters = self.letters(words[start...].joined(), strength)
                return letters.count >= query.count && same(query, letters.prefix(query.count))
            })
        }
        let letters = self.letters(text, strength)
        guard letters.count >= query.count else { return false }
        let starts = placement == .anywhere ? Array(0...letters.count - query.count) : [0]
        return starts.contains(where: { start in
            let end = placement == .whole ? letters.count : start + query.count
            if placement != .anywhere, query[0].base == [Self.nothing], letters[start].base != query[0].base {
                return false
            }
            return same(query, letters[start..<end])
        })
    }

    private func same(_ query: [Letter], _ text: ArraySlice<Letter>) -> Bool {
        guard query.count == text.count else { return false }
        return zip(query, text).allSatisfy { wanted, letter in
            guard wanted.base == letter.base || wanted.base == [Self.nothing] else { return false }
            guard wanted.mayHaveMore else { return wanted.marks == letter.marks }
            var rest = letter.marks[...]
            return wanted.marks.allSatisfy { mark in
                guard let place = rest.firstIndex(of: mark) else { return false }
                rest = rest[(place + 1)...]
                return true
            }
        }
    }

    /// The text's letters, as the comments of TextStrength say.
    private func letters(_ text: String, _ strength: TextStrength) -> [Letter] {
        var letters: [Letter] = []
        var isBehindIgnored = false
        for code in folded(text, strength) {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let combining = scalar.properties.canonicalCombiningClass.rawValue
            let last = letters.count - 1
            // The dot of an i is its own.
            if code == 0x307, last >= 0, letters[last].base == [0x69], strength.ignoresAccents { continue }
            if code == Self.ignored {
                isBehindIgnored = true
                continue
            }
            if code == 0x345 && strength.foldsCase {
                letters.append(Letter(base: [0x3B9], mayHaveMore: strength.ignoresAccents))
            } else if code >= Self.ownMark || combining != 0 && combining != 9 {
                if isBehindIgnored, last >= 0, !letters[last].mayHaveMore { continue }
                if last < 0 { letters.append(Letter(base: [Self.nothing], mayHaveMore: strength.ignoresAccents)) }
                letters[letters.count - 1].add(code, combining)
                continue
            } else if last >= 0, letters[last].marks.isEmpty, Self.isOneSyllable(letters[last].base + [code]) {
                letters[last].base.append(code)
            } else {
                letters.append(
                    Letter(base: [code], mayHaveMore: strength.ignoresAccents && droppedOver.contains(code)))
            }
            isBehindIgnored = false
        }
        return letters
    }

    private static func isOneSyllable(_ codes: Scalars) -> Bool {
        guard codes.count <= 3, (0x1100...0x1112).contains(codes[0]) else { return false }
        guard codes.count > 1, (0x1161...0x1175).contains(codes[1]) else { return false }
        return codes.count == 2 || (0x11A8...0x11C2).contains(codes[2])
    }

    private func folded(_ text: String, _ strength: TextStrength) -> Scalars {
        var codes = normalised(text.unicodeScalars.map(\.value), strength)
        while strength.foldsCase {
            let next = normalised(codes.flatMap { fold($0, strength) }, strength)
            if next == codes { break }
            codes = next
        }
        return codes
    }

    private func fold(_ code: UInt32, _ strength: TextStrength) -> Scalars {
        if let folded = caseFolding[code], code != 0x345 { return folded }
        guard strength.ignoresAccents else { return [code] }
        if let folded = own[code] { return folded }
        // Katakana are hiragana, which stand as far before them.
        if (0x30A1...0x30F6).contains(code) || code == 0x30FD || code == 0x30FE { return [code - 0x60] }
        let properties = Unicode.Scalar(code)?.properties
        let isIgnored =
            properties?.isDefaultIgnorableCodePoint == true || properties?.generalCategory == .enclosingMark
            || code == 0x640
        return isIgnored ? [Self.ignored] : [code]
    }

    private func normalised(_ codes: Scalars, _ strength: TextStrength) -> Scalars {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: codes.compactMap(Unicode.Scalar.init))
        let text = String(view)
        let normal =
            strength.ignoresAccents
            ? text.decomposedStringWithCompatibilityMapping : text.decomposedStringWithCanonicalMapping
        return normal.unicodeScalars.map(\.value)
    }
}
