// store-plist against others that read and write property lists, in both directions and both forms: Python's plistlib,
// libplist's plistutil, plutil and Foundation.

import Foundation
import TestSupport
import Testing

@Suite struct StorePeerTests {
    private static let formats = ["xml", "binary"]

    private func store(_ lines: [String], _ format: String, _ folder: ScratchFolder, _ options: [String] = [])
        throws
    {
        let input = lines.joined(separator: "\n").utf8
        let run = try Session(
            "store-plist", ["--format", format, "ours.plist"] + options, input: input, folder: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
    }

    private func expectLoaded(_ lines: [String], _ file: String, _ folder: ScratchFolder) throws {
        let run = try Session("store-plist", ["--load", file], folder: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        let different = zip(run.lines, lines).first { $0 != $1 }
        #expect(run.lines.count == lines.count)
        #expect(different == nil)
    }

    /// Runs a peer, or cancels the test where it isn't there.
    private func run(_ peer: [String], _ folder: ScratchFolder) throws {
        let toolchain = (ProcessInfo.processInfo.environment["SWIFT_EXEC"] ?? "/usr/bin/swift")
        let beside = URL(fileURLWithPath: toolchain).resolvingSymlinksInPath().deletingLastPathComponent().path
        let path = "\(ProcessInfo.processInfo.environment["PATH"] ?? ""):\(beside)"
        let run = try Session(
            "/usr/bin/env", peer, environment: ["PATH": path], folder: folder, limitSeconds: 120)
        if run.status == 127 { try Test.cancel("there is no \(peer[0])") }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text == "")
    }

    /// Compares a property list with lines of JSON, or writes one of them, as Python sees both: types, order and each
    /// bit of a real.
    private static let plistlib = """
        import base64, datetime, json, plistlib, struct, sys

        def typed(record):
            if "when" in record:
                record["when"] = datetime.datetime.strptime(record["when"], "%Y-%m-%dT%H:%M:%SZ")
                record["bytes"] = base64.b64decode(record["bytes"])
            return record

        def same(a, b):
            if type(a) is not type(b): return False
            if type(a) is dict: return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
            if type(a) is list: return len(a) == len(b) and all(map(same, a, b))
            if type(a) is float: return struct.pack("d", a) == struct.pack("d", b)
            return a == b

        lines = open("lines", encoding="utf-8", newline="\\n").read().split("\\n")
        records = [typed(json.loads(line)) for line in lines]
        if sys.argv[1] == "read":
            stored = plistlib.load(open("ours.plist", "rb"))
            if len(stored) != len(records): print("other count")
            for line, a, b in zip(lines, stored, records):
                if not same(a, b): print(line, a, b)
        else:
            form = plistlib.FMT_XML if sys.argv[2] == "xml" else plistlib.FMT_BINARY
            plistlib.dump(records, open("theirs.plist", "wb"), fmt=form, sort_keys=False)
        """

    @Test(arguments: formats, [1, 2] as [UInt64])
    func `plistlib reads what is stored`(format: String, seed: UInt64) throws {
        var kinds: EdgeRecords.Kinds = [.negativeZero, .carriageReturn, .manyMembers, .typed]
        if format == "binary" { kinds.insert(.control) }
        var records = EdgeRecords(kinds, seed: seed)
        let lines = records.lines(60)
        let folder = try ScratchFolder()
        try folder.write(lines.joined(separator: "\n").utf8, to: "lines")
        try store(lines, format, folder, ["--date=when", "--data=bytes"])
        try run(["python3", "-c", Self.plistlib, "read"], folder)
        try expectLoaded(lines, "ours.plist", folder)
    }

    @Test(arguments: formats, [4, 5] as [UInt64])
    func `what plistlib writes is loaded`(format: String, seed: UInt64) throws {
        // In binary it takes -0.0 and 0.0 for one object, and in XML it writes a CR as it is.
        var kinds: EdgeRecords.Kinds = [.manyMembers, .typed]
        kinds.formUnion(format == "binary" ? [.carriageReturn, .control] : .negativeZero)
        var records = EdgeRecords(kinds, seed: seed)
        let lines = records.lines(60)
        let folder = try ScratchFolder()
        try folder.write(lines.joined(separator: "\n").utf8, to: "lines")
        try run(["python3", "-c", Self.plistlib, "write", format], folder)
        try expectLoaded(lines, "theirs.plist", folder)
    }

    /// A tool that reads one file and writes another.
    enum Converter: String, CaseIterable, CustomTestStringConvertible {
        case plistutil, plutil

        var testDescription: String { rawValue }

        func command(to format: String) -> [String] {
            switch self {
            case .plistutil:
                ["plistutil", "-i", "ours.plist", "-o", "theirs.plist", "-f", format == "xml" ? "xml" : "bin"]
            case .plutil:
                ["plutil", "-convert", format == "xml" ? "xml1" : "binary1", "-o", "theirs.plist", "ours.plist"]
            }
        }
    }

    @Test(arguments: Converter.allCases, formats)
    func `what others convert stays the same`(converter: Converter, from format: String) throws {
        for other in Self.formats {
            // What is written as XML has lost the sign of zero, and a CR; plutil keeps no order.
            var kinds: EdgeRecords.Kinds = other == "xml" ? [] : [.negativeZero, .carriageReturn]
            if converter == .plistutil { kinds.insert(.manyMembers) }
            var records = EdgeRecords(kinds, seed: 7)
            let lines = records.lines(80)
            let folder = try ScratchFolder()
            try store(lines, format, folder)
            try run(converter.command(to: other), folder)
            try expectLoaded(lines, "theirs.plist", folder)
        }
    }

    @Test(arguments: formats, formats)
    func `what Foundation reads and writes again stays the same`(format: String, other: String) throws {
        var kinds: EdgeRecords.Kinds = other == "xml" ? [] : [.negativeZero, .carriageReturn]
        if format == "binary", other == "binary" { kinds.insert(.control) }
        var records = EdgeRecords(kinds, seed: 8)
        let lines = records.lines(80)
        let folder = try ScratchFolder()
        try store(lines, format, folder)
        let root = try unsafe PropertyListSerialization.propertyList(
            from: Data(try folder.bytes("ours.plist")), format: nil)
        let data = try PropertyListSerialization.data(
            fromPropertyList: root, format: other == "xml" ? .xml : .binary, options: 0)
        try folder.write(data, to: "theirs.plist")
        try expectLoaded(lines, "theirs.plist", folder)
    }
}
