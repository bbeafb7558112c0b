// What comes back from a store, and what is said where nothing can.

import Foundation
import TestSupport
import Testing

@Suite struct StoreLoadTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test
    func `--date and --data store what they name, and --load gives it back`() throws {
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
            #expect(try folder.loaded() == [input])
        }
        for bad in [
            #"{"born":"yesterday"}"#, #"{"born":"9999-12-31T23:59:59-01:00"}"#, #"{"born":5}"#,
            #"{"p":{"q":"***"}}"#, #"{"born":"2011-02-29T00:00:00Z"}"#,
        ] {
            #expect(try Session("store-plist", options, input: bad.utf8, folder: folder).status == 65)
        }
    }

    @Test
    func `a pipe's bytes that find no room are no missing store`() throws {
        let folder = try ScratchFolder.withStore()
        let script = "ulimit -f 0; cat characters.plist | store-plist --load -"
        for (script, place) in [(script, "/tmp-of-test"), ("TMPDIR=/nowhere; " + script, "/nowhere")] {
            let run = try Session.script(script, folder: folder)
            #expect(run.status == 74, "\(place)")
            #expect(run.text == "")
            #expect(!run.errors.contains("stdin") && run.errors.contains("TMPDIR"), "\(run.errors)")
        }
        // What isn't there is missing all the same.
        for path in ["nowhere", "nowhere/s", "."] {
            let run = try Session("store-plist", ["--load", path], folder: folder)
            #expect(run.status == 66 && run.errors.contains("name an existing store"), "\(run.errors)")
        }
    }

    @Test(arguments: ["xml", "binary"])
    func `thousands of records come back as they went in`(format: String) throws {
        let input = (0..<12_000).map { index in
            let films = (0..<index % 5).map { "\"film \(index * 31 % 977) of \($0)\"" }.joined(separator: ",")
            return
                "{\"films\":[\(films)],\"id\":\(index),\"name\":\"name \(index * 7919 % 9001)\",\"half\":\(index).5}"
        }
        let arguments = ["--format", format]
        let bytes = (input.joined(separator: "\n") + "\n").utf8
        #expect(try Session("store-plist", arguments, input: bytes, folder: folder).status == 0)
        #expect(try folder.loaded() == input)
    }

    @Test(arguments: ["xml", "binary"])
    func `a dictionary without members is a store without records`(format: String) throws {
        let keyed = ["--format", format, "--key", "id", "--keyed"]
        let store = try Session("store-plist", keyed + ["--min-records=0"], input: "".utf8, folder: folder)
        #expect(store.status == 0, "\(store.errors)")
        for options in [["--load"], ["--load", "--keyed"], ["--newest", "id"]] {
            let run = try Session("store-plist", options, folder: folder)
            #expect(run.status == 0 && run.text == "" && run.errors == "", "\(options) \(run.text)\(run.errors)")
        }
    }

    @Test
    func `--load says what it can't read, and by which status`() throws {
        #expect(try Session("store-plist", ["--load"], folder: folder).status == 66)
        try folder.write("hello".utf8, to: "characters.plist")
        let run = try Session("store-plist", ["--load"], folder: folder)
        #expect(run.status == 65)
        #expect(run.errors.hasPrefix("store-plist: characters.plist: byte 1: expected <plist>"))
        #expect(
            try Session("store-plist", ["--load", "-"], input: "<plist><array><dict/></array></plist>".utf8).lines
                == ["{}"])
    }

    @Test(arguments: ["9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00"], ["xml", "binary"])
    func `a date that --load couldn't write is a bad line in either form`(date: String, format: String) throws {
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

    @Test
    func `--load has a report too, of a run that fails as well`() throws {
        let folder = try ScratchFolder.withStore()
        let run = try Session("store-plist", ["--load", "--report=r.json"], folder: folder)
        #expect(run.status == 0)
        let report = try JSONSerialization.jsonObject(with: Data(try folder.bytes("r.json"))) as? [String: Any]
        #expect(report?["exitStatus"] as? Int == 0 && (report?["lossy"] as? [String: Any])?.isEmpty == true)
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
        try folder.write("<plist><array><dict><key>a</key><real>nan</real></dict></array></plist>".utf8, to: "n")
        let lossy = try Session(
            "store-plist", ["--load", "--lossy=text", "--report=r.json", "n"], folder: folder)
        #expect(lossy.status == 0 && lossy.errors == "")
        #expect(try folder.text("r.json").contains(#""lossy":{"nonfiniteAsText":1}"#))
    }
}
