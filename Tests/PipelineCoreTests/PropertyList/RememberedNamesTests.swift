// What a writer remembers of earlier records changes nothing in later ones, and texts of any length are copied whole.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct RememberedNamesTests {
    /// An object whose few names come in any order, some twice, some with null, some with objects within.
    private func object(_ random: inout SplitMix64, depth: Int) -> String {
        let names = ["a", "b", "id", "name", "a long name of a member", "n\\u0061me", "é", "", "x<y"]
        let members = (0..<Int.random(in: 0..<7, using: &random)).map { _ in
            let name = names.randomElement(using: &random) ?? ""
            let space = Int.random(in: 0..<9, using: &random) == 0 ? " " : ""
            let value =
                switch Int.random(in: 0..<(depth < 3 ? 6 : 3), using: &random) {
                case 0: "null"
                case 1: "\(Int.random(in: 0..<99, using: &random))"
                case 2: "\"text\""
                case 3: "[\(object(&random, depth: depth + 1)),[\(object(&random, depth: depth + 1))]]"
                default: object(&random, depth: depth + 1)
                }
            return "\(space)\"\(name)\"\(space):\(space)\(value)"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `records in a row are stored as each by itself`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let lines = (0..<60).map { _ in object(&random, depth: 0) }
        let alone = try lines.map { try Stored([$0]).text.dropFirst(Self.head.count).dropLast(Self.foot.count) }
        #expect(try Stored(lines).text == Self.head + alone.joined() + Self.foot)
        let binary = try Stored(lines, format: .binary)
        #expect(try binary.root() == Stored(lines).root())
    }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <array>

        """
    private static let foot = "</array>\n</plist>\n"

    @Test
    func `large objects beside and within one another have names of their own`() throws {
        let object = { (names: [String], inner: String) in
            "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + ",\"in\":\(inner)}"
        }
        let names = (0..<40).map { "a\($0)" }
        let others = (0..<30).map { "b\($0)" } + names.suffix(9)
        for (last, count) in [(others, 0), (others + ["b7"], 1), (others + ["a31", "b29"], 2)] {
            for inner in ["{}", object(others, "{}")] {
                let line = "{\"l\":[\(object(names, inner)),\(object(last, object(names, "[]")))]}"
                let stored = try Stored([line, line])
                #expect(stored.choices.duplicatesDropped == 2 * count)
                let record = try JSONSerialization.jsonObject(with: Data(line.utf8))
                #expect(try stored.root() == [record, record] as NSArray)
            }
        }
    }

    @Test
    func `more names than are remembered are stored all the same`() throws {
        let lines = (0..<3000).map { #"{"id":\#($0),"n\#($0)":{"m\#($0 % 50)":[\#($0)]},"n\#($0 + 1)":true}"# }
        let text = try Stored(lines).text
        for index in [0, 5, 6, 700, 2048, 2999] {
            let record =
                "\t\t<key>id</key>\n\t\t<integer>\(index)</integer>\n\t\t<key>n\(index)</key>\n\t\t<dict>\n"
                + "\t\t\t<key>m\(index % 50)</key>\n\t\t\t<array>\n\t\t\t\t<integer>\(index)</integer>\n"
                + "\t\t\t</array>\n\t\t</dict>\n\t\t<key>n\(index + 1)</key>\n\t\t<true/>\n"
            #expect(text.contains(record))
        }
        #expect(try Stored(lines, format: .binary).root() == Stored(lines).root())
    }

    @Test
    func `what must be written otherwise is found at every place of texts of every length`() throws {
        var texts: [String] = []
        for length in 0...40 {
            let plain = String(repeating: "x", count: length)
            texts.append(plain)
            for place in 0..<length {
                for special in ["&", "<", ">", "\r", "\t", "é", "\u{FFFD}", "\u{EFFF}"] {
                    texts.append(plain.prefix(place) + special + plain.dropFirst(place + 1))
                }
            }
        }
        let json = texts.map { "\"" + $0.replacing("\r", with: "\\r").replacing("\t", with: "\\t") + "\"" }
        let stored = try Stored(["{\"v\":[\(json.joined(separator: ","))]}"])
        let xml = texts.map { text in
            let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
                ">", with: "&gt;")
            return "\t\t\t<string>\(escaped.replacing("\r", with: "&#13;"))</string>\n"
        }
        #expect(stored.text.contains("<array>\n\(xml.joined())\t\t</array>"))
    }
}
