// Values that stand together are never taken for each other, though equal ones are written once.

import Foundation
import TestSupport
import Testing

@testable import PipelineCore

@Suite struct ExactValueTests {
    /// Numbers whose bits are alike: signs, neighbours, and the same bits as an integer, a real and a date.
    private func values() -> [StoredElement] {
        var values: [StoredElement] = []
        var random = SplitMix64(seed: 41)
        for index in 0..<60_000 {
            let bits =
                switch index % 3 {
                case 0: UInt64(index)
                case 1: UInt64.random(in: 1...1 << 62, using: &random)
                default: UInt64.random(in: 0x3FF0_0000_0000_0000...0x41FF_FFFF_FFFF_FFFF, using: &random)
                }
            values += [
                .integer(PropertyListInteger(isNegative: false, magnitude: bits)),
                .integer(PropertyListInteger(isNegative: true, magnitude: bits)),
                .integer(PropertyListInteger(isNegative: false, magnitude: bits ^ 1)),
                .real(Double(bitPattern: bits)), .date(Double(bitPattern: bits)),
                .real(-Double(bitPattern: bits)),
            ]
        }
        return values
    }

    @Test
    func `numbers stay what they are beside their negatives, neighbours and other kinds of equal bits`() throws {
        let folder = try ScratchFolder()
        var file = try AtomicFile.begin(folder.path("s"))
        // Places at which all hashes of texts of one length are nearly the same.
        var writer = BinaryWriter(beside: nil, hash: PolynomialHash(points: (0, 1)))
        let values = values()
        try writer.prepare(for: values.count + 1, &file)
        try writer.put(.beginArray)
        // Twice, so that those that are remembered are found.
        for value in values.flatMap({ [$0, $0] }) { try writer.put(value) }
        try writer.put(.endArray)
        try writer.endDocument(into: &file)
        let written = try #require(try file.readBack())
        var store = try StoreFormat.decoder(of: written)
        #expect(try store.next() == .beginArray)
        var wrong = 0
        for value in values {
            for _ in 0..<2 where try store.next() != value { wrong += 1 }
        }
        #expect(wrong == 0)
        #expect(try store.next() == .endArray)
        // Equal ones are one object, and one is the array.
        #expect(writer.objectCount <= values.count + 1)
        file.discard()
    }

    @Test
    func `texts whose lengths and first words were chosen to make up for each other are stored as they are`() throws
    {
        var pairs = 0
        for count in 8..<2000 {
            for zeros in 1..<8 where count % 8 + zeros < 8 {
                let word =
                    UInt64(count) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(count + zeros) &* 0x9E37_79B9_7F4A_7C15
                // Both words must be text.
                guard word & 0x8080_8080_8080_8080 == 0 else { continue }
                pairs += 1
                let rest = String(repeating: "x", count: count - 8)
                let first = (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
                let texts = [
                    String(repeating: "\0", count: 8) + rest,
                    String(decoding: first, as: UTF8.self) + rest + String(repeating: "\0", count: zeros),
                ]
                let json = String(decoding: try JSONEncoder().encode(["v": texts]), as: UTF8.self)
                let stored = try Stored([json], format: .binary)
                #expect(try stored.root() == [["v": texts]] as NSArray)
            }
        }
        #expect(pairs > 5)
    }

    @Test
    func `texts and keys of equal bytes, and numbers spelt as texts, stay apart`() throws {
        let lines = (0..<4000).map {
            #"{"\#($0)":\#($0),"a":"\#($0)","b":-\#($0),"c":"-\#($0)","d":\#($0).5,"e":"\#($0).5"}"#
        }
        let stored = try Stored(lines, format: .binary)
        #expect(try stored.root() == Stored(lines).root())
    }
}
