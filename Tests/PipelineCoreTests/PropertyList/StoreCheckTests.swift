// A new store that doesn't hold what came is found before it replaces the old one, whatever is wrong with it.

import Foundation
import TestSupport
import Testing

@testable import PipelineCore

@Suite struct StoreCheckTests {
    /// A finished store that has no name yet.
    private final class Unnamed {
        let folder: ScratchFolder
        var writer: StoreWriter

        /// - Parameter layout: where it has a root, members stand before and after the records.
        init(_ lines: [String], _ format: StoreFormat, _ layout: StoreLayout, _ rules: ValueRules) throws {
            folder = try ScratchFolder()
            let place = try FileLocation(folder.path("s"))
            var writer = StoreWriter(
                try AtomicFile.begin(place), at: place, format: format, rules: rules, layout: layout, verifies: true
            )
            let members = layout.root == nil ? [] : Self.members()
            try writer.begin(members: members)
            for (number, line) in lines.enumerated() {
                if layout.isKeyed {
                    var conversion = RecordConversion(rules: rules, format: format)
                    var flat = RecordEncoder(for: format, replacesControls: rules.isLossy)
                    try conversion.convert(Array(line.utf8).span, into: &flat)
                    try writer.append(key: Array("key \(number)".utf8).span, record: flat.record)
                } else {
                    #expect(try writer.append(Array(line.utf8).span) == nil)
                }
            }
            try writer.finish(members: members)
            try writer.file.flush()
            self.writer = writer
        }

        private static func members() -> [UInt8] {
            var flat = RecordEncoder(for: .binary)
            do {
                try flat.put(.key, Array("beside".utf8).span)
                for part: StoredElement in [.beginArray, .real(.nan), .date(0.5)] { try flat.put(part) }
                try flat.put(.data, [1, 2, 3].span)
                try flat.put(.integer(PropertyListInteger(isNegative: false, magnitude: .max)))
                try flat.put(.endArray)
            } catch {
                Issue.record("a name that can't be written down")
            }
            return flat.record.array
        }

        var path: String { get throws { folder.path(try #require(try folder.names().first { $0 != ".s.lock" })) } }

        func expectSame(sourceLocation: SourceLocation = #_sourceLocation) throws {
            let isSame = try writer.readsBack()
            #expect(isSame, sourceLocation: sourceLocation)
        }

        /// Whether the store with a byte that is another one passes.
        func passes() -> Bool {
            do { return try writer.readsBack() } catch { return false }
        }
    }

    private static let lines = [
        #"{"id":1,"n":-1,"t":"Mick","u":"é","d":"2011-05-12T01:02:03Z","b":"AQID","l":[true,false,{}]}"#,
        #"{"id":-1,"n":1,"r":0.5,"s":-0.5,"t":"1","z":-0.0,"big":18446744073709551615,"l":[[],"a"]}"#,
    ]

    /// The property list as Foundation reads it, in a form that tells kinds apart; nil where it can't.
    private func read(_ data: Data) -> Data? {
        do {
            let root = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
            return try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
        } catch {
            return nil
        }
    }

    @Test(arguments: [StoreFormat.xml, .binary], ["", "keyed", "root"])
    func `a store in which any one bit is another is found out, or reads the same in Foundation`(
        format: StoreFormat, kind: String
    ) throws {
        var layout = StoreLayout()
        if kind == "keyed" { layout.isKeyed = true }
        if kind == "root" { layout.root = "rows" }
        let store = try Unnamed(Self.lines, format, layout, .typed())
        try store.expectSame()
        let path = try store.path
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let expected = try #require(read(whole))
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        var passed = 0
        for index in whole.indices {
            // Of XML, which is long, one bit of each byte.
            for bit in format == .binary ? Array(0..<8) : [index % 8] {
                var other = whole
                other[index] ^= 1 << UInt8(bit)
                try file.seek(toOffset: UInt64(index))
                file.write(Data([other[index]]))
                guard store.passes() else { continue }
                passed += 1
                let found = read(other)
                #expect(found == nil || found == expected, "byte \(index), bit \(bit)")
            }
            try file.seek(toOffset: UInt64(index))
            file.write(Data([whole[index]]))
        }
        try store.expectSame()
        // Of the binary form nothing may change but the minor version and the six bytes that nobody reads, and the
        // marker of -0.0, which is the same in four bytes.
        if format == .binary { #expect(passed == 7 * 8 + 1) }
    }

    /// A fault as a writer might have it.
    enum Fault: String, CaseIterable {
        case sign, fraction, text, name, order, kind, member, recordTwice, recordGone, day
    }

    @Test(arguments: Fault.allCases, [StoreFormat.xml, .binary])
    func `a store of other records is found out`(fault: Fault, format: StoreFormat) throws {
        func swapped(_ text: String, _ other: String) -> [String] {
            Self.lines.map { $0.replacing(text, with: other) }
        }
        let other =
            switch fault {
            case .sign: swapped("\"n\":-1", "\"n\":1")
            case .fraction: swapped("0.5", "0.5000000000000001")
            case .text: swapped("Mick", "Mick ")
            case .name: swapped("\"n\"", "\"m\"")
            case .order: swapped("\"id\":1,\"n\":-1", "\"n\":-1,\"id\":1")
            case .kind: swapped("\"t\":\"1\"", "\"t\":1")
            case .member: swapped(",\"u\":\"é\"", "")
            case .recordTwice: Self.lines + [Self.lines[1]]
            case .recordGone: [Self.lines[0]]
            case .day: swapped("05-12", "05-13")
            }
        // The file of the one, under what came of the other.
        let store = try Unnamed(Self.lines, format, StoreLayout(), .typed())
        let wrong = try Unnamed(other, format, StoreLayout(), .typed())
        try store.expectSame()
        let data = try Data(contentsOf: URL(fileURLWithPath: wrong.path))
        let file = try #require(FileHandle(forUpdatingAtPath: store.path))
        try file.truncate(atOffset: 0)
        file.write(data)
        let isPassed = store.passes()
        #expect(!isPassed)
    }

    @Test(arguments: [StoreFormat.xml, .binary])
    func `what the form drops on purpose is no fault`(format: StoreFormat) throws {
        var rules = try ValueRules.typed()
        rules.isLossy = true
        rules.null = .omit
        let lines = [
            #"{"d":"2011-05-12T01:02:03.25Z","t":"\u0001\ud800\uffff\r\n","n":null,"l":[null,1],"a":1,"a":2}"#,
            #"{"\u0001":1,"\u0002":2,"big":123456789012345678901234567890,"r":1e2,"z":-0.0,"y":1.0}"#,
            #"{"d":"1999-12-31T23:59:59.999999999Z","x":{"k":{"k":1,"k":2}}}"#,
        ]
        for (isKeyed, root) in [(false, nil), (true, nil), (true, "rows")] as [(Bool, String?)] {
            var layout = StoreLayout()
            (layout.isKeyed, layout.root) = (isKeyed, root)
            try Unnamed(lines, format, layout, rules).expectSame()
        }
    }
}
