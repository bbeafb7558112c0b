// What a second run of the same input sees, and stores in which keys stand more than once, against a model.

import Foundation
import TestSupport
import Testing

@Suite struct StoreRepeatTests {
    private struct Receipt: Decodable {
        let records, added, changed, same, removed: Int
        let written: Bool
    }

    private func receipt(_ run: Session) throws -> Receipt {
        try JSONDecoder().decode(Receipt.self, from: Data(run.output))
    }

    @Test
    func `a keyed store of another hand that has a key twice has it once afterwards`() throws {
        let folder = try ScratchFolder()
        let twice = ["a", "b", "a"].enumerated().map {
            "<key>\($1)</key><dict><key>id</key><string>\($1)</string><key>v</key><integer>\($0)</integer></dict>"
        }
        try folder.write("<plist><dict>\(twice.joined())</dict></plist>".utf8, to: "characters.plist")
        let run = try Session(
            "store-plist", ["--keyed", "--key=id", "--mode=merge", "--verify"],
            input: #"{"id":"c"}"#.utf8, folder: folder)
        #expect(run.text.contains(#""records":3,"added":1,"changed":0,"same":2,"removed":0"#))
        #expect(try folder.loaded() == [#"{"id":"a","v":2}"#, #"{"id":"b","v":1}"#, #"{"id":"c"}"#])
    }

    @Test(arguments: ["xml", "binary"], [[], ["--keyed"], ["--root", "rows"]])
    func `a second run of the same input changes nothing, whatever the form drops`(format: String, layout: [String])
        throws
    {
        var records = EdgeRecords(
            [.negativeZero, .carriageReturn, .control, .manyMembers, .typed], seed: UInt64(3 + layout.count))
        var lines = records.lines(120).enumerated().map { "{\"key\":\"\($0)\",\"r\":\($1)}" }
        lines += [
            #"{"key":"x","d":"2011-05-12T01:02:03.5Z","l":["1969-07-20T20:17:39.999999Z"]}"#,
            #"{"key":"y","d":"2000-12-31T23:59:59.9999999999999Z","l":[null,-0.0,1e2,1.0,1]}"#,
            #"{"key":"z\u0001","d":null,"\u0001":"\u0002\ud800\r","l":["0000-01-01T00:00:00.25Z"]}"#,
        ]
        let options =
            ["--key=key", "--format", format, "--verify", "--lossy=text", "--null=omit", "--date=$.d"] + layout
        let folder = try ScratchFolder()
        for mode in ["replace", "replace", "merge", "merge"] {
            let isFirst = try folder.names().isEmpty
            let run = try Session(
                "store-plist", options + ["--mode", mode], input: lines.joined(separator: "\n").utf8, folder: folder
            )
            #expect(run.status == 0, "\(run.errors)")
            let receipt = try receipt(run)
            #expect(receipt.changed == 0 && receipt.removed == 0)
            #expect(receipt.same == (isFirst ? 0 : lines.count))
            #expect(receipt.written == isFirst)
        }
    }

    @Test
    func `from binary to XML and again, the same input is the same but for what the file itself drops`() throws {
        let folder = try ScratchFolder()
        let input = #"{"id":1,"d":"2011-05-12T01:02:03.5Z","t":"\u0001"}"# + "\n"
        for (format, isWritten) in [("binary", true), ("xml", true), ("xml", false)] {
            let run = try Session(
                "store-plist", ["--key=id", "--date=d", "--lossy=text", "--format", format, "--verify"],
                input: input.utf8, folder: folder)
            let receipt = try receipt(run)
            #expect(receipt.changed == 0 && receipt.removed == 0 && receipt.written == isWritten)
        }
    }

    @Test(arguments: ["replace", "append", "merge", "remove"], ["xml", "binary"])
    func `--verify has no false alarm, in any mode, form and layout`(mode: String, format: String) throws {
        for (seed, layout) in [[], ["--keyed"], ["--root", "rows"]].enumerated() where mode != "append" || seed != 1
        {
            var records = EdgeRecords([.negativeZero, .carriageReturn, .manyMembers], seed: UInt64(seed + 20))
            let lines = records.lines(60).enumerated().map { "{\"key\":\($0 % 50),\"r\":\($1)}" }
            let folder = try ScratchFolder()
            for (part, mode) in [(lines.dropLast(20), "replace"), (lines.dropFirst(20), mode)] {
                let run = try Session(
                    "store-plist",
                    ["--key=key", "--mode", mode, "--format", format, "--verify", "--min-records=0"] + layout,
                    input: part.joined(separator: "\n").utf8, folder: folder)
                #expect(run.status == 0, "\(run.errors)")
            }
        }
    }

    @Test
    func `the receipt over a damaged keyed store counts all records as added, in its place nothing else`() throws {
        for format in ["xml", "binary"] {
            let folder = try ScratchFolder.withStore(["--keyed", "--key=n", "--format", format])
            var bytes = try folder.bytes("characters.plist")
            // Records that can be read stand before one that can't.
            let mark = format == "xml" ? Array("<integer>3</integer>".utf8) : [0x10, 3]
            let place = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
            bytes[place] = 0x80
            try folder.write(bytes, to: "characters.plist")
            let refused = try Session(
                "store-plist", ["--keyed", "--key=n"], input: ScratchFolder.abc.utf8, folder: folder)
            #expect(refused.status == 65 && refused.errors.contains("is unchanged; --force replaces it"))
            #expect(try folder.bytes("characters.plist") == bytes)
            let run = try Session(
                "store-plist", ["--keyed", "--key=n", "--force"], input: ScratchFolder.abc.utf8, folder: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.text.contains(#""records":3,"added":3,"changed":0,"same":0,"removed":0"#), "\(run.text)")
            #expect(run.errors.contains("it is replaced"))
        }
    }
}
