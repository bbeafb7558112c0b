// The promise of store-plist: the old file or the new one, whatever happens.

import Foundation
import Testing

@Suite struct StoreSafetyTests {
    private static let old = records("old", 10)

    private static func records(_ name: String, _ count: Int) -> String {
        (0..<count).map { "{\"id\":\($0),\"name\":\"\(name)\",\"films\":[\"one\",\"two\"]}\n" }.joined()
    }

    private func folderWithStore() throws -> (ScratchFolder, [UInt8]) {
        let folder = try ScratchFolder()
        #expect(try Session("store-plist", input: Self.old.utf8, folder: folder).status == 0)
        return (folder, try folder.bytes("characters.plist"))
    }

    @Test(
        "where no file can be created it is 73",
        arguments: ["missing/a.plist", "/proc/a.plist", "folder", "characters.plist/a", "folder/"])
    func cannotCreate(path: String) throws {
        let (folder, old) = try folderWithStore()
        try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: true)
        let run = try Session("store-plist", [path], input: Self.old.utf8, folder: folder)
        #expect(run.status == 73)
        #expect(run.text == "")
        #expect(try folder.bytes("characters.plist") == old)
    }

    @Test("a directory that may not be written is 73", .enabled(if: geteuid() != 0, "root may write everywhere"))
    func readOnlyDirectory() throws {
        let (folder, old) = try folderWithStore()
        let script = "chmod 555 . && store-plist; status=$?; chmod 755 .; exit $status"
        #expect(try Session.script(script, input: Self.old.utf8, folder: folder).status == 73)
        #expect(try folder.bytes("characters.plist") == old)
    }

    @Test(
        "a file that may not grow, and a stdout that takes nothing, are 74 and leave the old file",
        arguments: ["ulimit -f 64; store-plist", "store-plist > /dev/full"])
    func cannotWrite(script: String) throws {
        let (folder, old) = try folderWithStore()
        let run = try Session.script(script, input: Self.records("new", 20_000).utf8, folder: folder)
        #expect(run.status == 74)
        #expect(run.errors.contains("characters.plist is as it was"))
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("a device that is full is 74")
    func fullDevice() throws {
        #expect(try Session("store-plist", ["/dev/full"], input: Self.old.utf8).status == 74)
    }

    @Test("a full disk is 74 and leaves the old file")
    func fullDisk() throws {
        let folder = try ScratchFolder()
        let script = """
            mkdir disk && mount -t tmpfs -o size=256k tmpfs disk 2>/dev/null || exit 99
            trap 'umount disk' EXIT
            head -n 10 | store-plist disk/a.plist && cp disk/a.plist old.plist || exit 98
            yes '{"name":"new"}' | head -n 20000 | store-plist disk/a.plist
            status=$?
            cmp disk/a.plist old.plist && [ "$(ls -A disk)" = a.plist ] && exit $status
            """
        let run = try Session.script(script, input: Self.old.utf8, folder: folder)
        if run.status == 99 { try Test.cancel("a file system can be mounted by root only") }
        #expect(run.status == 74)
        #expect(run.errors.contains("no space left on device"))
    }

    @Test("a closed stdout ends the run quietly, and the old file stays")
    func closedOutput() throws {
        let (folder, old) = try folderWithStore()
        let run = try Session.script(
            "{ sleep 0.3; cat; } | store-plist | true; exit ${PIPESTATUS[1]}", input: Self.records("new", 5).utf8,
            folder: folder)
        #expect(run.status == 141)
        #expect(run.errors == "")
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == ["characters.plist"])
    }

    /// How often the tool is killed; `CASTLINE_KILLS=5000 swift test --filter kill` looks longer.
    private static let kills = ProcessInfo.processInfo.environment["CASTLINE_KILLS"].flatMap { Int($0) } ?? 60

    @Test("after a kill at any moment the old file or the new one is there, whole, and the next run tidies up")
    func kill() throws {
        let folder = try ScratchFolder()
        let inputs = ["one", "two"].map { Self.records($0, 4000) }
        var whole: [[UInt8]] = []
        for input in inputs {
            #expect(try Session("store-plist", input: input.utf8, folder: folder).status == 0)
            whole.append(try folder.bytes("characters.plist"))
        }
        var seen: Set<Int> = []
        for round in 0..<Self.kills {
            let child = try ChildProcess(
                Executables.path("store-plist"), [], environment: Session.environment(folder), folder: folder.path)
            child.write(inputs[round % 2].utf8)
            child.closeInput()
            _ = child.finish(limitSeconds: Double.random(in: 0.001...0.12))
            let bytes = try folder.bytes("characters.plist")
            let version = try #require(whole.firstIndex(of: bytes), "a part of a file after round \(round)")
            seen.insert(version)
        }
        #expect(!seen.isEmpty)
        #expect(try Session("store-plist", input: inputs[0].utf8, folder: folder).status == 0)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test(
        "signals end the run, leave the old file and nothing else",
        arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func signals(signal: Int32, status: Int32) throws {
        let (folder, old) = try folderWithStore()
        let child = try ChildProcess(
            Executables.path("store-plist"), [], environment: Session.environment(folder), folder: folder.path)
        child.write(Self.records("new", 20_000).utf8)
        for _ in 0..<3000 where try folder.names().count < 3 {
            _ = child.line(limitSeconds: 0.01)
        }
        #expect(try folder.names().count == 3)
        child.signal(signal)
        #expect(child.finish(limitSeconds: 10))
        #expect(child.status == status)
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("of two runs at a time the second is told to come again, or waits")
    func twoRuns() throws {
        let (folder, _) = try folderWithStore()
        let first = try ChildProcess(
            Executables.path("store-plist"), [], environment: Session.environment(folder), folder: folder.path)
        first.write(Self.records("first", 10).utf8)
        for _ in 0..<3000 where try !folder.names().contains(".characters.plist.lock") {
            _ = first.line(limitSeconds: 0.01)
        }
        let second = try Session("store-plist", input: Self.old.utf8, folder: folder)
        #expect(second.status == 75)
        #expect(second.errors.contains("--wait"))
        #expect(try Session("store-plist", ["--wait=0.2"], input: Self.old.utf8, folder: folder).status == 75)
        let third = try ChildProcess(
            Executables.path("store-plist"), ["--wait", "30"], environment: Session.environment(folder),
            folder: folder.path)
        third.write(Self.records("third", 10).utf8)
        third.closeInput()
        first.closeInput()
        #expect(first.finish(limitSeconds: 30))
        #expect(third.finish(limitSeconds: 30))
        #expect(first.status == 0)
        #expect(third.status == 0)
        #expect(try folder.text("characters.plist").contains("<string>third</string>"))
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("what a killed run left is removed by the next one, but not while a run is busy")
    func debris() throws {
        let (folder, _) = try folderWithStore()
        let name = ".characters.plist.castline-0123456789abcdef"
        try folder.write("part".utf8, to: name)
        #expect(try Session("store-plist", input: Self.old.utf8, folder: folder).status == 0)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("a symlink stays one, and the mode of what it leads to stays")
    func symlink() throws {
        let folder = try ScratchFolder()
        let script = """
            mkdir data && printf '{"a":1}' | store-plist data/real.plist && chmod 640 data/real.plist
            ln -s data/real.plist link.plist && printf '{"a":2}' | store-plist link.plist
            [ -L link.plist ] && [ "$(ls -A data)" = real.plist ] && ls -l data/real.plist && grep -c '>2<' data/real.plist
            """
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0)
        #expect(run.lines.suffix(2).first?.hasPrefix("-rw-r-----") == true)
        #expect(run.lines.last == "1")
    }

    @Test("a FIFO is a plain stream")
    func fifo() throws {
        let folder = try ScratchFolder()
        let script =
            "mkfifo p && { cat p > copy & } && printf '{\"a\":1}' | store-plist p && wait && cat copy && [ -p p ]"
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0)
        #expect(run.text.hasSuffix("</array>\n</plist>\n"))
    }
}
