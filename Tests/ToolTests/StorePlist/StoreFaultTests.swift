// A fault at every system call of a run, and a kill before each: strace lets the N-th call of a name fail, for every N. And
// a SIGKILL at any moment: the old file or the new one is there, whole, and the next run tidies up.

import Foundation
import TestSupport
import Testing

@Suite struct StoreFaultTests {
    private static let old = StoreKind.records("old", 12)
    private static let new = StoreKind.records("new", 14)

    private func run(_ kind: StoreKind, _ fault: String, _ folder: ScratchFolder) throws -> Int32? {
        try StoreFault.run(kind.arguments, fault, input: Self.new, folder)
    }

    @Test(arguments: StoreKind.allCases)
    func `where a call fails the run says so and the old file stays, or the new one is stored`(kind: StoreKind)
        throws
    {
        let (folder, old, new) = try kind.prepare(old: Self.old, new: Self.new)
        var faults = 0
        for (call, error) in StoreFault.calls {
            for number in 1...200 {
                try folder.write(old, to: "characters.plist")
                guard let status = try run(kind, "\(call):error=\(error):when=\(number)", folder) else { break }
                faults += 1
                let bytes = try folder.bytes("characters.plist")
                #expect(bytes == (status == 0 ? new : old), "status \(status) after \(call) \(number)")
            }
        }
        #expect(faults > 20)
        try kind.expectNoDebris(folder, old: Self.old)
    }

    @Test(arguments: StoreKind.allCases)
    func `a kill before any call leaves the old file or the new one`(kind: StoreKind) throws {
        let (folder, old, new) = try kind.prepare(old: Self.old, new: Self.new)
        var kills = 0
        for (call, _) in StoreFault.changingCalls {
            for number in 1...200 {
                try folder.write(old, to: "characters.plist")
                guard try run(kind, "\(call):signal=KILL:when=\(number)", folder) == 137 else { break }
                kills += 1
                let bytes = try folder.bytes("characters.plist")
                #expect(bytes == old || bytes == new, "a part of a file after \(call) \(number)")
            }
        }
        #expect(kills > 20)
        try kind.expectNoDebris(folder, old: Self.old)
    }

    @Test
    func `the new file is on the disk before it gets its name, and the name before the run ends`() throws {
        for kind in StoreKind.allCases {
            let (folder, _, _) = try kind.prepare(old: Self.old, new: Self.new)
            let run = try StoreFault.traced(
                ["trace=write,ftruncate,fsync,renameat,renameat2"], kind.arguments, input: Self.new, folder)
            #expect(run.status == 0)
            let calls = try folder.text("trace").split(separator: "\n").map(String.init)
            let isOfFile: (String) -> Bool = { $0.contains("characters.plist.castline-") }
            let written = try #require(calls.lastIndex { $0.hasPrefix("write") && isOfFile($0) })
            let kept = try #require(calls.firstIndex { $0.hasPrefix("fsync") && isOfFile($0) })
            let named = try #require(calls.firstIndex { $0.contains("\"characters.plist\")") })
            let settled = try #require(calls.lastIndex { $0.hasPrefix("fsync") && !isOfFile($0) })
            let told = try #require(calls.lastIndex { $0.hasPrefix("write(1<") })
            #expect(written < kept && kept < named && named < settled && settled < told, "\(calls)")
        }
    }

    @Test(arguments: ["xml", "binary", "jsonl"])
    func `with --verify a write that was lost without a word leaves the old file`(format: String) throws {
        let folder = try ScratchFolder()
        // More than one block, of which the first bytes are said to be written and are not.
        let records = StoreKind.records("new", 12_000)
        let old = Array("<plist><array/></plist>\n".utf8)
        try folder.write(old, to: "characters.plist")
        for number in 1...2 {
            let run = try StoreFault.traced(
                ["trace=write", "inject=write:retval=100:when=\(number)"], ["--verify", "--format", format],
                input: records, folder)
            #expect(try folder.text("trace").contains("(INJECTED)"))
            #expect(run.status == 74, "\(run.errors)")
            #expect(try folder.bytes("characters.plist") == old)
            #expect(try folder.names() == ["characters.plist", "trace"])
        }
    }

    @Test
    func `where a call fails in a run with a report, the old file stays or the status is 0`() throws {
        let (folder, old, new) = try StoreKind.xml.prepare(old: Self.old, new: Self.new)
        var faults = 0
        for (call, error) in [("write", "ENOSPC"), ("close", "EIO"), ("fcntl", "EMFILE"), ("fsync", "EIO")] {
            for number in 1...100 {
                try folder.write(old, to: "characters.plist")
                try folder.write([], to: "r.json")
                let fault = "\(call):error=\(error):when=\(number)"
                let status = try StoreFault.run(["--report=r.json"], fault, input: Self.new, folder)
                guard let status else { break }
                faults += 1
                let bytes = try folder.bytes("characters.plist")
                #expect(bytes == (status == 0 ? new : old), "status \(status) after \(call) \(number)")
                // What the report says is true, or it isn't there.
                let report = try folder.text("r.json")
                let isTrue = report.contains("\"exitStatus\":\(status),") && report.hasSuffix("}\n")
                #expect(isTrue && report.count { $0 == "\n" } == 1 || report.isEmpty && status != 0, "\(report)")
            }
        }
        #expect(faults > 5)
    }

    @Test
    func `a report that was written before the file couldn't be replaced is corrected`() throws {
        let (folder, old, _) = try StoreKind.xml.prepare(old: Self.old, new: Self.new)
        let run = try StoreFault.traced(
            ["inject=fsync:error=EIO:when=1"], ["--report=r.json"], input: Self.new, folder)
        #expect(run.status == 74)
        #expect(try folder.bytes("characters.plist") == old)
        let report = try folder.text("r.json")
        #expect(report.contains("\"exitStatus\":74,"))
        #expect(report.split(separator: "\n").count == 1 && !report.contains("receipt"))
    }

    @Test
    func `a signal that comes while the new file goes to the disk leaves the old one`() throws {
        let (folder, old, _) = try StoreKind.xml.prepare(old: Self.old, new: Self.new)
        #expect(try run(.xml, "fsync:signal=TERM:when=1", folder) == 143)
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == ["characters.plist", "trace"])
    }

    @Test
    func `a directory that can't be synchronized gets its old file back, or none`() throws {
        let (folder, old, new) = try StoreKind.xml.prepare(old: Self.old, new: Self.new)
        #expect(try run(.xml, "fsync:error=EIO:when=2", folder) == 74)
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == ["characters.plist", "trace"])
        try FileManager.default.removeItem(atPath: folder.path("characters.plist"))
        #expect(try run(.xml, "fsync:error=EIO:when=2", folder) == 74)
        #expect(try folder.names() == ["trace"])
        // Without a second name for the old file the new one stays, whole.
        try folder.write(old, to: "characters.plist")
        let run = try StoreFault.traced(
            ["inject=fsync:error=EIO:when=2", "inject=linkat:error=EPERM"], input: Self.new, folder)
        #expect(run.status == 74)
        #expect(try folder.bytes("characters.plist") == new)
        #expect(try folder.names() == ["characters.plist", "trace"])
    }
}

@Suite struct StoreKillTests {
    /// How often each way to store is killed in each of two directories, 500 times in all; `CASTLINE_KILLS=1000` looks
    /// longer.
    private static let kills = ProcessInfo.processInfo.environment["CASTLINE_KILLS"].flatMap { Int($0) } ?? 50

    @Test(arguments: StoreKind.allCases, [1, 2] as [UInt64])
    func `a killed run leaves the old file or the new one`(kind: StoreKind, seed: UInt64) throws {
        let inputs = ["one", "two"].map { StoreKind.records($0, 300) }
        let (folder, old, new) = try kind.prepare(old: inputs[0], new: inputs[1])
        var random = SystemRandomNumberGenerator()
        var longest = 0.05
        for round in 0..<Self.kills {
            let child = try ChildProcess("store-plist", kind.arguments, in: folder)
            child.write(inputs[(round + 1) % 2].utf8)
            child.closeInput()
            let start = ProcessInfo.processInfo.systemUptime
            // The moments are spread over as long as a run takes here and now.
            if child.finish(limitSeconds: Double.random(in: 0...longest * 1.1, using: &random)) {
                longest = max(ProcessInfo.processInfo.systemUptime - start, 0.001)
            } else {
                longest *= 1.1
            }
            let bytes = try folder.bytes("characters.plist")
            try #require(bytes == old || bytes == new, "a part of a file after round \(round)")
        }
        try kind.expectNoDebris(folder, old: inputs[0])
    }
}
