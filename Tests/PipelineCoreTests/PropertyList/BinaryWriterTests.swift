// The binary form against Foundation, which must read it back, whose own encoder must not write less, and which refuses
// sizes that the number just fits.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct BinaryWriterTests {
    @Test(arguments: [4, 5, 6] as [UInt64], [1, 30, 3000])
    func `random records read back the same in Foundation, as XML too`(seed: UInt64, count: Int) throws {
        var values = RandomValues(seed: seed)
        let records = (0..<count).map { _ in values.record() }
        for format in [StoreFormat.binary, .xml] {
            let stored = try Stored(records.map(\.json), format: format)
            #expect(try stored.root() == records.map(\.value) as NSArray)
        }
    }

    @Test
    func `no records are an empty array`() throws {
        let stored = try Stored([], format: .binary)
        #expect(try stored.root() == [])
        #expect(stored.data.count == 8 + 1 + 1 + 32)
    }

    @Test(
        arguments: [
            ("0", [0x10, 0]), ("255", [0x10, 0xFF]), ("256", [0x11, 1, 0]), ("65536", [0x12, 0, 1, 0, 0]),
            ("4294967296", [0x13, 0, 0, 0, 1, 0, 0, 0, 0]),
            ("-1", [0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
            ("-9223372036854775808", [0x13, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            ("18446744073709551615", [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)),
            ("true", [0x09]), ("false", [0x08]), ("-0.0", [0x23, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            (#""é""#, [0x61, 0, 0xE9]), (#""🚘""#, [0x62, 0xD8, 0x3D, 0xDE, 0x98]),
            (#""\u0000\uffff""#, [0x62, 0, 0, 0xFF, 0xFF]), (#""0123456789abcdef""#, [0x5F, 0x10, 16, 0x30]),
            (#""""#, [0x50]), ("[]", [0xA0]), ("{}", [0xD0]),
        ] as [(String, [UInt8])])
    func `integers have their smallest form`(json: String, bytes: [UInt8]) throws {
        let stored = try Stored([#"{"v":\#(json)}"#], format: .binary)
        #expect(Array(stored.data.dropFirst(8 + 2).prefix(bytes.count)) == bytes)
    }

    @Test
    func `a record that can't be stored leaves no trace, not even what it would have been remembered by`() throws {
        let folder = try ScratchFolder()
        let place = try FileLocation(folder.path("s"))
        var writer = StoreWriter(try AtomicFile.begin(place), at: place, format: .binary, rules: ValueRules())
        let good = [#"{"a":1}"#, #"{"new":"text","l":["x"],"m":false,"t":true,"a":1}"#]
        try writer.begin()
        #expect(try writer.append(Array(good[0].utf8).span) == nil)
        for bad in [
            #"{"new":"text","l":["x",null]}"#, #"{"m":false,"t":true,"n":12345,"r":1.5,"z":[[[null]]]}"#, #"{"a":"#,
        ] {
            #expect(try writer.append(Array(bad.utf8).span) != nil)
        }
        #expect(try writer.append(Array(good[1].utf8).span) == nil)
        try writer.finish()
        try writer.file.commit()
        #expect(try folder.data("s") == Stored(good, format: .binary).data)
    }

    private struct Shape: Codable {
        var id: Int
        var name: String
        var films: [String]
        var rating: Double
    }

    @Test(arguments: [1, 40, 2000, 20_000])
    func `Foundation's encoder doesn't write less`(count: Int) throws {
        let records = (0..<count).map {
            Shape(
                id: $0, name: "name \($0 % 777)", films: ["film \($0 % 13)", "é \($0 % 5)"],
                rating: Double($0 % 7) / 2)
        }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let json = JSONEncoder()
        let lines = try records.map { String(decoding: try json.encode($0), as: UTF8.self) }
        #expect(try Stored(lines, format: .binary).data.count <= encoder.encode(records).count)
    }
}

@Suite struct BinaryBoundaryTests {
    /// The root, a record, its key and its value are four objects; each empty array is one more.
    private func line(objects: Int) -> String {
        #"{"a":["# + [String](repeating: "[]", count: objects - 4).joined(separator: ",") + "]}"
    }

    private func objects(_ data: Data) -> Int {
        data.suffix(24).prefix(8).reduce(0) { $0 << 8 | Int($1) }
    }

    @Test(arguments: [254, 255, 256, 257, 258, 65_534, 65_535, 65_536, 65_537, 65_538])
    func `stores of every number of objects around a boundary are read`(count: Int) throws {
        let stored = try Stored([line(objects: count)], format: .binary)
        #expect(objects(stored.data) == count)
        let record = try #require(try stored.root().firstObject as? NSDictionary)
        #expect((record["a"] as? NSArray)?.count == count - 4)
        // The size is what the number needs, whatever it was in between.
        #expect(stored.data[stored.data.count - 25] == (count < 256 ? 1 : count < 65_536 ? 2 : 3))
    }

    @Test(arguments: [60, 100, 127, 128, 129, 300, 33_000], ["", "rows"])
    func `references grow between records, and in what stands beside them`(count: Int, root: String) throws {
        var layout = StoreLayout()
        if !root.isEmpty { layout.root = root }
        let lines = (0..<count).map { #"{"a":"t\#($0)"}"# }
        let data = try Stored(lines, format: .binary, layout: layout).data
        let plist = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        let rows = root.isEmpty ? plist as? NSArray : (plist as? NSDictionary)?[root] as? NSArray
        #expect(rows?.count == count)
        #expect((rows?.lastObject as? NSDictionary)?["a"] as? String == "t\(count - 1)")
    }

    @Test(arguments: [200..<270, 65_480..<65_545, 16_777_150..<16_777_153])
    func `offsets of every size are read`(lengths: Range<Int>) throws {
        for length in lengths {
            let stored = try Stored([#"{"a":"\#(String(repeating: "x", count: length))"}"#], format: .binary)
            let record = try stored.root().firstObject as? NSDictionary
            #expect((record?["a"] as? String)?.utf8.count == length)
        }
    }

    @Test(arguments: [0, 1, 13, 14, 15, 16, 254, 255, 256, 257, 65_534, 65_535, 65_536, 65_537])
    func `texts, data, arrays and dictionaries of every length around a boundary are read`(count: Int) throws {
        var rules = ValueRules()
        rules.data = [try JSONPath("d")]
        let value: [String: Any] = [
            "t": String(repeating: "x", count: count), "u": String(repeating: "é", count: count),
            "d": Data(repeating: 7, count: count), "l": [Int](repeating: 1, count: count),
            "o": Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", 1) }),
            // Two units of UTF-16 each.
            "s": String(repeating: "🚘", count: count / 2),
        ]
        var json = value
        json["d"] = Data(repeating: 7, count: count).base64EncodedString()
        let line = String(decoding: try JSONSerialization.data(withJSONObject: json), as: UTF8.self)
        let stored = try Stored([line], format: .binary, rules: rules)
        #expect(try stored.root() == [value] as NSArray)
    }

    @Test
    func `integers of every size are read`() throws {
        var texts: [String] = []
        for bits in [7, 8, 15, 16, 31, 32, 62, 63] as [UInt64] {
            for number in [(1 << bits) - 1, 1 << bits, (1 << bits) + 1] as [UInt64] {
                texts.append("\(number)")
                if number <= 1 << 63 { texts.append("-\(number)") }
            }
        }
        texts += ["0", "\(UInt64.max)", "\(UInt64.max - 1)"]
        let root = try Stored(texts.map { "{\"v\":\($0)}" }, format: .binary).root()
        for (text, record) in zip(texts, root) {
            let number = (record as? NSDictionary)?["v"] as? NSNumber
            #expect(number?.description == text)
        }
    }
}
