// A store in JSON Lines keeps each record byte for byte, compares records as values, and is refused where it is damaged. The
// promises that it shares with property lists are tested with theirs: see `StoreKind` and `StoreChangesTests`.

import Foundation
import TestSupport
import Testing

extension ModelValue {
    /// The value as somebody else might write it: with white space, escapes, other numbers and members in another order.
    func respelt(_ random: inout SplitMix64) -> String {
        func space() -> String { ["", "", " ", "\t", "  "].randomElement(using: &random) ?? "" }
        switch self {
        case .text(let text):
            let escaped = text.unicodeScalars.map { scalar -> String in
                let isPlain = scalar != "\"" && scalar != "\\" && scalar.value >= 0x20
                if isPlain, Bool.random(using: &random) { return String(scalar) }
                return String(scalar).utf16.map { "\\u" + String(format: "%04X", Int($0)) }.joined()
            }
            return "\"" + escaped.joined() + "\""
        case .integer(let value):
            return ["\(value)", "\(value).0", "\(value)e0", "\(value * 10)E-1"].randomElement(using: &random) ?? ""
        case .real(let value): return ["\(value)", "\(value)0", "\(value)e+00"].randomElement(using: &random) ?? ""
        case .boolean(let value): return "\(value)"
        case .array(let elements):
            return "[" + space() + elements.map { $0.respelt(&random) + space() }.joined(separator: ",") + "]"
        case .object(let members):
            return "{" + space()
                + members.shuffled(using: &random).map {
                    ModelValue.text($0.name).respelt(&random) + space() + ":" + $0.value.respelt(&random) + space()
                }.joined(separator: ",") + "}"
        }
    }
}

@Suite struct StoreLinesTests {
    private func store(_ arguments: [String], _ input: String, _ folder: ScratchFolder) throws -> Session {
        try Session("store-plist", arguments, input: input.utf8, folder: folder)
    }

    private func rows(_ random: inout SplitMix64) -> [ModelValue] {
        (0..<Int.random(in: 1..<9, using: &random)).map { number in
            let body = ModelValue.object(&random)
            return ModelRow(id: .text("k\(number)"), body: body).value
        }
    }

    @Test(
        arguments: 0..<40 as Range<UInt64>,
        [[], ["--key=id"], ["--key=id", "--mode=merge"], ["--key=id", "--verify"]])
    func `lines stay byte for byte, and those that only spell them otherwise are no change`(
        seed: UInt64, options: [String]
    ) throws {
        var random = SplitMix64(seed: seed)
        let rows = rows(&random)
        let ends = ["\n", "\r\n", " \n"]
        let first = rows.map { $0.respelt(&random) + (ends.randomElement(using: &random) ?? "") }.joined()
        let folder = try ScratchFolder()
        #expect(try store(options + ["s.jsonl"], first, folder).status == 0)
        #expect(try folder.text("s.jsonl") == first)
        #expect(try Session("store-plist", ["--load", "s.jsonl"], folder: folder).text == first)
        let second = rows.map { $0.respelt(&random) + "\n" }.joined()
        let run = try store(options + ["s.jsonl"], second, folder)
        #expect(run.status == 0 && run.text.contains(#""written":false"#), "\(run.errors)\(first)\(second)")
        #expect(try folder.text("s.jsonl") == first)
        let compared = try store(["--key=id", "--diff=s.jsonl"], second, folder)
        #expect(compared.status == 0 && compared.text == "", "\(compared.text)")
    }

    @Test(arguments: [
        ("1", "2"), ("1", "\"1\""), ("90071992547409931", "90071992547409932"), ("0.1", "0.10000000000000001"),
        ("1e400", "1e401"), ("null", "0"), ("null", "false"), (#""\ud800""#, #""\ud801""#),
        (#""\ud800""#, #""\ufffd""#), (#""a""#, #""A""#), (#""é""#, "\"e\u{301}\""), ("[]", "{}"), ("[1]", "[1,1]"),
        ("true", "\"true\""), ("{}", #"{"a":null}"#),
    ])
    func `other values are a change`(_ row: (old: String, new: String)) throws {
        let folder = try ScratchFolder()
        _ = try store(["--key=id", "s.jsonl"], #"{"id":1,"v":\#(row.old)}"#, folder)
        let run = try store(["--key=id", "--changes=-", "s.jsonl"], #"{"v":\#(row.new), "id":1}"#, folder)
        let place = [#"{"a":null}"#: "$['v']['a']", "[1,1]": "$['v'][1]"][row.new] ?? "$['v']"
        let line =
            #"{"change":"changed","key":"1","at":["\#(place)"],"record":{"v":\#(row.new), "id":1},"#
            + #""was":{"id":1,"v":\#(row.old)}}"#
        #expect(run.lines == [line])
        #expect(try folder.text("s.jsonl") == #"{"v":\#(row.new), "id":1}"# + "\n")
    }

    @Test(arguments: [["--mode=replace"], ["--mode=append"], ["--key=id", "--mode=merge"], ["--key=id"]])
    func `a store that is cut off or broken anywhere is 65 with the place, and untouched`(options: [String]) throws
    {
        let lines = [#"{"id":1,"n":[true,null]}"#, #" {"id":"ä\n","o":{"a":-1.5e3}}"#, "", #"{"id":3}"#]
        let whole = Array((lines.joined(separator: "\n") + "\n").utf8)
        let folder = try ScratchFolder()
        for end in whole.indices {
            let cut = Array(whole[..<end])
            let isWhole = Self.isRecordOrBlank(
                cut.split(separator: 0x0A, omittingEmptySubsequences: false).last ?? [])
            try folder.write(cut, to: "s.jsonl")
            let run = try store(options + ["s.jsonl"], #"{"id":9}"#, folder)
            #expect((run.status == 0) == isWhole, "\(end): \(run.errors)")
            guard !isWhole else { continue }
            let number = cut.count { $0 == 0x0A } + 1
            #expect(run.status == 65 && run.errors.hasPrefix("store-plist: s.jsonl:\(number):"), "\(run.errors)")
            #expect(run.errors.contains("it is unchanged; ") && run.text == "")
            #expect(try folder.bytes("s.jsonl") == cut)
            let load = try Session("store-plist", ["--load", "s.jsonl"], folder: folder)
            #expect(load.status == 65 && load.errors.hasPrefix("store-plist: s.jsonl:\(number):"), "\(load.errors)")
        }
    }

    private static func isRecordOrBlank(_ line: ArraySlice<UInt8>) -> Bool {
        if line.allSatisfy({ $0 == 0x20 }) { return true }
        do {
            _ = try JSONSerialization.jsonObject(with: Data(line))
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: ["[1]", "7", "\"a\"", "{}{}", "{\"a\":1}]", "\u{FEFF}{}"])
    func `a line that isn't a record is damage on any line but the first's byte order mark`(line: String) throws {
        let folder = try ScratchFolder()
        try folder.write("{\"id\":1}\n\(line)\n".utf8, to: "s.jsonl")
        let run = try store(["s.jsonl"], "{\"id\":2}", folder)
        #expect(run.status == 65 && run.errors.hasPrefix("store-plist: s.jsonl:2:"), "\(run.errors)")
        try folder.write("\u{FEFF}\n{\"id\":1}\n".utf8, to: "s.jsonl")
        #expect(try store(["--mode=append", "s.jsonl"], "\u{FEFF}{\"id\":2}", folder).status == 0)
        #expect(try folder.text("s.jsonl") == "{\"id\":1}\n{\"id\":2}\n")
    }

    private static let xml = "<plist><array><dict><key>id</key><integer>1</integer></dict></array></plist>\n"

    /// What a file holds, its name, what is asked for, and the format that it has then; nil where the run is refused.
    private static let formats: [(old: String?, name: String, option: String?, format: String?)] = [
        (nil, "s.jsonl", nil, "jsonl"), (nil, "s.ndjson", nil, "jsonl"), (nil, "s.plist", nil, "xml"),
        (nil, "s.json", nil, "xml"), (nil, "s.json", "jsonl", "jsonl"), (nil, "s.jsonl", "xml", "xml"),
        (nil, "s.jsonl", "binary", "binary"), ("", "s.jsonl", nil, "jsonl"), ("", "s.plist", "jsonl", "jsonl"),
        ("\n \r\n", "s.jsonl", nil, "jsonl"), ("\n", "s.plist", nil, nil),
        (#"{"id":0}"#, "s.plist", nil, "jsonl"), (#"{"id":0}"#, "s.plist", "xml", "xml"),
        (#"{"id":0}"#, "s", nil, "jsonl"), ("\n \u{9}{\"id\":0}", "s", nil, "jsonl"),
        ("\u{FEFF}{\"id\":0}", "s", nil, "jsonl"),
        (String(repeating: " ", count: 5000) + "{\"id\":0}", "s", nil, "jsonl"), (xml, "s.jsonl", nil, "xml"),
        (xml, "s.jsonl", "jsonl", "jsonl"),
        (xml, "s.plist", nil, "xml"), ("[{\"id\":0}]", "s.jsonl", nil, nil), ("id,name\n", "s.jsonl", nil, nil),
    ]

    @Test(arguments: formats.indices)
    func `what an old file holds decides its format, and its name only that of a new one`(number: Int) throws {
        let row = Self.formats[number]
        let folder = try ScratchFolder()
        if let old = row.old { try folder.write(old.utf8, to: row.name) }
        let run = try store([row.name] + (row.option.map { ["--format", $0] } ?? []), "{\"id\":2}\n", folder)
        guard let format = row.format else {
            #expect(run.status == 65 && run.errors.contains("is unchanged"), "\(run.errors)")
            return
        }
        #expect(run.status == 0 && run.text.contains("\"format\":\"\(format)\""), "\(run.text)\(run.errors)")
        let start = ["xml": "<?xml", "binary": "bplist00", "jsonl": "{\"id\":2}\n"][format] ?? ""
        #expect(try folder.bytes(row.name).starts(with: start.utf8))
        // A name that promises something else is told of, unless it was asked for.
        let isMisnamed = row.name.contains("json") && format != "jsonl"
        let isChosen = row.option != nil && !row.name.hasSuffix(".json")
        #expect(run.errors.isEmpty == (!isMisnamed || isChosen), "\(run.errors)")
    }

    @Test(arguments: ["--date=d", "--data=d", "--null=omit", "--lossy=error", "--root=r", "--keyed"])
    func `an option for property lists is 64, wherever the format comes from`(option: String) throws {
        let folder = try ScratchFolder()
        try folder.write("{\"id\":1}\n".utf8, to: "old")
        try folder.write(Self.xml.utf8, to: "x.plist")
        let key = ["--key=id", option]
        var runs = [["new.jsonl"], ["--format=jsonl", "new"], ["old"], ["--format=jsonl", "x.plist"]]
        runs += [["--mode=merge", "old"], ["--format=jsonl", "-"]]
        for arguments in runs.map({ key + $0 }) + [[option, "--load", "old"]] {
            let isRead = arguments.contains("--load")
            if isRead, ["--date=d", "--data=d", "--null=omit"].contains(option) { continue }
            let run = try store(arguments, "{\"id\":2,\"d\":\"2011-05-12T01:02:03Z\"}\n", folder)
            #expect(run.status == 64 && run.text == "", "\(arguments) \(run.errors)")
            let name = String(option.prefix { $0 != "=" })
            #expect(run.errors.contains(name) && run.errors.contains("leave"), "\(run.errors)")
        }
        #expect(try folder.text("old") == "{\"id\":1}\n")
        #expect(try folder.names() == ["old", "x.plist"])
    }

    @Test(arguments: [[], ["--key=id"], ["--mode=append"], ["--key=id", "--mode=merge"]])
    func `a seal in an old file is no record`(options: [String]) throws {
        let folder = try ScratchFolder()
        let seal = #"{"$seal":{"records":1,"complete":true,"by":"count"}}"#
        try folder.write("{\"id\":1}\n\(seal)\n".utf8, to: "s.jsonl")
        #expect(try Session("store-plist", ["--load", "s.jsonl"], folder: folder).text == "{\"id\":1}\n")
        let run = try store(options + ["s.jsonl", "--sealed"], "{\"id\":2}\n\(seal)\n", folder)
        #expect(run.status == 0 && run.text.contains(#""before":1"#), "\(run.errors)\(run.text)")
        #expect(try !folder.text("s.jsonl").contains("$seal"))
    }

    @Test(arguments: ["xml", "binary", "jsonl"], ["xml", "binary", "jsonl"])
    func `a store of one format becomes one of another, with the same records`(from: String, to: String) throws {
        var random = SplitMix64(seed: UInt64(from.count * 10 + to.count))
        for _ in 0..<10 {
            let lines = rows(&random).map { $0.json + "\n" }
            let folder = try ScratchFolder()
            _ = try store(["--format", from, "s"], lines.joined(), folder)
            let merge = ["--format", to, "--key=id", "--mode=merge", "--verify", "s"]
            let run = try store(merge, lines[0], folder)
            #expect(run.status == 0 && run.text.contains("\"format\":\"\(to)\""), "\(run.errors)")
            #expect(run.text.contains("\"changed\":0"), "\(run.text)")
            #expect(try folder.loaded(["s"]) == lines.map { String($0.dropLast()) })
        }
    }

    @Test
    func `what a property list can't hold keeps an old store of lines as it is, unless an option says what to do`()
        throws
    {
        let folder = try ScratchFolder()
        let line = #"{"id":1,"n":null,"big":123456789012345678901,"t":"\u0001","d":1e400}"#
        _ = try store(["s.jsonl"], line, folder)
        for mode in ["merge", "append"] {
            let run = try store(["--format=xml", "--key=id", "--mode", mode, "s.jsonl"], "{\"id\":2}", folder)
            #expect(run.status == 65 && run.errors.contains("s.jsonl: a stored record: "), "\(run.errors)")
            #expect(try folder.text("s.jsonl") == line + "\n")
        }
    }

    @Test
    func `--strict refuses names that come twice at any depth, and without it the line stays`() throws {
        for line in [#"{"a":1,"a":1}"#, #"{"l":[{"b":{"c":0,"\u0063":0}}]}"#] {
            let folder = try ScratchFolder()
            let refused = try store(["--strict", "s.jsonl"], line, folder)
            #expect(refused.status == 65 && refused.errors.contains("occurs twice"), "\(refused.errors)")
            let run = try store(["s.jsonl"], line, folder)
            #expect(run.status == 0 && run.errors == "")
            #expect(try folder.text("s.jsonl") == line + "\n")
        }
        let folder = try ScratchFolder()
        #expect(try store(["--strict", "s.jsonl"], #"{"a":{"a":1},"l":[{"a":1},{"a":1}]}"#, folder).status == 0)
    }

    @Test(arguments: ["", "\n", " \r\n\n"])
    func `a store without records is a file without lines`(content: String) throws {
        let folder = try ScratchFolder()
        try folder.write(content.utf8, to: "s.ndjson")
        let load = try Session("store-plist", ["--load", "--csv=id", "s.ndjson"], folder: folder)
        #expect(load.status == 0 && load.text == "id\n" && load.errors == "", "\(load.errors)")
        for options in [["--key=id", "--mode=merge"], ["--key=id"], ["--mode=append"], []] {
            try folder.write(content.utf8, to: "s.ndjson")
            let run = try store(options + ["--verify", "s.ndjson"], "{\"id\":1}", folder)
            #expect(run.status == 0 && run.text.contains(#""format":"jsonl","records":1"#), "\(run.errors)")
            let emptied = try store(["--min-records=0", "--verify", "s.ndjson"], "", folder)
            #expect(emptied.status == 0, "\(emptied.errors)")
            #expect(try folder.text("s.ndjson") == "")
        }
    }

    @Test
    func `--same-shape and --newest know the members of lines`() throws {
        let folder = try ScratchFolder()
        let old = (1...20).map { #"{"id":\#($0),"\u006eame":"x","at":"2026-11-\#($0 + 10)T00:00:00Z"}"# + "\n" }
        _ = try store(["s.jsonl"], old.joined(), folder)
        #expect(
            try Session("store-plist", ["--newest=at", "s.jsonl"], folder: folder).text == "2026-11-30T00:00:00Z\n")
        let new = (1...20).map { #"{"id":\#($0),"name":null,"title":"x"}"# + "\n" }.joined()
        let run = try store(["--same-shape", "s.jsonl"], new, folder)
        #expect(run.status == 65)
        #expect(run.errors.contains("name was in 20 of 20 records and is in none"), "\(run.errors)")
        #expect(run.errors.contains("title is new in 20"), "\(run.errors)")
    }
}
