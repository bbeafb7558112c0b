// Dates and data of a store stay what they are when its records come back as JSON: over random stores, in both formats, and
// in every mode, the pipe `--load` to the store changes nothing but what was edited.

import TestSupport
import Testing

@testable import PipelineCore

@Suite struct StoredKindsTests {
    /// Records with few names and few texts, so that one path holds values of all kinds, and one text stands for a text
    /// here, for data there.
    private struct Maker {
        var random: SplitMix64
        private static let texts = ["", "aGVs", "x", "2020-01-01T00:00:00Z", "é\n"]
        private static let contents: [[UInt8]] = [[], Array("hel".utf8), [0xFF]]

        private mutating func pick<Element>(_ choices: [Element]) -> Element {
            choices[Int.random(in: 0..<choices.count, using: &random)]
        }

        mutating func record(_ number: Int) throws -> [UInt8] {
            var record = RecordEncoder(for: .lossless)
            try record.put(.beginDictionary)
            try record.put(.key, Array("id".utf8).span)
            try record.put(.integer(PropertyListInteger(isNegative: false, magnitude: UInt64(number))))
            try members(of: &record, depth: 0)
            return record.record.array
        }

        private mutating func members(of record: inout RecordEncoder, depth: Int) throws {
            for name in ["a", "b", "c d"] where Bool.random(using: &random) {
                try record.put(.key, Array(name.utf8).span)
                try value(&record, depth: depth)
            }
            try record.put(.endDictionary)
        }

        private mutating func value(_ record: inout RecordEncoder, depth: Int) throws {
            switch Int.random(in: 0..<(depth < 3 ? 8 : 5), using: &random) {
            case 0:
                let text = Array(pick(Self.texts).utf8)
                try record.put(.string, text.span)
            case 1, 2:
                let content = pick(Self.contents)
                try record.put(.data, content.span)
            case 3: try record.put(.date(pick([600_000_000, 0, -1])))
            case 4: try record.put(.real(pick([1, -0.0, 2.5])))
            case 5:
                try record.put(.beginDictionary)
                try members(of: &record, depth: depth + 1)
            default:
                try record.put(.beginArray)
                for _ in 0..<Int.random(in: 0..<4, using: &random) { try value(&record, depth: depth + 1) }
                try record.put(.endArray)
            }
        }
    }

    private static func stored(
        _ records: [[UInt8]], _ format: StoreFormat, in folder: ScratchFolder, as name: String
    )
        throws -> Descriptor
    {
        let place = try FileLocation(folder.path(name))
        var writer = StoreWriter(try .begin(place), at: place, format: format, rules: ValueRules())
        try writer.begin()
        for record in records { try writer.append(key: Span(), record: record.span) }
        try writer.finish()
        try writer.file.commit()
        return try .reading(folder.path(name))
    }

    private static func line(of record: [UInt8]) -> [UInt8] {
        var writer = JSONLineWriter(writesNonfiniteAsText: false)
        let isHeld = writer.hold(record.span)
        #expect(isHeld)
        return writer.line.array
    }

    private static func rules(of file: Descriptor) throws -> ValueRules {
        var rules = ValueRules()
        rules.stored = try StoredKinds.read(file, StoreLayout())
        return rules
    }

    /// The store that lines make over an old one, as they come or by their keys.
    private static func replaced(
        by lines: [[UInt8]], _ mode: StoreMode?, _ old: Descriptor, _ format: StoreFormat, _ folder: ScratchFolder
    ) throws -> StoreCounts {
        let rules = try rules(of: old)
        let place = try FileLocation(folder.path("new"))
        var writer = StoreWriter(try .begin(place), at: place, format: format, rules: rules)
        var counts = StoreCounts()
        if let mode {
            let update = StoreUpdate(
                mode, keys: [try JSONPath("id")], format: format, layout: StoreLayout(), rules: rules, beside: nil)
            counts = try Self.run(update, lines, old, &writer)
        } else {
            try writer.begin()
            for line in lines {
                let bad = try writer.append(line.span)
                #expect(bad == nil)
            }
            try writer.finish()
        }
        try writer.file.commit()
        return counts
    }

    private static func run(
        _ update: consuming StoreUpdate, _ lines: [[UInt8]], _ old: Descriptor, _ writer: inout StoreWriter
    ) throws -> StoreCounts {
        var update = update
        for line in lines {
            let bad = try update.keep(line.span)
            #expect(bad == nil)
        }
        let members = try update.writeOld(old, to: &writer)
        try update.writeNew(to: &writer)
        try writer.finish(members: members)
        return update.counts
    }

    @Test(arguments: [StoreFormat.xml, .binary], 0..<120)
    func `what is loaded and stored again is the store, whole, in part and in every mode`(
        format: StoreFormat, seed: Int
    ) throws {
        let folder = try ScratchFolder()
        var maker = Maker(random: SplitMix64(seed: UInt64(seed)))
        var records: [[UInt8]] = []
        for number in 0..<seed % 7 + 1 { records.append(try maker.record(number)) }
        let old = try Self.stored(records, format, in: folder, as: "old")
        let bytes = try folder.data("old")
        let lines = records.map(Self.line)
        _ = try Self.replaced(by: lines, nil, old, format, folder)
        #expect(try folder.data("new") == bytes)
        for mode: StoreMode in [.replace, .merge] {
            let counts = try Self.replaced(by: lines, mode, old, format, folder)
            #expect(counts == StoreCounts(added: 0, changed: 0, same: records.count, removed: 0))
            #expect(try folder.data("new") == bytes)
        }
        // Some records leave, and the rest is turned round.
        let kept = records.indices.filter { _ in Bool.random(using: &maker.random) }.reversed().map { records[$0] }
        _ = try Self.stored(kept, format, in: folder, as: "expected")
        _ = try Self.replaced(by: kept.map(Self.line), nil, old, format, folder)
        #expect(try folder.data("new") == folder.data("expected"))
        let same = try StoredRecords.areSame(
            .reading(folder.path("new")), .reading(folder.path("expected")), StoreLayout())
        #expect(same)
    }

    private static let dog: [StoredElement] = [
        .beginDictionary, .key, .data, .key, .beginArray, .date(0), .date(9), .endArray, .endDictionary,
    ]

    private func fault(_ line: String) throws -> String? {
        let folder = try ScratchFolder()
        var record = RecordEncoder(for: .lossless)
        var names = ["photo", "seen"]
        for part in Self.dog {
            let text = Array((part == .key ? names.removeFirst() : "abc").utf8)
            try record.put(part, text.span)
        }
        let old = try Self.stored([record.record.array], .xml, in: folder, as: "old")
        var conversion = RecordConversion(rules: try Self.rules(of: old), format: .xml)
        var sink = RecordEncoder(for: .xml)
        do throws(BadRecord) { try conversion.convert(Array(line.utf8).span, into: &sink) } catch {
            return JSONLocation.path(toPart: error.offset, in: Array(line.utf8).span)
        }
        return nil
    }

    @Test(
        arguments: [
            (#"{"photo":"YWJj","seen":["2011-05-12T01:02:03Z"]}"#, nil), (#"{"photo":null,"seen":[]}"#, nil),
            (#"{"name":"x","more":["x"],"inner":{"photo":"x"}}"#, nil), (#"{"photo":7}"#, "$.photo"),
            (#"{"photo":"not base64"}"#, "$.photo"), (#"{"photo":{"a":"YWJj"}}"#, "$.photo"),
            (#"{"\u0070hoto":"!"}"#, "$.photo"), (#"{"photo":["YWJj"]}"#, "$.photo"),
            (#"{"seen":["2011-05-12T01:02:03Z","soon"]}"#, "$.seen[1]"), (#"{"seen":[true]}"#, "$.seen[0]"),
            (#"{"seen":["2011-05-12"]}"#, "$.seen[0]"),
        ] as [(String, String?)])
    func `a value that can't be what the store has there is refused with its path`(line: String, path: String?)
        throws
    {
        #expect(try fault(line) == path)
    }
}
