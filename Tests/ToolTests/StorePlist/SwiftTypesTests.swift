// What a store's records have in common, as Swift types.

import Foundation
import PipelineCore
import TestSupport
import Testing

@testable import store_plist

@Suite struct SwiftTypesTests {
    /// The described types of stored lines, or why they can't be described and where.
    private func describe(_ lines: [String], _ options: [String] = []) throws -> Session {
        let folder = try ScratchFolder()
        let input = lines.joined(separator: "\n")
        let stored = try Session("store-plist", ["--format=binary"] + options, input: input.utf8, folder: folder)
        #expect(stored.status == 0, "\(stored.errors)")
        return try Session("store-plist", ["--describe", "swift"], folder: folder)
    }

    private func swift(_ lines: [String]) throws -> [String] {
        let run = try describe(lines)
        #expect(run.status == 0, "\(run.errors)")
        return run.lines.filter { $0 != "" }
    }

    /// Nil where records can be described.
    private func fault(_ lines: [String]) throws -> String? {
        let run = try describe(lines)
        let start = "store-plist: characters.plist: "
        guard run.errors.hasPrefix(start) else { return run.status == 0 ? nil : run.errors }
        return String(run.errors.dropFirst(start.count).dropLast())
    }

    // MARK: Swift types

    @Test(arguments: [
        (["true"], "Bool"), (["\"a\""], "String"), (["1", "-9223372036854775808", "9223372036854775807"], "Int"),
        (["18446744073709551615", "0"], "UInt64"), (["9223372036854775808", "-1"], "V"),
        (["1.0"], "Double"), (["1", "2.5"], "Double"), (["9007199254740992", "0.5"], "Double"),
        (["9007199254740993", "0.5"], "V"), (["18446744073709551615", "0.5"], "V"), (["true", "1"], "V"),
        (["[]"], "[String]"), (["[]", "[1]"], "[Int]"), (["[[],[1.5]]"], "[[Double]]"), (["[1,\"a\"]"], "[V]"),
        (["{}"], "[String: String]"), (["{\"a\":1}", "{}"], "V"), (["[{\"a\":1}]"], "[V]"), (["1", "\"a\""], "V"),
        (["[1]", "1"], "V"), (["{}", "[]"], "V"), (["\"$null\"", "\"a\""], "String?"), (["\"$null\""], "String?"),
        (["[\"$null\",2]"], "[Int?]"),
    ])
    func `a property has the type that holds all values`(values: [String], type: String) throws {
        let lines = try swift(values.map { "{\"v\":\($0)}" })
        #expect(lines.contains("    let v: \(type)"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("    struct V") || $0.hasPrefix("    enum V") } == type.contains("V"))
    }

    @Test
    func `dates and data are what they are stored as`() throws {
        let line = #"{"d":"2011-05-12T01:02:03Z","e":"AQID"}"#
        let run = try describe([line], ["--date=d", "--data=e"])
        #expect(run.text.contains("    let d: Date\n    let e: Data\n"))
    }

    @Test
    func `a member is optional only where an object lacks it`() throws {
        let lines = try swift([#"{"a":1,"b":1,"l":[{"x":1},{"x":1,"y":1}]}"#, #"{"l":[],"b":2,"c":true}"#])
        #expect(
            lines.filter { $0.contains("let ") }.map { $0.trimmingCharacters(in: .whitespaces) } == [
                "let a: Int?", "let b: Int", "let l: [L]", "let c: Bool?", "let x: Int", "let y: Int?",
            ])
    }

    @Test(
        arguments: [
            (
                ["name", "class", "größe", "漢字", "_id", "image_url"],
                ["name", "`class`", "größe", "漢字", "_id", "image_url"], nil
            ),
            (["image-url"], ["imageUrl"], "image-url"), (["3d"], ["_3d"], "3d"), ([""], ["empty"], ""),
            (["🐭", "🐶"], ["member", "member2"], "🐭"), (["Full Name"], ["fullName"], "Full Name"),
            (["URL path"], ["urlPath"], "URL path"), (["a-b", "aB", "a b"], ["aB2", "aB", "aB3"], "a-b"),
            (["String", "string"], ["string2", "string"], "String"), (["CodingKeys"], ["codingKeys"], "CodingKeys"),
            (["_"], ["__"], "_"), (["self", "init", "Type"], ["`self`", "`init`", "`Type`"], nil),
            (["a\u{200D}b"], ["aB"], "a\\u{200d}b"), (["a\"\\b"], ["aB"], "a\\\"\\\\b"),
            (["a\nb"], ["aB"], "a\\u{a}b"),
        ] as [([String], [String], String?)])
    func `names are as they are where Swift allows it`(names: [String], properties: [String], key: String?) throws {
        let members = names.map { name in
            var quoted: [UInt8] = []
            JSONWriter.appendString(name, to: &quoted)
            return quoted.span.text + ":1"
        }
        let lines = try swift(["{" + members.joined(separator: ",") + "}"])
        #expect(lines.filter { $0.hasPrefix("    let ") } == properties.map { "    let \($0): Int" })
        #expect(lines.contains("    enum CodingKeys: String, CodingKey {") == (key != nil))
        if let key { #expect(lines.contains("        case \(properties[0]) = \"\(key)\""), "\(lines)") }
        #expect(lines.count { $0.hasPrefix("        case ") } == (key == nil ? 0 : names.count))
    }

    @Test
    func `a type inside has a name that hides none that is needed`() throws {
        let names = ["date", "string", "coding_keys", "record", "films", "_links", "Films", "type", "3d"]
        let lines = try swift(["{" + names.map { "\"\($0)\":[{\"a\":1}]" }.joined(separator: ",") + "}"])
        #expect(
            lines.filter { $0.hasPrefix("    struct ") }.map { $0.split(separator: " ")[1] } == [
                "DateValue:", "StringValue:", "CodingKeyValue:", "RecordValue:", "Film:", "Link:", "FilmValue:",
                "TypeValue:", "Value3d:",
            ])
    }

    @Test(arguments: ["Character", "Film", "Größe", "_R", "character"])
    func `a type may be named`(name: String) { #expect(SwiftName.isFree(forType: name)) }

    @Test(arguments: ["", "_", "1", "a b", "a.b", "String", "Codable", "class", "Type", "Self", "🐭", "Int", "`a`"])
    func `a type may not be named`(name: String) { #expect(!SwiftName.isFree(forType: name)) }

    @Test
    func `names that Swift can't tell apart, or Foundation can't read, are refused with their path`() throws {
        let composed = try fault([#"{"o":[{"e\u0301":1},{"\u00e9":2}]}"#])
        #expect(composed?.hasPrefix("$.o[*]: two members are named") == true)
        #expect(try fault([#"{"e\u0301":1}"#, #"{"e\u0301":2}"#]) == nil)
        let null = "a member is named $null, which PropertyListDecoder can't read; rename it"
        #expect(try fault([#"{"o":{"$null":1}}"#]) == "$.o: " + null)
        let keys = (0..<70).map { "{\"o\":{\"k\($0)\":1}}" }
        #expect(try fault(keys) == nil)
        #expect(try fault(keys + [#"{"o":{"$null":1}}"#]) == "$.o: " + null)
        let alike = #""e\u0301":1,"\u00e9":2"#
        let many = "{\"o\":{\((0...10_000).map { "\"k\($0)\":1" }.joined(separator: ","))}}"
        for lines in [keys, [many]] {
            let found = try fault(lines + ["{\"o\":{\(alike)}}"])
            #expect(found?.hasPrefix("$.o: two members are named") == true, "\(found ?? "")")
        }
        let folder = try ScratchFolder()
        try folder.write(#"{"id":"\u212b"}\#n{"id":"\u00c5"}\#n"#.utf8, to: "r")
        let run = try Session.script(
            "store-plist --keyed --key id r.plist < r && store-plist --describe swift r.plist", folder: folder)
        #expect(run.status == 65 && run.errors.contains("$: two members are named"), "\(run.errors)")
    }

    // MARK: Dictionaries and limits

    /// The type of `o`, whose objects these are.
    private func type(_ objects: [String]) throws -> String? {
        try swift(objects.map { "{\"o\":\($0)}" }).first { $0.hasPrefix("    let o: ") }.map {
            String($0.dropFirst(11))
        }
    }

    @Test
    func `objects of many names that few have are dictionaries by key`() throws {
        #expect(try type((0..<64).map { "{\"k\($0)\":1}" }) == "O")
        #expect(try type((0..<65).map { "{\"k\($0)\":1}" }) == "[String: Int]")
        #expect(try type((0..<65).map { "{\"k\($0)\":{\"a\":\($0)}}" }) == "[String: O]")
        #expect(try type((0..<65).map { "{\"k\($0)\":{\"j\($0)\":[\($0)]}}" }) == "[String: [String: [Int]]]")
        // Values of more than one kind are rather members.
        #expect(try type((0..<65).map { "{\"k\($0)\":\($0 == 7 ? "\"\"" : "1")}" }) == "O")
        let all = (0..<65).map { "\"k\($0)\":1" }
        #expect(try type(["{" + all.joined(separator: ",") + "}"]) == "O")
        let many = (0..<1001).map { "\"k\($0)\":1" }
        #expect(try type(["{" + many.dropFirst().joined(separator: ",") + "}"]) == "O")
        #expect(try type(["{" + many.joined(separator: ",") + "}"]) == "[String: Int]")
        // A record never is.
        #expect(try swift((0..<70).map { "{\"k\($0)\":1}" }).contains("    let k69: Int?"))
    }

    @Test
    func `there is a limit to names, to levels and to types within one another`() throws {
        let wide = { (count: Int) in "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}" }
        #expect(try fault([wide(10_000)]) == nil)
        #expect(try fault([wide(10_001)])?.hasPrefix("$[0]: expected at most 10000 names") == true)
        #expect(
            try fault([#"{"a":1}"#, "{\"\(String(repeating: "a", count: 1 << 20))\":1}"])?.hasPrefix("$[1]: ")
                == true)
        // Keys of dictionaries don't count.
        #expect(
            try type((0..<300).map { n in "{" + (0..<50).map { "\"\(n) \($0)\":1" }.joined(separator: ",") + "}" })
                == "[String: Int]")
        let deep = { (levels: Int, open: String, close: String) in
            String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
        }
        #expect(try fault(["{\"a\":\(deep(63, "[", "]"))}"]) == nil)
        #expect(
            try fault(["{\"a\":\(deep(64, "[", "]"))}"])
                == "$[0]: expected at most 64 levels of nesting; it goes deeper, or in a circle")
        #expect(try fault([deep(16, "{\"a\":", "}")]) == nil)
        #expect(try fault([deep(17, "{\"a\":", "}")])?.contains("at most 16 types") == true)
    }

    // MARK: Layouts

    @Test
    func `a member that an object has twice counts once`() throws {
        let body = "<plist><array><dict><key>a</key><true/><key>a</key><true/></dict><dict/></array></plist>"
        let folder = try ScratchFolder()
        try folder.write(body, to: "characters.plist")
        let run = try Session("store-plist", ["--describe=swift"], folder: folder)
        #expect(run.lines.contains("    let a: Bool?"), "\(run.text)\(run.errors)")
    }

    @Test
    func `members beside the records are described too`() throws {
        let body = """
            <plist version="1.0"><dict><key>v</key><integer>1</integer><key>rows</key><array><dict><key>a</key><true/>\
            </dict></array><key>record</key><dict><key>x</key><string/></dict></dict></plist>
            """
        let folder = try ScratchFolder()
        try folder.write(body, to: "characters.plist")
        let text = try Session("store-plist", ["--describe=swift", "--root=rows"], folder: folder).text
        #expect(
            text.hasPrefix(
                "// The types of a property list: try PropertyListDecoder().decode(RecordStore.self, from: data)\n")
        )
        #expect(
            text.hasSuffix(
                """
                struct RecordStore: Codable, Sendable {
                    let v: Int
                    let rows: [Record]
                    let record: RecordValue

                    struct RecordValue: Codable, Sendable {
                        let x: String
                    }
                }

                """))
    }
}
