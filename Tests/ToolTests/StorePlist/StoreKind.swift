// The ways to store that the tests of the promise go through: the same old store, and runs that make a new one of it.

import TestSupport
import Testing

enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case xml, binary, lines, mergedXML, mergedBinary, mergedLines, backedUp

    var testDescription: String { rawValue }

    var arguments: [String] {
        switch self {
        case .xml: ["--format=xml"]
        case .binary: ["--format=binary"]
        case .lines: ["--format=jsonl"]
        case .mergedXML: ["--format=xml", "--mode=merge", "--key=id"]
        case .mergedBinary: ["--format=binary", "--mode=merge", "--key=id"]
        case .mergedLines: ["--format=jsonl", "--mode=merge", "--key=id"]
        case .backedUp: ["--format=xml", "--verify", "--backup=.old"]
        }
    }

    /// Records 0 up to a count, of which each has a text of its own.
    static func records(_ name: String, _ count: Int) -> String {
        (0..<count).map { "{\"id\":\($0),\"name\":\"\(name) \($0)\",\"films\":[\"one\",\"two\"]}\n" }.joined()
    }

    /// A directory with a store of `old` in it, and the bytes of the store as it is and as storing `new` leaves it.
    func prepare(old: String, new: String) throws -> (folder: ScratchFolder, old: [UInt8], new: [UInt8]) {
        let folder = try ScratchFolder()
        var versions: [[UInt8]] = []
        for input in [old, new] {
            #expect(try Session("store-plist", arguments, input: input.utf8, folder: folder).status == 0)
            versions.append(try folder.bytes("characters.plist"))
        }
        try folder.write(versions[0], to: "characters.plist")
        return (folder, versions[0], versions[1])
    }

    /// Stores `old` once more and looks that nothing is left after but what belongs there.
    func expectNoDebris(_ folder: ScratchFolder, old: String, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let run = try Session("store-plist", ["-q", "--format=xml"], input: old.utf8, folder: folder)
        #expect(run.status == 0, sourceLocation: sourceLocation)
        let names = try folder.names().filter { $0 != "characters.plist.old" && !$0.hasSuffix("trace") }
        #expect(names == ["characters.plist"], sourceLocation: sourceLocation)
    }
}
