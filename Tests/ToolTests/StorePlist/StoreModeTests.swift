// What stays, what is updated and what goes under each mode, and the options that guard a store.

import Foundation
import Testing

@Suite struct StoreModeTests {
    private static let abc = #"{"id":1,"n":"a"}"# + "\n" + #"{"id":2,"n":"b"}"# + "\n" + #"{"id":3,"n":"c"}"# + "\n"

    private func folder(_ arguments: [String] = []) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        #expect(try Session("store-plist", arguments, input: Self.abc.utf8, folder: folder).status == 0)
        return folder
    }

    private func load(_ folder: ScratchFolder, _ arguments: [String] = []) throws -> [String] {
        let run = try Session("store-plist", ["--load"] + arguments, folder: folder)
        #expect(run.status == 0)
        return run.lines
    }

    @Test(
        "modes",
        arguments: ["xml", "binary"],
        [
            ("replace", #"{"id":2,"n":"b"}|{"id":4}"#, #"{"id":2,"n":"b"}|{"id":4}"#, "1,0,1,2"),
            (
                "append", #"{"id":2}|{"id":4}"#,
                #"{"id":1,"n":"a"}|{"id":2,"n":"b"}|{"id":3,"n":"c"}|{"id":2}|{"id":4}"#, "2,0,3,0"
            ),
            (
                "merge", #"{"id":4}|{"id":2,"n":"B"}|{"id":3,"n":"c"}"#,
                #"{"id":1,"n":"a"}|{"id":2,"n":"B"}|{"id":3,"n":"c"}|{"id":4}"#, "1,1,2,0"
            ),
            (
                "merge", #"{"id":"2","n":"text"}|{"id":4}|{"id":4,"n":"last"}"#,
                #"{"id":1,"n":"a"}|{"id":"2","n":"text"}|{"id":3,"n":"c"}|{"id":4,"n":"last"}"#, "1,1,2,0"
            ),
            ("remove", #"{"id":1}|{"id":9}"#, #"{"id":2,"n":"b"}|{"id":3,"n":"c"}"#, "0,0,2,1"),
        ])
    func modes(format: String, _ row: (mode: String, input: String, result: String, counts: String)) throws {
        let folder = try folder(["--format", format])
        let input = row.input.replacing("|", with: "\n")
        let run = try Session(
            "store-plist", ["--mode=\(row.mode)", "--key", "id"], input: input.utf8, folder: folder)
        #expect(run.status == 0)
        let counts = row.counts.split(separator: ",")
        let receipt = #""added":\#(counts[0]),"changed":\#(counts[1]),"same":\#(counts[2]),"removed":\#(counts[3])"#
        #expect(run.text.contains(receipt))
        #expect(run.text.contains(#""format":"\#(format)""#))
        #expect(try load(folder) == row.result.split(separator: "|").map(String.init))
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test(
        "appending without a key gives no counts, and a missing file is an empty store",
        arguments: ["append", "merge", "remove"])
    func noFile(mode: String) throws {
        let folder = try ScratchFolder()
        let arguments = mode == "append" ? ["--mode=append"] : ["--mode=\(mode)", "--key=id"]
        let run = try Session("store-plist", arguments, input: Self.abc.utf8, folder: folder)
        #expect(run.status == 0)
        #expect(run.text.contains("added") == (mode != "append"))
        #expect(try load(folder).count == (mode == "remove" ? 0 : 3))
    }

    @Test("of two records with one key the last wins, with a warning")
    func equalKeys() throws {
        let folder = try ScratchFolder()
        let input = #"{"id":1,"v":1}"# + "\n{\"id\":2}\n" + #"{"id":1,"v":2}"#
        let run = try Session("store-plist", ["--key=id"], input: input.utf8, folder: folder)
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
        #expect(run.errors.contains("came again: 1"))
        #expect(try load(folder) == [#"{"id":1,"v":2}"#, #"{"id":2}"#])
    }

    @Test(
        "a record without the key is a bad line",
        arguments: [#"{"n":1}"#, #"{"id":null}"#, #"{"id":true}"#, #"{"id":[1]}"#])
    func noKey(line: String) throws {
        let folder = try folder()
        let run = try Session("store-plist", ["--mode=merge", "--key=id"], input: line.utf8, folder: folder)
        #expect(run.status == 65)
        let message = "store-plist: <stdin>:1:1: expected a string or a number in id, which --key names"
        #expect(run.errors.hasPrefix(message))
        #expect(try load(folder).count == 3)
    }

    @Test("a key may lie deeper")
    func deepKey() throws {
        let folder = try ScratchFolder()
        let input = #"{"a":{"x":0,"id":"k"},"v":1}"# + "\n" + #"{"a":{"id":"k"},"v":2}"#
        #expect(try Session("store-plist", ["--key=$.a.id"], input: input.utf8, folder: folder).status == 0)
        #expect(try load(folder) == [#"{"a":{"id":"k"},"v":2}"#])
    }

    @Test(
        "a key is the first string or number that a path finds",
        arguments: [
            ("$.ids[1]", #"{"ids":[1,"x"],"v":1}|{"ids":[2,"x"],"v":2}|{"ids":[1,"y"]}"#, 2),
            ("ids[0].n", #"{"ids":[{"m":[0],"n":"x"}],"v":1}|{"ids":[{"n":"x"},{"n":"z"}],"v":2}"#, 1),
            ("$..id", #"{"a":{"id":"x"},"v":1}|{"b":[{"id":"x"},{"id":"y"}],"v":2}|{"id":"y"}"#, 2),
            (
                "$.ids[?@.kind == 'isbn'].value",
                #"{"ids":[{"kind":"a","value":1},{"kind":"isbn","value":7}]}|{"ids":[{"kind":"isbn","value":7.0}]}"#
                    + #"|{"ids":[{"kind":"isbn","value":"7"}]}"#, 2
            ),
            ("$.ids[-1]", #"{"ids":[1,2,3]}|{"ids":[3]}"#, 1), ("$.*", #"{"a":"x","b":"y"}|{"b":"x","a":"y"}"#, 1),
            (#"$['\u0061'].b"#, #"{"a":{"b":-5}}|{"a":{"b":"-5"}}"#, 1), ("$.a", #"{"a":1.5}|{"a":"1.5"}"#, 1),
        ])
    func pathKey(_ row: (path: String, input: String, count: Int)) throws {
        let folder = try ScratchFolder()
        let lines = row.input.split(separator: "|").map { $0 + "\n" }
        for mode in ["replace", "merge", "merge"] {
            let run = try Session(
                "store-plist", ["--key", row.path, "--mode", mode], input: lines.joined().utf8, folder: folder)
            #expect(run.status == 0)
            #expect(try load(folder).count == row.count)
        }
        let run = try Session(
            "store-plist", ["--key", row.path, "--mode=remove"], input: lines[0].utf8, folder: folder)
        #expect(run.status == (row.count == 1 ? 65 : 0))
        for other in ["{}", #"{"ids":[[]],"a":{"b":null}}"#] {
            let run = try Session("store-plist", ["--key", row.path], input: other.utf8, folder: folder)
            #expect(run.status == 65)
            #expect(run.errors.contains("expected a string or a number in \(row.path), which --key names"))
        }
    }

    @Test(
        "--date and --data take any path",
        arguments: [
            ("$..d", #"{"d":"D","l":[{"d":"D"},[{"d":"D","e":"D"}]]}"#, 3),
            ("$.l[1:]", #"{"l":["D","D","D"]}"#, 2), ("$.l[*].d", #"{"l":[{"d":"D"},{"e":"D"}],"d":"D"}"#, 1),
            ("$.l[?@.k==1].d", #"{"l":[{"k":1,"d":"D"},{"k":2,"d":"D"}]}"#, 1), ("$.none", #"{"d":"D"}"#, 0),
            ("d", #"{"d":"D","x":{"d":"D"}}"#, 1), ("l[0]", #"{"l":["D",["D"]]}"#, 1),
        ])
    func typedPaths(_ row: (path: String, line: String, count: Int)) throws {
        let folder = try ScratchFolder()
        for (option, element, value) in [
            ("--date", "<date>", "1928-11-18T00:00:00Z"), ("--data", "<data>", "AQID"),
        ] {
            let line = row.line.replacing("\"D\"", with: "\"\(value)\"")
            #expect(try Session("store-plist", [option, row.path], input: line.utf8, folder: folder).status == 0)
            let text = try folder.text("characters.plist")
            #expect(text.split(separator: element, omittingEmptySubsequences: false).count == row.count + 1)
            #expect(try load(folder) == [line])
        }
        let bad = try Session(
            "store-plist", ["--date=$.l[*]", "--data=$.l"], input: #"{"l":["x"]}"#.utf8, folder: folder)
        #expect(bad.status == 65)
        #expect(bad.errors.contains("$.l: expected base64"))
    }

    @Test("a keyed store is a dictionary by key", arguments: ["xml", "binary"])
    func keyed(format: String) throws {
        let folder = try folder(["--keyed", "--key=n", "--format", format])
        let read = try unsafe PropertyListSerialization.propertyList(
            from: Data(try folder.bytes("characters.plist")), format: nil)
        #expect((read as? [String: [String: Any]])?.keys.sorted() == ["a", "b", "c"])
        let input = #"{"id":7,"n":"b"}"# + "\n" + #"{"n":"d"}"#
        let run = try Session(
            "store-plist", ["--keyed", "--key=n", "--mode=merge"], input: input.utf8, folder: folder)
        #expect(run.text.contains(#""records":4,"added":1,"changed":1,"same":2,"removed":0"#))
        let lines = [#"{"id":1,"n":"a"}"#, #"{"id":7,"n":"b"}"#, #"{"id":3,"n":"c"}"#, #"{"n":"d"}"#]
        #expect(try load(folder) == lines)
        #expect(try load(folder, ["--keyed"]) == lines)
    }

    @Test("the members beside --root stay in their places", arguments: ["xml", "binary"])
    func root(format: String) throws {
        let folder = try ScratchFolder()
        let old: [String: Any] = ["a": [1, 2], "rows": [["id": 1]], "z": ["d": Data([1, 2])]]
        let data = try PropertyListSerialization.data(
            fromPropertyList: old, format: format == "xml" ? .xml : .binary, options: 0)
        try folder.write(data, to: "characters.plist")
        for (mode, count) in [("append", 2), ("replace", 1)] {
            let run = try Session(
                "store-plist", ["--root=rows", "--mode", mode], input: #"{"id":2}"#.utf8, folder: folder)
            #expect(run.text.contains(#""format":"\#(format)","records":\#(count)"#))
            let read = try unsafe PropertyListSerialization.propertyList(
                from: Data(try folder.bytes("characters.plist")), format: nil)
            let new = try #require(read as? NSDictionary)
            #expect(new.count == 3)
            #expect(new["a"] as? [Int] == [1, 2])
            #expect((new["z"] as? NSDictionary)?["d"] as? Data == Data([1, 2]))
            #expect((new["rows"] as? [NSDictionary])?.count == count)
        }
        #expect(try load(folder, ["--root", "rows"]) == [#"{"id":2}"#])
    }

    @Test(
        "a store that can't be read is 65, but replaced with a warning",
        arguments: ["append", "merge", "remove", "replace"])
    func unreadable(mode: String) throws {
        let folder = try ScratchFolder()
        for bad in [
            "hello", "<plist><array><dict>", "<plist><array><dict/></array>",
            "bplist00xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "<plist><array><true/></array></plist>",
        ] {
            try folder.write(bad.utf8, to: "characters.plist")
            let run = try Session(
                "store-plist", ["--mode", mode, "--key=id"], input: Self.abc.utf8, folder: folder)
            #expect(run.status == (mode == "replace" ? 0 : 65))
            if mode == "replace" {
                #expect(run.errors.contains("warning"))
                #expect(try load(folder).count == 3)
            } else {
                #expect(try folder.text("characters.plist") == bad)
            }
        }
    }

    @Test("no records replace no store, whatever its shape, and what stands beside the records isn't lost")
    func otherShape() throws {
        let folder = try ScratchFolder()
        let member = "<plist><dict><key>a</key><true/><key>r</key>VALUE</dict></plist>"
        for (old, input) in [
            ("<plist><array><dict/></array></plist>", ""), ("<plist><array><string/></array></plist>", ""),
            ("<plist><array><dict/>", ""), ("hello", ""),
        ]
            + ["<dict><key>1</key><dict/></dict>", "<string>x</string>", "<array><string>x</string></array>"]
            .flatMap({
                [(member.replacing("VALUE", with: $0), ""), (member.replacing("VALUE", with: $0), "{}\n")]
            })
        {
            try folder.write(old.utf8, to: "characters.plist")
            let run = try Session("store-plist", ["--root", "r"], input: input.utf8, folder: folder)
            #expect(run.status == 65, "\(old)")
            #expect(try folder.text("characters.plist") == old)
        }
    }

    @Test("an unchanged merge does not rewrite the file")
    func unchangedMerge() throws {
        let folder = try folder()
        let run = try Session("store-plist", ["--mode=merge", "--key=id"], input: Self.abc.utf8, folder: folder)
        #expect(run.text.contains(#""same":3"#))
        #expect(run.text.hasSuffix(#""written":false}"# + "\n"))
    }

    @Test("removing all is refused like an empty input")
    func removeAll() throws {
        let folder = try folder()
        let arguments = ["--mode=remove", "--key=id"]
        #expect(try Session("store-plist", arguments, input: Self.abc.utf8, folder: folder).status == 65)
        #expect(try load(folder).count == 3)
        #expect(
            try Session("store-plist", arguments + ["--allow-empty"], input: Self.abc.utf8, folder: folder).status
                == 0)
        #expect(try load(folder).isEmpty)
    }

    /// How many runs merge at a time; more with `CASTLINE_MERGES=1000`.
    private static let merges = ProcessInfo.processInfo.environment["CASTLINE_MERGES"].flatMap { Int($0) } ?? 100

    @Test("merges at the same time lose nothing")
    func concurrentMerges() throws {
        let folder = try ScratchFolder()
        let script = """
            for i in $(seq \(Self.merges)); do
                echo "{\\"id\\":$i}" | store-plist -q --wait 120 --mode=merge --key=id > /dev/null || echo failed &
            done
            wait
            """
        let run = try Session.script(script, folder: folder, limitSeconds: 240)
        #expect(run.text == "")
        #expect(run.errors == "")
        let ids = try load(folder).compactMap { Int($0.filter(\.isNumber)) }
        #expect(ids.sorted() == Array(1...Self.merges))
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("--sealed stores only what ends with a complete seal")
    func sealed() throws {
        let folder = try folder()
        let complete = #"{"$seal":{"records":1,"complete":true}}"#
        let partial = #"{"$seal":{"records":1,"complete":false}}"#
        for input in ["{}", "{}\n" + partial, complete + "\n{}\n"] {
            let run = try Session("store-plist", ["--sealed"], input: input.utf8, folder: folder)
            #expect(run.status == 65)
            #expect(run.errors.contains("seal"))
        }
        #expect(try load(folder).count == 3)
        #expect(
            try Session("store-plist", ["--sealed"], input: ("{}\n" + complete + "\n\n").utf8, folder: folder)
                .status == 0)
        #expect(try load(folder) == ["{}"])
    }

    @Test("a backup that is another name of the store, as a kill leaves it, is in nobody's way")
    func linkedBackup() throws {
        let folder = try folder()
        let script = "ln characters.plist characters.plist.old; echo '{}' | store-plist --backup=.old >/dev/null"
        #expect(try Session.script(script, folder: folder).status == 0)
        #expect(try load(folder).count == 1)
        let lost = try Session(
            "store-plist", ["--backup=.old", "--report", "characters.plist.old"], input: "{}".utf8, folder: folder)
        #expect(lost.status == 64)
        #expect(lost.errors.contains("--backup characters.plist.old is the same file as --report"))
    }

    @Test("--min-records, --backup and --verify")
    func guards() throws {
        let folder = try folder()
        let before = try folder.bytes("characters.plist")
        #expect(try Session("store-plist", ["--min-records=4"], input: Self.abc.utf8, folder: folder).status == 65)
        #expect(try folder.bytes("characters.plist") == before)
        for format in ["xml", "binary"] {
            let arguments = ["--min-records=1", "--backup=.old", "--verify", "--format", format]
            #expect(try Session("store-plist", arguments, input: "{}".utf8, folder: folder).status == 0)
            #expect(try load(folder) == ["{}"])
            #expect(try folder.names() == ["characters.plist", "characters.plist.old"])
            if format == "xml" { #expect(try folder.bytes("characters.plist.old") == before) }
        }
        #expect(
            try Session("store-plist", ["--backup=.old"], input: "{}".utf8, folder: folder).text.contains(
                #""written":false"#))
    }

    @Test("--tee hands the records on, byte for byte, and the receipt goes to the report")
    func tee() throws {
        let folder = try ScratchFolder()
        let input = "{ \"a\" : 1.50 }\r\n\n{\"b\":null}\nbad\n{\"$seal\":{\"complete\":true}}\n"
        let run = try Session(
            "store-plist", ["--tee", "--report=r.json", "--on-bad-line=skip", "--rejects=bad.txt"],
            input: input.utf8,
            folder: folder)
        #expect(run.status == 0)
        #expect(run.text == "{ \"a\" : 1.50 }\r\n{\"b\":null}\n{\"$seal\":{\"complete\":true}}\n")
        #expect(try folder.text("bad.txt") == "bad\n")
        let report = try JSONSerialization.jsonObject(with: Data(try folder.bytes("r.json"))) as? [String: Any]
        #expect(report?["exitStatus"] as? Int == 0)
        #expect(report?["recordsIn"] as? Int == 2)
        #expect(report?["badLines"] as? Int == 1)
        #expect((report?["lossy"] as? [String: Int]) == ["nullsOmitted": 1])
        #expect((report?["receipt"] as? [String: Any])?["skipped"] as? Int == 1)
    }

    @Test("--date and --data store what they name, and --load gives it back")
    func typed() throws {
        let folder = try ScratchFolder()
        let input = #"{"born":"1928-11-18T00:00:00Z","p":{"q":"AQID","born":"x"},"l":[{"born":"y"}]}"#
        let options = ["--date=born", "--data", "$.p.q"]
        for format in ["xml", "binary"] {
            #expect(
                try Session("store-plist", options + ["--format", format], input: input.utf8, folder: folder).status
                    == 0)
            let read = try unsafe PropertyListSerialization.propertyList(
                from: Data(try folder.bytes("characters.plist")), format: nil)
            let record = try #require((read as? [NSDictionary])?.first)
            #expect(record["born"] as? Date == Date(timeIntervalSince1970: -1_297_641_600))
            #expect((record["p"] as? NSDictionary)?["q"] as? Data == Data([1, 2, 3]))
            #expect(try load(folder) == [input])
        }
        for bad in [
            #"{"born":"yesterday"}"#, #"{"born":"9999-12-31T23:59:59-01:00"}"#, #"{"born":5}"#,
            #"{"p":{"q":"***"}}"#, #"{"born":"2011-02-29T00:00:00Z"}"#,
        ] {
            #expect(try Session("store-plist", options, input: bad.utf8, folder: folder).status == 65)
        }
    }

    @Test("thousands of records come back as they went in", arguments: ["xml", "binary"])
    func manyRecords(format: String) throws {
        let folder = try ScratchFolder()
        let input = (0..<12_000).map { index in
            let films = (0..<index % 5).map { "\"film \(index * 31 % 977) of \($0)\"" }.joined(separator: ",")
            return
                "{\"films\":[\(films)],\"id\":\(index),\"name\":\"name \(index * 7919 % 9001)\",\"half\":\(index).5}"
        }
        let arguments = ["--format", format]
        let bytes = (input.joined(separator: "\n") + "\n").utf8
        #expect(try Session("store-plist", arguments, input: bytes, folder: folder).status == 0)
        #expect(try load(folder) == input)
    }

    @Test("editing is plain Unix")
    func editing() throws {
        let folder = try folder()
        let run = try Session.script("store-plist --load | tac | store-plist", folder: folder)
        #expect(run.status == 0)
        #expect(try load(folder) == Self.abc.split(separator: "\n").reversed().map(String.init))
    }

    @Test("--load says what it can't read, and by which status")
    func loadFaults() throws {
        let folder = try ScratchFolder()
        #expect(try Session("store-plist", ["--load"], folder: folder).status == 66)
        try folder.write("hello".utf8, to: "characters.plist")
        let run = try Session("store-plist", ["--load"], folder: folder)
        #expect(run.status == 65)
        #expect(run.errors.hasPrefix("store-plist: characters.plist: byte 1: expected <plist>"))
        #expect(
            try Session("store-plist", ["--load", "-"], input: "<plist><array><dict/></array></plist>".utf8).lines
                == ["{}"])
    }

    @Test(
        "a date that --load couldn't write is a bad line in either form",
        arguments: ["9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00"], ["xml", "binary"])
    func farDate(date: String, format: String) throws {
        let folder = try ScratchFolder()
        for arguments in [[], ["--key=id"]] {
            let run = try Session(
                "store-plist", ["--date=d", "--format", format] + arguments,
                input: #"{"id":1,"d":"\#(date)"}"#.utf8,
                folder: folder)
            #expect(run.status == 65)
            #expect(
                run.errors.hasPrefix("store-plist: <stdin>:1:13: $.d: the date is outside the years 0000 to 9999"))
            #expect(try folder.names() == [])
        }
    }

    @Test(
        "an option that says how to store is 64 with --load, even as it is by default",
        arguments: [
            "--mode=replace", "--key=id", "--tee", "--format=xml", "--null=omit", "--big-integers=error",
            "--control=error", "--date=d", "--data=d", "--strict", "--wait=0", "--sealed", "--min-records=0",
            "--backup=.old", "--verify", "--allow-empty", "--on-bad-line=stop", "--rejects=r", "--max-line=64M",
        ])
    func loadingOptions(option: String) throws {
        let folder = try folder()
        let run = try Session("store-plist", ["--load", option], folder: folder)
        #expect(run.status == 64)
        #expect(run.text == "")
        let name = option.prefix { $0 != "=" }
        #expect(run.errors == "store-plist: --load only reads; leave out \(name)\n")
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("--load has a report too, of a run that fails as well")
    func loadReport() throws {
        let folder = try folder()
        let run = try Session("store-plist", ["--load", "--report=r.json"], folder: folder)
        #expect(run.status == 0)
        let report = try JSONSerialization.jsonObject(with: Data(try folder.bytes("r.json"))) as? [String: Any]
        #expect(report?["exitStatus"] as? Int == 0)
        #expect(report?["recordsOut"] as? Int == 3)
        #expect(report?["bytesIn"] as? Int == (try folder.bytes("characters.plist").count))
        #expect(report?["bytesOut"] as? Int == run.text.utf8.count)
        for (path, status) in [("missing.plist", 66), ("r.txt", 65)] {
            try folder.write("hello".utf8, to: "r.txt")
            let arguments = ["--load", "--report=r.json", path]
            #expect(try Session("store-plist", arguments, folder: folder).status == Int32(status))
            #expect(try folder.text("r.json").contains("\"exitStatus\":\(status),"))
        }
        #expect(try Session("store-plist", ["--load", "--report=/dev/full"], folder: folder).status == 74)
    }

    @Test("where a bad line ends the run, the records before it were handed on, and it is counted")
    func teeStop() throws {
        let folder = try folder()
        let before = try folder.bytes("characters.plist")
        let run = try Session(
            "store-plist", ["--tee", "--report=r.json"], input: "{\"a\":1}\nbad\n{\"a\":2}\n".utf8, folder: folder)
        #expect(run.status == 65)
        #expect(run.text == "{\"a\":1}\n")
        #expect(try folder.text("r.json").contains("\"recordsIn\":1,\"recordsOut\":1,\"badLines\":1,"))
        #expect(try folder.bytes("characters.plist") == before)
    }

    @Test("a reader of --tee that goes away ends the run quietly, and nothing is left behind")
    func teeReader() throws {
        let folder = try folder()
        let before = try folder.bytes("characters.plist")
        let script =
            "seq 200000 | sed 's/.*/{\"id\":&}/' | store-plist --tee 2> errors | head -n 1; echo ${PIPESTATUS[2]}"
        let run = try Session.script(script, folder: folder)
        #expect(run.lines == ["{\"id\":1}", "141"])
        #expect(try folder.text("errors") == "")
        #expect(try folder.bytes("characters.plist") == before)
        #expect(try folder.names() == ["characters.plist", "errors"])
    }

    @Test("more values than are remembered give the same binary store each time")
    func deterministic() throws {
        let folder = try ScratchFolder()
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

    @Test(
        "options that don't go together are 64",
        arguments: [
            ["--mode=merge"], ["--mode=remove"], ["--keyed"], ["--keyed", "--key=id", "--mode=append"],
            ["--tee", "-"],
            ["--verify", "-"], ["--key=$"], ["--key=a[0"], ["--date=$[?]"], ["--date="], ["--backup=a/b"],
            ["--mode=merge", "--key=id", "-"], ["--nonfinite=error"], ["--nonfinite=text"],
        ])
    func usage(arguments: [String]) throws {
        let folder = try ScratchFolder()
        #expect(try Session("store-plist", arguments, input: Self.abc.utf8, folder: folder).status == 64)
        #expect(try folder.names() == [])
    }
}
