// The binary form against Foundation, which must read it back, and whose own encoder must not write less.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct BinaryWriterTests {
    @Test(arguments: [4, 5, 6] as [UInt64], [1, 30, 3000])
    func `random records read back the same in Foundation, as XML too`(seed: UInt64, count: Int) throws {
        var values = RandomValues(seed: seed)
        let records = (0..<count).map { _ in values.record() }
        for format in [PropertyListFormat.binary, .xml] {
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
