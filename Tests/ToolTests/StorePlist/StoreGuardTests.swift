// The options that guard a store, and those that hand its records on.

import Foundation
import TestSupport
import Testing

@Suite struct StoreGuardTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test
    func `--sealed stores only what ends with a complete seal`() throws {
        let folder = try ScratchFolder.withStore()
        let complete = #"{"$seal":{"records":1,"complete":true}}"#
        let partial = #"{"$seal":{"records":1,"complete":false}}"#
        for input in ["{}", "{}\n" + partial, complete + "\n{}\n"] {
            let run = try Session("store-plist", ["--sealed", "--report", "r"], input: input.utf8, folder: folder)
            #expect(run.status == 65)
            #expect(try folder.text("r").contains(#""recordsOut":0,"#))
            #expect(run.errors.contains("seal"))
        }
        #expect(try folder.loaded().count == 3)
        #expect(
            try Session("store-plist", ["--sealed"], input: ("{}\n" + complete + "\n\n").utf8, folder: folder)
                .status == 0)
        #expect(try folder.loaded() == ["{}"])
        let escaped = #"{"\u0024seal":{"comple\u0074e":true}}"#
        #expect(
            try Session("store-plist", ["--sealed"], input: ("{}\n{}\n" + escaped).utf8, folder: folder).status == 0
        )
        #expect(try folder.loaded() == ["{}", "{}"])
    }

    @Test(arguments: [
        ("rrr1", 3, "3 records arrived, and the seal counts 1; one source ended without a seal"),
        ("rr1r1r1", 0, "4 records arrived, and the seals count 3; one source ended without a seal"),
        ("r1rr", 0, "3 records arrived, and the seal counts 1; one source ended without a seal"),
        (
            "9r", 0,
            "lines follow the last seal; one source ended without a seal, or a tool such as sort or tac moved it"
        ),
        ("r1r0", 0, "2 records arrived, and the seals count 1; one source ended without a seal"),
    ])
    func `--sealed counts what came, and nothing else is refused for it`(
        signs: String, stored: Int, message: String?
    ) throws {
        let folder = stored > 0 ? try ScratchFolder.withStore() : try ScratchFolder()
        let input = signs.map { sign in
            sign == "r" ? "{}\n" : "{\"$seal\":{\"records\":\(sign),\"complete\":true}}\n"
        }.joined()
        let run = try Session("store-plist", ["--sealed"], input: input.utf8, folder: folder)
        let cause =
            message
            ?? "the input ended without a complete seal: its source failed, ran without --seal, or a filter dropped the seal"
        let end = stored > 0 ? "characters.plist is unchanged" : "nothing is stored"
        #expect(run.status == 65 && run.errors == "store-plist: \(cause); \(end)\n")
        #expect(run.text == "")
        if stored > 0 { #expect(try folder.loaded().count == stored) }
        let free = try Session("store-plist", input: input.utf8, folder: folder)
        #expect(free.status == 0 && free.errors == "")
        #expect(try folder.loaded().count == signs.count { $0 == "r" })
    }

    @Test
    func `seals that speak for all are taken wherever they stand, fewer records too`() throws {
        let input =
            #"{"$seal":{"records":1,"complete":true}}"# + "\n{}\n{}\n" + #"{"$seal":{"records":3,"complete":true}}"#
        let run = try Session("store-plist", ["--sealed"], input: input.utf8, folder: folder)
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(try folder.loaded() == ["{}", "{}"])
    }

    @Test(arguments: [
        (#""limit":1"#, "the first record of a list"), (#""limit":5"#, "the first 5 records of a list"),
        (#""after":2"#, "the records after the first 2 of an earlier run"),
        (#""since":"May""#, "the records newer than May"),
    ])
    func `each kind of part is refused, also without a store and before a whole list, and hides what was removed`(
        member: String, part: String
    ) throws {
        let whole = #"{"id":"2"}"# + "\n" + #"{"$seal":{"records":1,"complete":true}}"# + "\n"
        let input = #"{"id":"1"}"# + "\n{\"$seal\":{\"records\":1,\"complete\":true,\(member)}}\n" + whole
        for options in [[], ["--sealed"]] {
            let run = try Session("store-plist", options, input: input.utf8, folder: folder)
            #expect(run.status == 65)
            #expect(
                run.errors
                    == "store-plist: the input has only \(part), and a part can't replace the whole; nothing is stored; "
                    + "use --mode merge with --key\n")
        }
        try folder.write("{\"id\":\"3\"}\n".utf8, to: "old.jsonl")
        #expect(try Session.script("store-plist --key id < old.jsonl", folder: folder).status == 0)
        let diff = try Session(
            "store-plist", ["--key", "id", "--diff", "characters.plist"], input: input.utf8, folder: folder)
        #expect(
            diff.errors
                == "store-plist: warning: the input has only \(part), so removals are unknown\n")
        #expect(diff.lines.count == 2 && !diff.text.contains("removed"))
        let merge = ["--mode", "merge", "--key", "id", "--sealed"]
        let merged = try Session("store-plist", merge, input: input.utf8, folder: folder)
        #expect(merged.status == 0 && merged.text.contains(#""added":2"#))
        #expect(try folder.loaded().count == 3)
    }

    @Test(arguments: [[], ["--sealed"], ["--key", "id"]])
    func `a part of a list never replaces a store, and is merged`(options: [String]) throws {
        let folder = try ScratchFolder.withStore()
        let stored = try folder.loaded()
        let seal = #"{"$seal":{"records":1,"complete":true,"since":"2026-03-01"}}"#
        let part = #"{"id":"new"}"# + "\n\(seal)\n"
        let run = try Session("store-plist", options, input: part.utf8, folder: folder)
        #expect(run.status == 65 && run.output.isEmpty)
        #expect(run.errors.contains("the input has only the records newer than 2026-03-01, and a part can't"))
        #expect(run.errors.hasSuffix("characters.plist is unchanged; use --mode merge with --key\n"))
        #expect(try folder.loaded() == stored)
        let stream = try Session("store-plist", ["-"] + options, input: part.utf8, folder: folder)
        #expect(stream.status == 0 && stream.text.contains("<string>new</string>"))
        try folder.write((#"{"id":"old"}"# + "\n").utf8, to: "old.jsonl")
        let merged = try Session.script(
            "store-plist --key id m.plist < old.jsonl && store-plist --mode merge --key id m.plist",
            input: part.utf8, folder: folder)
        #expect(merged.status == 0 && merged.text.contains(#""added":1"#), "\(merged.errors)")
    }

    @Test
    func `of what comes behind a seal a blank rest leaves it, and a bad line doesn't`() throws {
        let folder = try ScratchFolder.withStore()
        let input = "{}\n{\"$seal\":{\"records\":1,\"complete\":true}}\n"
        let bad = "{\"a\":"
        for (rest, more, status) in [
            ("", [], 0), ("\n \t\r\n", [], 0), ("\n   ", [], 0), (bad, [], 65), (bad + "\n", [], 65),
            (bad, ["--on-bad-line=skip"], 65), (bad + "\n\n", ["--on-bad-line=skip"], 65),
            (bad, ["--on-bad-line=kept"], 65),
        ] {
            let run = try Session("store-plist", ["--sealed"] + more, input: (input + rest).utf8, folder: folder)
            #expect(run.status == status, "\(rest.prefix(5)) \(more)")
        }
        // Without --sealed it is a bad line like any other.
        let run = try Session("store-plist", ["--on-bad-line=skip"], input: (input + bad).utf8, folder: folder)
        #expect(run.status == 0 && run.text.contains("\"records\":1,") && run.text.contains("\"skipped\":1"))
    }

    @Test(arguments: [
        ("0", 0, 0), ("1", 0, 0), ("3", 0, 0), ("4", 65, 0), ("2147483648", 65, 0), ("4294967296", 65, 0),
        ("9007199254740993", 65, 0), ("9223372036854775807", 65, 0), ("9223372036854775808", 64, 0),
        ("18446744073709551616", 64, 0), ("-1", 64, 64), ("nan", 64, 64), ("inf", 64, 64), ("1e3", 64, 64),
        ("", 64, 64), ("+1", 64, 64), ("0x1", 64, 64),
    ])
    func `numbers at the limits of options are taken or refused, and nothing else`(
        _ row: (text: String, records: Int32, wait: Int32)
    ) throws {
        let input = ScratchFolder.abc.utf8
        let least = try Session("store-plist", ["--min-records=" + row.text], input: input, folder: folder)
        #expect(least.status == row.records, "\(least.errors)")
        // No other run holds the store, so that none is waited for.
        let wait = try Session("store-plist", ["--wait=" + row.text], input: input, folder: folder)
        #expect(wait.status == row.wait, "\(wait.errors)")
    }

    @Test
    func `a backup that is another name of the store, as a kill leaves it, is in nobody's way`() throws {
        let folder = try ScratchFolder.withStore()
        let script = "ln characters.plist characters.plist.old; echo '{}' | store-plist --backup=.old >/dev/null"
        #expect(try Session.script(script, folder: folder).status == 0)
        #expect(try folder.loaded().count == 1)
        #expect(try folder.names() == ["characters.plist", "characters.plist.old"])
        for option in ["--report", "--on-bad-line"] {
            let lost = try Session(
                "store-plist", ["--backup=.old", option, "characters.plist.old"], input: "{}".utf8, folder: folder)
            #expect(lost.status == 64)
            #expect(lost.errors.contains("--backup characters.plist.old is the same file as \(option)"))
        }
    }

    @Test
    func `what is replaced or left out of a record that isn't stored doesn't count`() throws {
        let lines = [
            #"{"id":1,"a":"\u0001","n":null}"#, #"{"id":2,"a":"\u0001","n":null,"b":"#, #"{"a":"x","n":null}"#,
            #"{"id":4,"a":"\u0001","a":"x"}"#,
        ]
        for key in [["--key", "id"], []] {
            let run = try Session(
                "store-plist",
                ["--lossy=text", "--on-bad-line=skip", "--report=r.json", "--min-records=0"] + key,
                input: lines.map { $0 + "\n" }.joined().utf8, folder: folder)
            #expect(run.status == 0)
            // Without a key the third is a record as well.
            let count = key.isEmpty ? 2 : 1
            let counts = "\"nullsOmitted\":\(count),\"controlsReplaced\":1,\"duplicatesDropped\":1"
            let report = try folder.text("r.json")
            #expect(report.contains("\"lossy\":{\(counts)}"), "\(report)")
        }
    }

    @Test
    func `--min-records, --backup and --verify`() throws {
        let folder = try ScratchFolder.withStore()
        let before = try folder.bytes("characters.plist")
        #expect(
            try Session("store-plist", ["--min-records=4"], input: ScratchFolder.abc.utf8, folder: folder).status
                == 65)
        #expect(try folder.bytes("characters.plist") == before)
        for format in ["xml", "binary"] {
            let arguments = ["--min-records=1", "--backup=.old", "--verify", "--format", format]
            #expect(try Session("store-plist", arguments, input: "{}".utf8, folder: folder).status == 0)
            #expect(try folder.loaded() == ["{}"])
            #expect(try folder.names() == ["characters.plist", "characters.plist.old"])
            if format == "xml" { #expect(try folder.bytes("characters.plist.old") == before) }
        }
        #expect(
            try Session("store-plist", ["--backup=.old"], input: "{}".utf8, folder: folder).text.contains(
                #""written":false"#))
    }

    @Test
    func `--on-bad-line=FILE keeps bad lines, byte for byte, stores the rest, and the receipt counts them`() throws
    {
        let input = "{ \"a\" : 1.50 }\r\n\n{\"b\":null}\nbad\n{\"$seal\":{\"complete\":true}}\n"
        let run = try Session(
            "store-plist", ["--report=r.json", "--on-bad-line=bad.txt"], input: input.utf8, folder: folder)
        #expect(run.status == 0 && run.text.contains("\"skipped\":1"))
        #expect(try folder.text("bad.txt") == "bad\n")
        let report = try JSONSerialization.jsonObject(with: Data(try folder.bytes("r.json"))) as? [String: Any]
        #expect(report?["exitStatus"] as? Int == 0)
        #expect(report?["recordsIn"] as? Int == 2)
        #expect(report?["badLines"] as? Int == 1)
        #expect((report?["lossy"] as? [String: Int]) == ["nullsOmitted": 1])
        #expect((report?["receipt"] as? [String: Any])?["skipped"] as? Int == 1)
    }

    @Test
    func `where a bad line ends the run, it is counted, and the store stays`() throws {
        let folder = try ScratchFolder.withStore()
        let before = try folder.bytes("characters.plist")
        let run = try Session(
            "store-plist", ["--report=r.json"], input: "{\"a\":1}\nbad\n{\"a\":2}\n".utf8, folder: folder)
        #expect(run.status == 65 && run.text == "")
        #expect(try folder.text("r.json").contains("\"recordsIn\":1,\"recordsOut\":0,\"badLines\":1,"))
        #expect(try folder.bytes("characters.plist") == before)
    }

    @Test
    func `more values than are remembered give the same binary store each time`() throws {
        // 150,000 numbers and the first half of them once more, which is when it shows what was forgotten.
        let lines = (0..<225).map { line in
            "{\"v\":[" + (0..<1000).map { String(line % 150 * 1000 + $0) }.joined(separator: ",") + "]}\n"
        }
        for isWritten in [true, false] {
            let run = try Session(
                "store-plist", ["--format=binary"], input: lines.joined().utf8, folder: folder)
            #expect(run.text.hasSuffix("\"written\":\(isWritten)}\n"))
        }
    }

    @Test
    func `an unchanged result does not rewrite the file`() throws {
        _ = try Session("store-plist", input: ScratchFolder.abc.utf8, folder: folder)
        let before = try FileManager.default.attributesOfItem(atPath: folder.path("characters.plist"))
        let run = try Session("store-plist", input: ScratchFolder.abc.utf8, folder: folder)
        let after = try FileManager.default.attributesOfItem(atPath: folder.path("characters.plist"))
        #expect(run.text.hasSuffix(#""written":false}"# + "\n"))
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test(arguments: [["--verify", "-"], ["--backup=a/b"], ["--mode=merge", "--key=id", "-"]])
    func `what stdout can't be, and a backup elsewhere, are 64`(arguments: [String]) throws {
        #expect(try Session("store-plist", arguments, input: ScratchFolder.abc.utf8, folder: folder).status == 64)
        #expect(try folder.names() == [])
    }
}
