// Lines that are checked to their ends without being parsed, as conditions alone decide, or --strict asks for it. A run that
// parses each of them is the oracle: --explain makes it one. What -v prints is the rest of what --strict reads.

import Foundation
import TestSupport
import Testing

@Suite struct CheckedLineTests {
    private static let values = [
        "3", "4.0", "-1e2", "30000000000000000000001", "\"3\"", "\"Mick\"", "\"m\\u0069ck\"", "\"MICK é\"", "true",
        "false",
        "null", "[3]", "{\"age\":3}", "\"\"",
    ]
    private static let names = ["age", "age", "age", "name", "name", "\\u0061ge", "ages", "é", "$id"]

    private static func line(_ random: inout SplitMix64) -> String {
        let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let gap = random.pick(["", "", "", " ", "\t"])
            return "\"\(random.pick(names))\"\(gap):\(gap)\(random.pick(values))"
        }
        let record = "{\(members.joined(separator: random.pick([",", ",", ", "])))}"
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return String(record.dropLast())
        case 1: return record + "}"
        case 2: return " " + record
        case 3: return record + "\r"
        case 4: return "[\(record)]"
        case 5: return ""
        case 6: return "{\"age\":03}"
        case 7:
            return "{\"age\":3,\"deep\":\(String(repeating: "[", count: 70))\(String(repeating: "]", count: 70))}"
        case 8: return #"{ "$seal":{"records":3,"complete":true,"by":"count"}}"#
        default: return record
        }
    }

    private static let filters = [
        ["--where", "age >= 3"], ["--where", "age < 3"], ["--where", "age = 3"], ["--where", "age != 3"],
        ["--where", "age exists"], ["--where", "name = mick"], ["--where", "name != Mick"],
        ["--where", "age = null"],
        ["--where", "age = true"], ["--where", "age >= 3", "--where", "name exists"], ["--where", "é exists"],
        ["--where", "age > \"2\""], ["--strict", "mick"], ["--strict", "-f", "age", "3"],
        ["--strict", "-e", "mick", "-e", "é"], ["--strict", "--all", "-e", "mick", "-e", "é"],
    ]

    @Test(arguments: filters) func `a line that is checked decides as one that is parsed`(filter: [String]) throws {
        var random = SplitMix64(seed: UInt64(filter.joined().utf8.count))
        let folder = try ScratchFolder()
        for round in 0..<6 {
            let lines = (0..<200).map { _ in Self.line(&random) }
            let text = lines.joined(separator: "\n") + (round % 2 == 0 ? "\n" : "")
            try folder.write(text.utf8, to: "lines")
            let limit = round == 3 ? ["--limit", "7"] : []
            let checked = try Session("filter-search", filter + limit, input: text.utf8, folder: folder)
            let parsed = try Session(
                "filter-search", filter + limit + ["--explain"], input: text.utf8, folder: folder)
            #expect(
                checked.status == parsed.status && checked.output == parsed.output, "\(filter) in round \(round)")
            let messages = parsed.errors.split(separator: "\n").filter { !$0.hasPrefix("{") }
            #expect(checked.errors.split(separator: "\n") == messages, "\(filter) in round \(round)")
            let count = try Session("filter-search", filter + ["--count"], input: text.utf8, folder: folder)
            if limit.isEmpty {
                let found = checked.output.split(separator: 0x0A).count {
                    !String(decoding: $0, as: UTF8.self).contains(#""$seal":{""#)
                }
                #expect(count.text == "{\"count\":\(found)}\n", "\(filter) in round \(round)")
            }
        }
    }

    @Test func `what matches and what doesn't are all records together`() throws {
        var random = SplitMix64(seed: 5)
        let text = (0..<600).map { _ in Self.line(&random) }.joined(separator: "\n") + "\n"
        let folder = try ScratchFolder()
        func lines(_ arguments: [String]) throws -> [ArraySlice<UInt8>] {
            let run = try Session("filter-search", arguments, input: text.utf8, folder: folder)
            return run.output.split(separator: 0x0A).filter { !$0.starts(with: #"{"$seal""#.utf8) }
        }
        let all = try lines(["--where", "age exists"]) + lines(["-v", "--where", "age exists"])
        for filter in [["mick"], ["--where", "age >= 3"], ["--where", "age exists", "mick"], ["-f", "age", "3"]] {
            let both = try lines(["--strict"] + filter) + lines(["-v"] + filter)
            #expect(
                both.map(Array.init).sorted { $0.lexicographicallyPrecedes($1) }
                    == all.map(Array.init).sorted { $0.lexicographicallyPrecedes($1) }, "\(filter)")
        }
    }
}
