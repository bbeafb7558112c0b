// What stays, what is updated and what goes under each mode.

import Foundation
import TestSupport
import Testing

@Suite struct StoreModeTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test(arguments: ["append", "merge"])
    func `appending without a key gives no counts, and a missing file is an empty store`(mode: String) throws {
        let arguments = mode == "append" ? ["--mode=append"] : ["--mode=\(mode)", "--key=id"]
        let run = try Session("store-plist", arguments, input: ScratchFolder.abc.utf8, folder: folder)
        #expect(run.status == 0)
        #expect(run.text.contains("added") == (mode != "append"))
        #expect(try folder.loaded().count == 3)
    }

    @Test func `what would leave a store without records makes none`() throws {
        let run = try Session(
            "store-plist", ["--mode=remove", "--key=id"], input: ScratchFolder.abc.utf8, folder: folder)
        #expect(run.status == 65 && run.errors.contains("--min-records 0"), "\(run.errors)")
        #expect(try folder.names().isEmpty)
    }

    @Test(arguments: [#"{"n":1}"#, #"{"id":null}"#, #"{"id":true}"#, #"{"id":[1]}"#])
    func `a record without the key is a bad line`(line: String) throws {
        let folder = try ScratchFolder.withStore()
        let run = try Session("store-plist", ["--mode=merge", "--key=id"], input: line.utf8, folder: folder)
        #expect(run.status == 65)
        let message = "store-plist: <stdin>:1:1: expected a string or a number in id, which --key names"
        #expect(run.errors.hasPrefix(message))
        #expect(try folder.loaded().count == 3)
    }

    @Test(
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
            ("id", #"{"id":1,"id":2}|{"id":2}|{"id":"3","x":{"id":2}}"#, 2),
            ("id", #"{"\u0069d":"\u0061"} |{ "id" : "a" }"#, 1),
        ], ["xml", "jsonl"])
    func `a key is the first string or number that a path finds`(
        _ row: (path: String, input: String, count: Int), format: String
    ) throws {
        let lines = row.input.split(separator: "|").map { $0 + "\n" }
        for mode in ["replace", "merge", "merge"] {
            let run = try Session(
                "store-plist", ["--key", row.path, "--mode", mode, "--format", format],
                input: lines.joined().utf8, folder: folder)
            #expect(run.status == 0)
            #expect(try folder.loaded().count == row.count)
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

    @Test(arguments: [
        ("$..d", #"{"d":"D","l":[{"d":"D"},[{"d":"D","e":"D"}]]}"#, 3),
        ("$.l[1:]", #"{"l":["D","D","D"]}"#, 2), ("$.l[*].d", #"{"l":[{"d":"D"},{"e":"D"}],"d":"D"}"#, 1),
        ("$.l[?@.k==1].d", #"{"l":[{"k":1,"d":"D"},{"k":2,"d":"D"}]}"#, 1), ("$.none", #"{"d":"D"}"#, 0),
        ("d", #"{"d":"D","x":{"d":"D"}}"#, 1), ("l[0]", #"{"l":["D",["D"]]}"#, 1),
    ])
    func `--date and --data take any path`(_ row: (path: String, line: String, count: Int)) throws {
        for (option, element, value) in [
            ("--date", "<date>", "1928-11-18T00:00:00Z"), ("--data", "<data>", "AQID"),
        ] {
            let line = row.line.replacing("\"D\"", with: "\"\(value)\"")
            #expect(try Session("store-plist", [option, row.path], input: line.utf8, folder: folder).status == 0)
            let text = try folder.text("characters.plist")
            #expect(text.split(separator: element, omittingEmptySubsequences: false).count == row.count + 1)
            #expect(try folder.loaded() == [line])
        }
        let bad = try Session(
            "store-plist", ["--date=$.l[*]", "--data=$.l"], input: #"{"l":["x"]}"#.utf8, folder: folder)
        #expect(bad.status == 65)
        #expect(bad.errors.contains("$.l: --data expects base64"))
    }

    @Test(arguments: ["xml", "binary"])
    func `a keyed store is a dictionary by key`(format: String) throws {
        let folder = try ScratchFolder.withStore(["--keyed", "--key=n", "--format", format])
        let read = try unsafe PropertyListSerialization.propertyList(
            from: Data(try folder.bytes("characters.plist")), format: nil)
        #expect((read as? [String: [String: Any]])?.keys.sorted() == ["a", "b", "c"])
        let input = #"{"id":7,"n":"b"}"# + "\n" + #"{"n":"d"}"#
        let run = try Session(
            "store-plist", ["--keyed", "--key=n", "--mode=merge"], input: input.utf8, folder: folder)
        #expect(run.text.contains(#""records":4,"added":1,"changed":1,"same":2,"removed":0"#))
        let lines = [#"{"id":1,"n":"a"}"#, #"{"id":7,"n":"b"}"#, #"{"id":3,"n":"c"}"#, #"{"n":"d"}"#]
        #expect(try folder.loaded() == lines)
        #expect(try folder.loaded(["--keyed"]) == lines)
    }

    @Test
    func `names of a binary store that XML can't hold are refused, where two of them could become one`() throws {
        let line = #"{"id":1,"\u0001":2,"\u0002":3}"# + "\n"
        for keyed in [[], ["--keyed"]] {
            let folder = try ScratchFolder()
            let old = keyed.isEmpty ? line : #"{"id":"\u0001"}"# + "\n" + #"{"id":"\u0002"}"# + "\n"
            let key = ["--key", "id"] + keyed
            _ = try Session("store-plist", ["--format", "binary"] + key, input: old.utf8, folder: folder)
            let before = try folder.bytes("characters.plist")
            let more = ["--format", "xml", "--lossy", "text", "--mode", "merge"] + key
            let run = try Session("store-plist", more, input: "{\"id\":3}\n".utf8, folder: folder)
            #expect(run.status == 65 && run.errors.contains("a name of the store"), "\(run.errors)")
            #expect(try folder.bytes("characters.plist") == before)
            // What comes in is replaced as before.
            let new = try Session(
                "store-plist", ["--lossy", "text", "--key", "id"] + keyed + ["new"], input: line.utf8,
                folder: folder)
            #expect(new.status == 0 && new.errors.contains("duplicate keys dropped"), "\(new.errors)")
        }
    }

    @Test(arguments: ["xml", "binary"])
    func `the members beside --root stay in their places`(format: String) throws {
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
        #expect(try folder.loaded(["--root", "rows"]) == [#"{"id":2}"#])
    }

    @Test(
        arguments: ["xml", "binary"],
        [[], ["--key=id"], ["--mode=append"], ["--mode=merge", "--key=id"], ["--mode=remove", "--key=id"]])
    func `a store that is damaged anywhere is 65, and --force replaces it with a warning`(
        format: String, mode: [String]
    ) throws {
        let records = (0..<60).map { "{\"id\":\($0),\"name\":\"Mick \($0)\",\"films\":[\"one\",\"two\"]}\n" }
        _ = try Session("store-plist", ["--format", format], input: records.joined().utf8, folder: folder)
        let whole = try folder.bytes("characters.plist")
        var stores = [
            "hello", "<plist><array><dict>", "<plist><array><dict/></array>",
            "<plist><array><true/></array></plist>",
            "bplist00" + String(repeating: "x", count: 46),
        ].map { Array($0.utf8) }
        for start in stride(from: 0, to: whole.count, by: whole.count / 23) {
            stores.append(whole)
            for index in start..<min(start + 16, whole.count) { stores[stores.count - 1][index] = 0xFF }
        }
        for (number, damaged) in stores.enumerated() {
            try folder.write(damaged, to: "characters.plist")
            let run = try Session("store-plist", mode, input: ScratchFolder.abc.utf8, folder: folder)
            #expect(run.status == 65 && run.output.isEmpty, "\(number)")
            #expect(run.errors.contains("it is unchanged; ") && run.errors.hasSuffix("--force replaces it\n"))
            #expect(try folder.bytes("characters.plist") == damaged)
            if mode.contains(where: { $0.hasPrefix("--mode") }) { continue }
            let forced = try Session(
                "store-plist", mode + ["--force"], input: ScratchFolder.abc.utf8, folder: folder)
            #expect(
                forced.status == 0 && forced.errors.hasSuffix("; it is replaced\n")
                    && !forced.text.contains("before"))
            #expect(try folder.loaded().count == 3)
        }
    }

    @Test
    func `an empty store is replaced whatever its root is, and only if it is whole`() throws {
        for (root, end, status) in [
            ("dict", "</plist>", 0), ("array", "</plist>", 0), ("dict", "", 65), ("array", "", 65),
        ] {
            try folder.write("<plist><\(root)/>\(end)".utf8, to: "characters.plist")
            let run = try Session("store-plist", input: "{}".utf8, folder: folder)
            #expect(
                run.status == Int32(status) && run.text.contains(#""before":0"#) == (status == 0), "\(run.errors)")
        }
    }

    @Test
    func `no records replace no store, whatever its shape, and what stands beside the records isn't lost`() throws {
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

    @Test(arguments: [[], ["--root=rows"]])
    func `removing all is refused like an empty input`(layout: [String]) throws {
        let folder = try ScratchFolder.withStore(layout)
        let arguments = ["--mode=remove", "--key=id"] + layout
        let run = try Session("store-plist", arguments, input: ScratchFolder.abc.utf8, folder: folder)
        #expect(run.status == 65)
        #expect(try folder.loaded(layout).count == 3)
        let allowed = try Session(
            "store-plist", arguments + ["--min-records=0"], input: ScratchFolder.abc.utf8, folder: folder)
        #expect(allowed.status == 0)
        #expect(try folder.loaded(layout).isEmpty)
    }

    /// How many runs merge at a time; more with `CASTLINE_MERGES=1000`.
    private static let merges = ProcessInfo.processInfo.environment["CASTLINE_MERGES"].flatMap { Int($0) } ?? 100

    @Test
    func `merges at the same time lose nothing`() throws {
        let script = """
            for i in $(seq \(Self.merges)); do
                echo "{\\"id\\":$i}" | store-plist -q --wait 120 --mode=merge --key=id > /dev/null || echo failed &
            done
            wait
            """
        let run = try Session.script(script, folder: folder, limitSeconds: 240)
        #expect(run.text == "")
        #expect(run.errors == "")
        let ids = try folder.loaded().compactMap { Int($0.filter(\.isNumber)) }
        #expect(ids.sorted() == Array(1...Self.merges))
        #expect(try folder.names() == ["characters.plist"])
    }
}
