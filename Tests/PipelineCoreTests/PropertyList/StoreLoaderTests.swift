// Reading stores: what others write, what this project writes, and what someone who means harm does.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct StoreLoaderTests {
    /// The records as lines.
    private func load(
        _ data: Data, _ layout: StoreLayout = StoreLayout(), nonfiniteAsText: Bool = false,
        recordLimitBytes: Int = ReadLimits.recordBytes
    ) throws -> [String] {
        let folder = try ScratchFolder()
        try data.write(to: URL(fileURLWithPath: folder.path("in")))
        let input = try Descriptor.reading(folder.path("in"))
        let output = try Descriptor.writing(folder.path("out"))
        var buffer = OutputBuffer(output)
        var loader = try StoreLoader.opened(
            input, layout: layout, writesNonfiniteAsText: nonfiniteAsText, recordLimitBytes: recordLimitBytes)
        try loader.run(&buffer)
        try buffer.flush()
        try input.close()
        try output.close()
        return try folder.text("out").split(separator: "\n").map(String.init)
    }

    private func xml(_ body: String) -> Data {
        Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(body)</plist>".utf8)
    }

    /// What is wrong with a store, nil where it can be read.
    private func fault(
        _ data: Data, _ layout: StoreLayout = StoreLayout(), recordLimitBytes: Int = ReadLimits.recordBytes
    ) throws -> String? {
        do {
            _ = try load(data, layout, recordLimitBytes: recordLimitBytes)
            return nil
        } catch let error as StoreReadError {
            switch error {
            case .system(let error): throw error
            case .invalid(let what, _): return what
            case .unfit(let what, let path): return path + ": " + what
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

    @Test(arguments: [PropertyListFormat.xml, .binary], [31, 32, 33] as [UInt64])
    func `what is stored comes back`(format: PropertyListFormat, seed: UInt64) throws {
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
        ("<dict/>", ["{}"]), ("<array/>", []),
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
    func `dates agree with Foundation's calendar`() throws {
        var random = SplitMix64(seed: 5)
        let formatter = ISO8601DateFormatter()
        let moments = (0..<500).map { _ in
            Double(Int64.random(in: -63_000_000_000...252_000_000_000, using: &random))
        }
        .filter { $0 > -13_000_000_000 }
        let records = moments.map { ["d": Date(timeIntervalSinceReferenceDate: $0)] }
        let data = try PropertyListSerialization.data(fromPropertyList: records, format: .binary, options: 0)
        let expected = records.map { #"{"d":"\#(formatter.string(from: $0["d"] ?? .distantPast))"}"# }
        #expect(try load(data) == expected)
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
        ("<array><dict/><integer>1</integer></array>", "$[1]: expected a dictionary, which a record is"),
        (
            "<array><dict><key>a</key><array><true/><real>nan</real></array></dict></array>",
            "$[0].a[1]: JSON has no number for NaN and infinity; --nonfinite=text writes a text"
        ),
    ])
    func `a store that isn't one of records is refused with the path`(body: String, message: String) throws {
        #expect(try fault(xml(body)) == message)
    }

    @Test
    func `--nonfinite=text writes NaN and infinity as texts`() throws {
        let body =
            "<array><dict><key>a</key><array><real>nan</real><real>-inf</real><real>+infinity</real></array></dict></array>"
        #expect(try load(xml(body), nonfiniteAsText: true) == [#"{"a":["nan","-infinity","+infinity"]}"#])
    }

    @Test(arguments: ["", "\n", "</plis", "<!-- </plist> -->", "</plist></plist>", "</plist>x", "</plist><array/>"])
    func `XML is whole only where </plist> ends it`(end: String) throws {
        let start = "<plist><array><dict><key>a</key><true/></dict></array>"
        #expect(try fault(Data((start + end).utf8)) != nil)
        #expect(try load(Data((start + "<!-- b --></plist>\n<!-- c -->\n").utf8)) == [#"{"a":true}"#])
    }

    @Test(arguments: [
        "", "<array>", "<array><dict></array>", "<array></dict>", "<array/><array/>", "<array>text</array>",
        "<array><dict><integer>1</integer></dict></array>", "<array><dict><key>a</key></dict></array>",
        "<array><dict><key>a</key><key>b</key></dict></array>", "<array><string>&nbsp;</string></array>",
        "<array><string>&#0;</string></array>", "<array><string>&#xD800;</string></array>",
        "<array><string>&#x110000;</string></array>", "<array><string>&#99999999999999999999;</string></array>",
        "<array><string>\u{1}</string></array>", "<array><string>a<b/></string></array>",
        "<array><string>a</array>", "<array><integer>1x</integer></array>",
        "<array><integer></integer></array>",
        "<array><integer>18446744073709551616</integer></array>", "<array><real>x</real></array>",
        "<array><dict><key>a</key><integer>-9223372036854775809</integer></dict></array>",
        "<array><dict><key>a</key><real>1e400</real></dict></array>",
        "<array><date>yesterday</date></array>", "<array><data>A</data></array>", "<array><uid>1</uid></array>",
        "<array><![CDATA[x]]></array>", "<array><dict", "<array><string>x<![CDATA[", "<array><!-- ",
        "<array><stringx>a</stringx></array>", "<array><dict><keyx>a</key><true/></dict></array>",
        "<array><string>a</string b></array>", "<array><integer/></array>", "<array><date></date></array>",
        String(repeating: "<array>", count: 600),
    ])
    func `XML that isn't a whole property list is refused`(body: String) throws {
        #expect(try fault(xml(body)) != nil)
    }

    @Test(arguments: [
        "", "hello", "{}", "bplist00", "<plist", "<?xml",
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><array/></plist>",
        "<plist><array/></plist>x", "\u{FEFF}", "<html></html>",
    ])
    func `files that aren't property lists at all are refused`(text: String) throws {
        #expect(try fault(Data(text.utf8)) != nil)
    }

    @Test(arguments: ["<!ENTITY a \"b\">", ""])
    func `a DOCTYPE that declares something is refused by name`(subset: String) throws {
        let text = "<!DOCTYPE plist [\(subset)]><plist><array/></plist>"
        #expect(try fault(Data(text.utf8))?.contains("DOCTYPE") == true)
    }

    @Test
    func `XML that isn't UTF-8 is refused`() throws {
        #expect(
            try fault(xml("<array><dict><key>") + Data([0xFF]) + Data("</key><true/></dict></array>".utf8)) != nil)
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let text = try #require("\u{FEFF}<plist><array/></plist>".data(using: encoding))
            #expect(try fault(text)?.contains("convert it to UTF-8") == true)
        }
        // Bytes that are UTF-8 all the same.
        let body = "<plist><array><dict><key>a</key><string>é</string></dict></array></plist>"
        for (declaration, isRead) in [
            ("version=\"1.0\" encoding=\"ISO-8859-1\"", false), ("version='1.0' encoding = 'windows-1252'", false),
            ("version='1.0' encoding='utf-8' standalone='yes'", true), ("version='1.0'", true),
        ] {
            let data = Data("<?xml \(declaration)?>\(body)".utf8)
            if isRead {
                #expect(try load(data) == [#"{"a":"é"}"#])
            } else {
                #expect(try fault(data)?.contains("convert it to UTF-8") == true, "\(declaration)")
            }
        }
    }

    /// A binary property list of these objects, the last of which is the root.
    private func binary(_ objects: [[UInt8]], count: UInt64? = nil, root: UInt64? = nil, table: UInt64? = nil)
        -> Data
    {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let start = UInt64(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [count ?? UInt64(objects.count), root ?? UInt64(objects.count - 1), table ?? start] {
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return Data(bytes)
    }

    @Test(
        arguments: [
            [[0xA1, 0x00]], [[0xA1, 0x05]], [[0xD1, 0x00, 0x00]], [[0x51, 0x61], [0xD1, 0x01, 0x01]],
            [[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
            [[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], [[0xAF]], [[0xAF, 0x50]],
            [[0xAF, 0x14]],
            [[0x5F, 0x11, 0xFF, 0xFF], [0xA1, 0x00]], [[0x61, 0xD8, 0x00], [0xA1, 0x00]],
            [[0x51, 0x80], [0xA1, 0x00]],
            [[0x6F, 0x10], [0xA1, 0x00]], [[0x15, 0], [0xA1, 0x00]], [[0x80, 0x01], [0xA1, 0x00]],
            [[0x0F], [0xA1, 0x00]], [[0x14, 0], [0xA1, 0x00]],
            [[0x14, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0xA1, 0x00]],
        ] as [[[UInt8]]])
    func `binary files that lie about themselves are refused`(objects: [[UInt8]]) throws {
        #expect(try fault(binary(objects)) != nil)
    }

    @Test
    func `integers of 16 bytes are read as far as they have 64 bits`() throws {
        let cases: [(UInt64, UInt64, String?)] = [
            (0, 0, "0"), (0, .max, "18446744073709551615"), (0, 1 << 63, "9223372036854775808"), (1, 0, nil),
            (1, 1, nil), (.max, .max, "-1"), (.max, 1 << 63, "-9223372036854775808"), (.max, 1 << 63 - 1, nil),
            (.max, 0, nil), (.max - 1, .max, nil), (1 << 63, 0, nil),
        ]
        for (high, low, text) in cases {
            var object: [UInt8] = [0x14]
            for half in [high, low] { object += (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
            let data = binary([[0x51, 0x61], object, [0xD1, 0, 1], [0xA1, 2]])
            if let text {
                #expect(try load(data) == ["{\"a\":\(text)}"])
            } else {
                #expect(try fault(data) == "an integer of more than 64 bits")
            }
        }
    }

    @Test
    func `trailers that lie are refused`() throws {
        let objects: [[UInt8]] = [[0xD0], [0xA1, 0x00]]
        #expect(try load(binary(objects)) == ["{}"])
        for data in [
            binary(objects, count: 3), binary(objects, count: .max), binary(objects, root: 2),
            binary(objects, root: .max),
            binary(objects, table: 8), binary(objects, table: .max), binary(objects, table: 1000),
            binary(objects, count: 0),
        ] {
            #expect(try fault(data) != nil)
        }
        let good = binary(objects)
        for length in 0..<good.count { #expect(try fault(good.prefix(length)) != nil) }
    }

    @Test
    func `an object that lies in the header or in the table is refused`() throws {
        let objects: [[UInt8]] = [[0x51, 0x61], [0x51, 0x62], [0xD1, 0, 1], [0xA1, 2]]
        let good = binary(objects)
        #expect(try load(good) == [#"{"a":"b"}"#])
        let table = good.count - 32 - objects.count
        for offset in Array(0..<8) + Array(table...255) {
            // The first byte of the header is also the marker of a text of two letters.
            var data = good
            data[table + 1] = UInt8(offset)
            #expect(try fault(data) == "an object outside the file's objects", "\(offset)")
        }
    }

    @Test
    func `a reference behind the last object is refused, whatever the trailer's unused bytes say`() throws {
        var data = binary([[0xD0], [0xA1, 0x02]])
        // The table's entry would lie there, and name the first object.
        let trailer = data.count - 32
        data.replaceSubrange(trailer..<trailer + 2, with: [0x00, 0x08])
        #expect(try fault(data) == "a reference to no object")
    }

    @Test(
        arguments: [
            (0x00, 7, #"{"a":7}"#), (0xFF, 0xFE, #"{"a":-2}"#), (0x01, 7, nil), (0xFE, 0xFE, nil),
        ] as [(UInt8, UInt8, String?)])
    func `integers of sixteen bytes are read as far as they have 64 bits`(high: UInt8, low: UInt8, line: String?)
        throws
    {
        let fill: UInt8 = high == 0 || high == 1 ? 0 : 0xFF
        let integer = [0x14, high] + [UInt8](repeating: fill, count: 14) + [low]
        let data = binary([[0x51, 0x61], integer, [0xD1, 0x00, 0x01], [0xA1, 0x02]])
        if let line {
            #expect(try load(data) == [line])
        } else {
            #expect(try fault(data) == "an integer of more than 64 bits")
        }
    }

    @Test
    func `objects that share objects over and over end soon`() throws {
        var objects: [[UInt8]] = [[0xD0]]
        for level in 0..<200 { objects.append([0xA2, UInt8(level), UInt8(level)]) }
        objects.append([0x51, 0x61])
        objects.append([0xD1, 201, 200])
        objects.append([0xA1, 202])
        #expect(try fault(binary(objects)) == "objects that share objects too often")
    }

    @Test
    func `a record that a few objects make large is refused before it is held`() throws {
        var objects: [[UInt8]] = [[0x5F, 0x10, 100] + [UInt8](repeating: 0x61, count: 100), [0xA2, 0, 0]]
        for level in 1..<10 { objects.append([0xA2, UInt8(level), UInt8(level)]) }
        objects += [[0x51, 0x62], [0xD1, 11, 10], [0xA1, 12]]
        let data = binary(objects + (0..<100).map { _ in [0x08] }, root: 13)
        #expect(try load(data, recordLimitBytes: 200_000).map(\.utf8.count) == [107_523])
        let message = try #require(try fault(data, recordLimitBytes: 100_000))
        #expect(message.hasPrefix("$[0].b[1]") && message.hasSuffix("a record may take 256 MiB; store it in parts"))
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
        for format in [PropertyListFormat.xml, .binary] {
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
