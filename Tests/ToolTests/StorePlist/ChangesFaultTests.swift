// No change is lost: the file of changes has its name, on the disk, before the store is replaced, and is taken back where
// that fails. A fault at every system call, and a kill before each.

import TestSupport
import Testing

@Suite struct ChangesFaultTests {
    private static let old = StoreKind.records("old", 12)
    private static let new = StoreKind.records("new", 9) + #"{"id":99,"name":"later"}"# + "\n"
    private static let earlier = "{\"change\":\"of an earlier run\"}\n"

    /// A directory with a store and the changes of an earlier run, and what a run makes of both.
    private struct Stage {
        let arguments: [String]
        let folder: ScratchFolder
        let old: [UInt8]
        let new: [UInt8]
        let changes: String

        init(_ options: [String]) throws {
            arguments = options + ["--key=id", "--changes=changes.jsonl"]
            folder = try ScratchFolder()
            let first = try Session(
                "store-plist", ["--key=id", options[0]], input: ChangesFaultTests.old.utf8, folder: folder)
            #expect(first.status == 0)
            old = try folder.bytes("characters.plist")
            let run = try Session("store-plist", arguments, input: ChangesFaultTests.new.utf8, folder: folder)
            #expect(run.status == 0, "\(run.errors)")
            new = try folder.bytes("characters.plist")
            changes = try folder.text("changes.jsonl")
            #expect(changes.split(separator: "\n").count >= 10)
        }

        func reset() throws {
            try folder.write(old, to: "characters.plist")
            try folder.write(ChangesFaultTests.earlier, to: "changes.jsonl")
        }

        func run(_ fault: String) throws -> Int32? {
            try StoreFault.run(arguments, fault, input: ChangesFaultTests.new, folder)
        }

        var isOld: Bool { get throws { try folder.bytes("characters.plist") == old } }
        var isNew: Bool { get throws { try folder.bytes("characters.plist") == new } }
    }

    private static let kinds = [
        ["--format=xml", "--mode=replace"], ["--format=binary", "--mode=merge"],
        ["--format=jsonl", "--mode=replace"], ["--format=jsonl", "--mode=merge"],
        ["--format=xml", "--mode=merge", "--backup=.before", "--report=report.json"],
    ]

    @Test(arguments: kinds)
    func `where a call fails both files are as they were, or both are new`(options: [String]) throws {
        let stage = try Stage(options)
        var faults = 0
        for (call, error) in StoreFault.calls {
            for number in 1...300 {
                try stage.reset()
                guard let status = try stage.run("\(call):error=\(error):when=\(number)") else { break }
                faults += 1
                let changes = try stage.folder.text("changes.jsonl")
                let isRight =
                    status == 0
                    ? try stage.isNew && changes == stage.changes : try stage.isOld && changes == Self.earlier
                #expect(isRight, "status \(status) after \(call) \(number)")
            }
        }
        #expect(faults > 40)
    }

    @Test(arguments: kinds)
    func `after a kill before any call no change is lost`(options: [String]) throws {
        let stage = try Stage(options)
        var (kills, between) = (0, 0)
        for (call, _) in StoreFault.changingCalls {
            for number in 1...300 {
                try stage.reset()
                guard try stage.run("\(call):signal=KILL:when=\(number)") == 137 else { break }
                kills += 1
                let changes = try stage.folder.text("changes.jsonl")
                try #require(changes == Self.earlier || changes == stage.changes, "a part after \(call) \(number)")
                if try stage.isNew {
                    #expect(changes == stage.changes, "a new store without its changes after \(call) \(number)")
                    continue
                }
                try #require(try stage.isOld, "a part of a store after \(call) \(number)")
                if changes == stage.changes { between += 1 }
                // The next run says the same.
                let again = try Session("store-plist", stage.arguments, input: Self.new.utf8, folder: stage.folder)
                #expect(again.status == 0, "\(again.errors)")
                #expect(try stage.isNew)
                #expect(try stage.folder.text("changes.jsonl") == stage.changes)
            }
        }
        #expect(kills > 30)
        // There is a moment between the two names, and it was hit.
        #expect(between > 0)
        let names = try stage.folder.names().filter {
            !["trace", "report.json", "characters.plist.before"].contains($0)
        }
        #expect(names == ["changes.jsonl", "characters.plist"])
    }

    @Test
    func `the changes are on the disk under their name before the store is replaced`() throws {
        let stage = try Stage(["--format=xml"])
        try stage.reset()
        let run = try StoreFault.traced(
            ["trace=write,fsync,renameat,renameat2"], stage.arguments, input: Self.new, stage.folder)
        #expect(run.status == 0)
        let calls = try stage.folder.text("trace").split(separator: "\n").map(String.init)
        func first(_ isRight: (String) -> Bool) throws -> Int {
            let index = calls.firstIndex(where: isRight)
            return try #require(index, "\(calls)")
        }
        let changesKept = try first { $0.hasPrefix("fsync") && $0.contains("changes.jsonl.castline-") }
        let storeKept = try first { $0.hasPrefix("fsync") && $0.contains("characters.plist.castline-") }
        let changesNamed = try first { $0.contains("\"changes.jsonl\")") }
        let storeNamed = try first { $0.contains("\"characters.plist\")") }
        let between = calls[changesNamed..<storeNamed].contains { $0.hasPrefix("fsync") }
        #expect(changesKept < changesNamed && storeKept < changesNamed && changesNamed < storeNamed && between)
    }

    @Test(arguments: [1, 2])
    func `a run that is told to end while it writes takes the changes back`(number: Int) throws {
        let stage = try Stage(["--format=xml"])
        try stage.reset()
        #expect(try stage.run("fsync:signal=TERM:when=\(number)") == 143)
        #expect(try stage.isOld)
        #expect(try stage.folder.text("changes.jsonl") == Self.earlier)
        #expect(try stage.folder.names() == ["changes.jsonl", "characters.plist", "trace"])
    }

    @Test(arguments: ["renameat", "renameat2"])
    func `where no file can have two names the changes are taken back too`(call: String) throws {
        let stage = try Stage(["--format=xml"])
        for number in 1...4 {
            try stage.reset()
            let run = try StoreFault.traced(
                ["trace=linkat,\(call)", "inject=linkat:error=EPERM", "inject=\(call):error=EIO:when=\(number)"],
                stage.arguments, input: Self.new, stage.folder)
            let changes = try stage.folder.text("changes.jsonl")
            if run.status == 0 {
                #expect(try stage.isNew && changes == stage.changes)
            } else {
                #expect(try stage.isOld && changes == Self.earlier, "\(call) \(number)")
            }
            #expect(try stage.folder.names() == ["changes.jsonl", "characters.plist", "trace"])
        }
    }
}
