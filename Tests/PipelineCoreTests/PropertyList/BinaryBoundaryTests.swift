// Every boundary of the binary form against Foundation, which refuses sizes that the number just fits.

import Foundation
import PipelineCore
import Testing

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
