// Reading stores: what others write, what this project writes, and what someone who means harm does.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct StoreLoaderTests {
    /// The records as lines.
    func load(
        _ data: Data, _ layout: StoreLayout = StoreLayout(), nonfiniteAsText: Bool = false,
        limitBytes: Int = ReadLimits.recordBytes
    ) throws -> [String] {
        let folder = try ScratchFolder()
        try data.write(to: URL(fileURLWithPath: folder.path("in")))
        let input = try Descriptor.reading(folder.path("in"))
        let output = try Descriptor.writing(folder.path("out"))
        var buffer = OutputBuffer(output)
        var store = try StoredRecords.opened(input, layout: layout)
        var writer = JSONLineWriter(writesNonfiniteAsText: nonfiniteAsText, limitBytes: limitBytes)
        while try store.next(into: &writer) {
            buffer.append(writer.line)
            buffer.append(0x0A)
        }
        try buffer.flush()
        try input.close()
        try output.close()
        return try folder.text("out").split(separator: "\n").map(String.init)
    }

    func xml(_ body: String) -> Data {
        Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(body)</plist>".utf8)
    }

    /// What is wrong with a store, nil where it can be read.
    func fault(
        _ data: Data, _ layout: StoreLayout = StoreLayout(), limitBytes: Int = ReadLimits.recordBytes
    ) throws -> String? {
        do {
            _ = try load(data, layout, limitBytes: limitBytes)
            return nil
        } catch let error as StoreFailure {
            switch error {
            case .system(let error): throw error
            case .invalid(let what, _): return what.description
            case .unfit(let what, let path), .otherLayout(let what, let path): return "\(path): \(what)"
            case .badLine(let what, _, _), .unwritable(let what): return what.description
            }
        }
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary], [21, 22] as [UInt64])
    func `what Foundation writes is read, in both forms`(
        format: PropertyListSerialization.PropertyListFormat, seed: UInt64
    ) throws {
        var values = RandomValues(seed: seed)
        let records = (0..<200).map { _ in values.record().value }.filter {
            // Foundation writes a CR as it is, and readers take it for a line feed.
            format == .binary || !"\($0)".contains("\r") && !"\($0)".contains("\\r")
        }
        let data = try PropertyListSerialization.data(fromPropertyList: records, format: format, options: 0)
        let lines = try load(data)
        #expect(try Stored(lines, format: .binary).root() == records as NSArray)
    }

    @Test(arguments: [StoreFormat.xml, .binary], [31, 32, 33] as [UInt64])
    func `what is stored comes back`(format: StoreFormat, seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        let once = try load(Stored((0..<300).map { _ in values.record().json }, format: format).data)
        #expect(once.count == 300)
        let twice = try Stored(once, format: format).data
        #expect(try load(twice) == once)
        #expect(try load(Stored(once, format: format == .xml ? .binary : .xml).data) == once)
    }

    @Test(arguments: [
        #"{"b":1,"a":2}"#, #"{"v":[1,-1,9223372036854775807,-9223372036854775808,18446744073709551615]}"#,
        #"{"v":[1.0,-0.0,0.1,1e-07,1e+21,5e-324]}"#, #"{"v":[true,false,[],{},""]}"#,
        #"{"v":"a\r\n\t\"\\ <&> é漢🚘"}"#, #"{"":{"":[[[{}]]]}}"#, "{}",
    ])
    func `values come back as they were, members in their order`(line: String) throws {
        #expect(try load(Stored([line]).data) == [line])
        #expect(try load(Stored([line], format: .binary).data) == [line])
    }

    @Test
    func `control characters come back from binary`() throws {
        let line = #"{"v":"\u0000\u0001\#u{FFFE}"}"#
        #expect(try load(Stored([line], format: .binary).data) == [line])
    }

    @Test(arguments: [
        ("<array><dict><key>a</key><integer> +7 </integer></dict></array>", [#"{"a":7}"#]),
        ("<array><dict><key>a</key><integer>0xff</integer></dict></array>", [#"{"a":255}"#]),
        ("<array><dict><key>a</key><real>1</real></dict></array>", [#"{"a":1.0}"#]),
        ("<array><dict><key>a</key><string>x<![CDATA[<&]]]>y</string></dict></array>", [#"{"a":"x<&]y"}"#]),
        ("<array><dict><key>a</key><string>x<!-- - -->y</string></dict></array>", [#"{"a":"xy"}"#]),
        ("<array><dict><key>&amp;&lt;&gt;&quot;&apos;</key><string/></dict></array>", [#"{"&<>\"'":""}"#]),
        (
            "<array><dict><key>a</key><string>&#128664;&#x1F698;&#13;</string></dict></array>",
            [#"{"a":"🚘🚘\r"}"#]
        ),
        ("<array><dict><key>a</key><string>1\r\n2\r3</string></dict></array>", [#"{"a":"1\n2\n3"}"#]),
        ("<array><dict><key>a</key><data>\n\tAQ ID\n</data></dict></array>", [#"{"a":"AQID"}"#]),
        (
            "<array><dict><key>a</key><date>2011-05-12T01:02:03Z</date></dict></array>",
            [#"{"a":"2011-05-12T01:02:03Z"}"#]
        ),
        (
            "<!-- c --><array  x='>'><?pi?><dict></dict><dict/><dict><key/><true></true></dict></array>\n",
            ["{}", "{}", #"{"":true}"#]
        ),
        ("<dict><key>name</key><string>Mick</string></dict>", [#"{"name":"Mick"}"#]),
        (
            "<array ><dict\n><key >a</key ><string >x</string\n><key b='>'>c</key><false ></false ></dict ></array >",
            [#"{"a":"x","c":false}"#]
        ),
        (
            "<array><dict><key>a</key><integer b=\"c\">1</integer ><key>d</key><real >2</real ></dict></array>",
            [#"{"a":1,"d":2.0}"#]
        ),
        (
            "<array><dict><key>a</key><date >2011-05-12T01:02:03Z</date ><key>b</key><data >AQ==</data ></dict></array>",
            [#"{"a":"2011-05-12T01:02:03Z","b":"AQ=="}"#]
        ),
        (
            "<dict><key>k</key><dict><key>a</key><true/></dict><key>l</key><dict/></dict>",
            [#"{"a":true}"#, "{}"]
        ),
        ("<dict/>", []), ("<array/>", []),
    ])
    func `XML as others write it is read`(body: String, lines: [String]) throws {
        #expect(try load(xml(body)) == lines)
    }

    @Test
    func `dates and data of binary stores come back as texts`() throws {
        let record: [String: Any] = [
            "d": Date(timeIntervalSinceReferenceDate: 326_854_923.25), "e": Data([1, 2, 3, 4]),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: [record], format: .binary, options: 0)
        let line = try #require(try load(data).first)
        let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(read == ["d": "2011-05-12T01:02:03.25Z", "e": "AQIDBA=="])
    }

    @Test
    func `the array under a member, and a dictionary of records, are found where the layout says so`() throws {
        let body =
            "<dict><key>v</key><integer>1</integer><key>rows</key><array><dict/></array><key>w</key><array/></dict>"
        var layout = StoreLayout()
        layout.root = "rows"
        #expect(try load(xml(body), layout) == ["{}"])
        layout.root = "none"
        #expect(try fault(xml(body), layout) == "$.none: there is no such member")
        layout.root = "v"
        #expect(try fault(xml(body), layout) == "$.v: expected an array")
        layout.root = nil
        layout.isKeyed = true
        #expect(try fault(xml(body), layout)?.hasPrefix("$['v']: expected a dictionary") == true)
    }

    @Test(arguments: [
        ("<string>x</string>", "$: expected an array or a dictionary"),
        ("<array><dict/><integer>1</integer></array>", "$[1]: expected a dictionary, as records are"),
        (
            "<array><dict><key>a</key><array><true/><real>nan</real></array></dict></array>",
            "$[0].a[1]: JSON has no number for NaN and infinity; --lossy text writes a text"
        ),
    ])
    func `a store that isn't one of records is refused with the path`(body: String, message: String) throws {
        #expect(try fault(xml(body)) == message)
    }

    @Test
    func `--lossy text writes NaN and infinity as texts`() throws {
        let body =
            "<array><dict><key>a</key><array><real>nan</real><real>-inf</real><real>+infinity</real></array></dict></array>"
        #expect(try load(xml(body), nonfiniteAsText: true) == [#"{"a":["nan","-infinity","+infinity"]}"#])
    }

    @Test(arguments: [511, 512, 513])
    func `a record is loaded at the depth that JSON has, and refused below it`(levels: Int) throws {
        let inner =
            String(repeating: "<array>", count: levels - 1) + String(repeating: "</array>", count: levels - 1)
        let fault = try fault(xml("<array><dict><key>a</key>\(inner)</dict></array>"))
        #expect((fault == nil) == (levels <= 512))
        if let fault {
            #expect(fault.hasSuffix("expected at most 512 levels of nesting; it goes deeper, or in a circle"))
        }
    }

    @Test(arguments: [41, 42] as [UInt64])
    func `bytes changed at random are read or refused, and nothing else`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var values = RandomValues(seed: seed)
        let lines = (0..<6).map { _ in values.record().json }
        for format in [StoreFormat.xml, .binary] {
            let data = try Stored(lines, format: format).data
            for _ in 0..<150 {
                var changed = data
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    changed[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                _ = try fault(changed)
            }
        }
    }
}
