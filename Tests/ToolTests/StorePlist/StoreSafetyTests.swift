// The promise of store-plist: the old file or the new one, whatever happens.

import Foundation
import TestSupport
import Testing

@Suite struct StoreSafetyTests {
    private static let old = StoreKind.records("old", 10)

    private func folderWithStore() throws -> (ScratchFolder, [UInt8]) {
        let folder = try ScratchFolder()
        #expect(try Session("store-plist", input: Self.old.utf8, folder: folder).status == 0)
        return (folder, try folder.bytes("characters.plist"))
    }

    @Test(arguments: ["missing/a.plist", "/proc/a.plist", "folder", "characters.plist/a", "folder/"])
    func `where no file can be created it is 73`(path: String) throws {
        let (folder, old) = try folderWithStore()
        try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: true)
        let run = try Session("store-plist", [path], input: Self.old.utf8, folder: folder)
        #expect(run.status == 73)
        #expect(run.text == "")
        #expect(try folder.bytes("characters.plist") == old)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `a directory that may not be written is 73`() throws {
        let (folder, old) = try folderWithStore()
        let script = "chmod 555 . && store-plist; status=$?; chmod 755 .; exit $status"
        #expect(try Session.script(script, input: Self.old.utf8, folder: folder).status == 73)
        #expect(try folder.bytes("characters.plist") == old)
    }

    @Test(arguments: ["ulimit -f 64; store-plist", "store-plist > /dev/full"])
    func `a file that may not grow, and a stdout that takes nothing, are 74 and leave the old file`(script: String)
        throws
    {
        let (folder, old) = try folderWithStore()
        let run = try Session.script(script, input: StoreKind.records("new", 20_000).utf8, folder: folder)
        #expect(run.status == 74)
        #expect(run.errors.contains("characters.plist is unchanged"))
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test
    func `a report that can't be written is 74 and leaves the old file`() throws {
        let (folder, old) = try folderWithStore()
        let run = try Session("store-plist", ["--report=/dev/full"], input: "{}\n".utf8, folder: folder)
        #expect(run.status == 74 && run.text == "")
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == ["characters.plist"])
    }

    /// Runs a script that mounts a file system, in a namespace of its own, where that is gone afterwards.
    private func mounting(_ script: String, _ folder: ScratchFolder) throws -> Session {
        let arguments = geteuid() == 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
        let run = try Session(
            "/usr/bin/env", ["unshare"] + arguments + ["/bin/bash", "-c", script], input: Self.old.utf8,
            folder: folder)
        if run.status == 127 || run.errors.hasPrefix("unshare:") {
            try Test.cancel("there are no namespaces here")
        }
        return run
    }

    @Test(
        arguments: [
            (
                "mount -o remount,ro disk || exit 99; echo '{}' | store-plist disk/a.plist", 73,
                "read-only file system"
            ), (#"yes '{"name":"new"}' | head -n 20000 | store-plist disk/a.plist"#, 74, "no space left on device"),
        ], ["xml", "jsonl"])
    func `a disk that is full or may not be written leaves the old file`(
        _ row: (command: String, status: Int32, message: String), format: String
    ) throws {
        let (command, status, message) = row
        let script = """
            mkdir disk && mount -t tmpfs -o size=256k tmpfs disk 2>/dev/null || exit 99
            head -n 10 | store-plist --format \(format) disk/a.plist && cp disk/a.plist old.plist || exit 98
            \(command)
            status=$?
            cmp disk/a.plist old.plist && [ "$(ls -A disk)" = a.plist ] && exit $status
            """
        let run = try mounting(script, ScratchFolder())
        if run.status == 99 { try Test.cancel("no file system can be mounted here") }
        #expect(run.status == status)
        #expect(run.errors.contains(message))
    }

    @Test
    func `a closed stdout ends the run quietly, and the old file stays`() throws {
        let (folder, old) = try folderWithStore()
        let run = try Session.script(
            """
            mkfifo closed
            { read -r _ <closed; cat; } | store-plist | { exec <&-; echo >closed; }
            status=${PIPESTATUS[1]}; rm closed; exit $status
            """, input: StoreKind.records("new", 5).utf8, folder: folder)
        #expect(run.status == 141)
        #expect(run.errors == "")
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)], StoreKind.allCases)
    func `signals end the run, leave the old file and nothing else`(
        _ row: (signal: Int32, status: Int32), kind: StoreKind
    ) throws {
        let (folder, old, _) = try kind.prepare(old: Self.old, new: StoreKind.records("new", 10))
        let names = try folder.names()
        let child = try ChildProcess("store-plist", kind.arguments, in: folder)
        child.write(StoreKind.records("newer", 5000).utf8)
        for _ in 0..<3000 where try folder.names().count < names.count + 2 {
            _ = child.line(limitSeconds: 0.01)
        }
        #expect(try folder.names().count == names.count + 2)
        child.signal(row.signal)
        #expect(child.finish(limitSeconds: 10))
        #expect(child.status == row.status)
        #expect(try folder.bytes("characters.plist") == old)
        #expect(try folder.names() == names)
    }

    @Test(arguments: ["kill -TERM $pid", "kill -TERM $pid; kill -INT $pid"])
    func `once the new file is there the run has succeeded, whatever signals come while the receipt waits`(
        kill: String
    ) throws {
        let folder = try ScratchFolder()
        // A pipe that is full takes no receipt.
        let script = """
            mkfifo full && exec 3<>full && head -c 65536 /dev/zero >&3
            store-plist <records >&3 & pid=$!
            for i in {1..1000}; do [ -e characters.plist ] && break; sleep 0.02; done
            \(kill); wait $pid
            """
        try folder.write(Self.old.utf8, to: "records")
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(try folder.names() == ["characters.plist", "full", "records"])
    }

    @Test
    func `an upstream that failed, or ended half-way, leaves the old file`() throws {
        let (folder, old) = try folderWithStore()
        for script in [
            "false | store-plist", "false | store-plist --sealed", "head -c 200 | store-plist",
            "head -n 5 | store-plist --sealed", "{ head -n 5; false; } | store-plist --min-records=10",
            "{ head -n 5; echo '{\"$seal\":{\"records\":5,\"complete\":false}}'; } | store-plist --sealed",
        ] {
            let run = try Session.script(script, input: StoreKind.records("new", 10).utf8, folder: folder)
            #expect(run.status == 65, "\(script)")
            #expect(run.text == "")
            #expect(try folder.bytes("characters.plist") == old)
            #expect(try folder.names() == ["characters.plist"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `wherever a file may not grow any more the old one stays`(kind: StoreKind) throws {
        let (folder, old, new) = try kind.prepare(old: Self.old, new: StoreKind.records("new", 600))
        let names = try folder.names()
        let script = "ulimit -f $LIMIT; store-plist \(kind.arguments.joined(separator: " "))"
        var stored = 0
        for limit in stride(from: 0, through: new.count / 1024 + 8, by: max(new.count / 8192, 1)) {
            let run = try Session.script(
                script, input: StoreKind.records("new", 600).utf8, environment: ["LIMIT": "\(limit)"],
                folder: folder)
            #expect(run.status == 0 || run.status == 74)
            #expect(try folder.bytes("characters.plist") == (run.status == 0 ? new : old))
            #expect(try folder.names() == names)
            if run.status == 0 { stored += 1 }
            try folder.write(old, to: "characters.plist")
        }
        #expect(stored > 0)
    }

    @Test(arguments: ["xml", "binary", "jsonl"])
    func `a stdout that takes a little at a time gets all`(format: String) throws {
        let folder = try ScratchFolder()
        let script = """
            import fcntl, os, subprocess, sys, time
            reading, writing = os.pipe()
            fcntl.fcntl(writing, 1031, 4096)
            fcntl.fcntl(writing, fcntl.F_SETFL, os.O_NONBLOCK)
            child = subprocess.Popen(["store-plist", "--format=\(format)", "-"], stdout=writing)
            os.close(writing)
            with open("got", "wb") as got:
                while piece := os.read(reading, 1000): got.write(piece)
            sys.exit(child.wait())
            """
        let input = StoreKind.records("new", 3000)
        let run = try Session("/usr/bin/env", ["python3", "-c", script], input: input.utf8, folder: folder)
        if run.status == 127 { try Test.cancel("there is no python3") }
        #expect(run.status == 0)
        #expect(run.errors == "")
        _ = try Session("store-plist", ["--format", format], input: input.utf8, folder: folder)
        #expect(try folder.bytes("got") == folder.bytes("characters.plist"))
    }

    @Test(arguments: ["xml", "binary", "jsonl"])
    func `of two runs at a time the second is told to come again, or waits`(format: String) throws {
        let folder = try ScratchFolder()
        let made = try Session("store-plist", ["--format", format], input: Self.old.utf8, folder: folder)
        #expect(made.status == 0)
        let first = try ChildProcess("store-plist", [], in: folder)
        first.write(StoreKind.records("first", 10).utf8)
        for _ in 0..<3000 where try !folder.names().contains(".characters.plist.lock") {
            _ = first.line(limitSeconds: 0.01)
        }
        let second = try Session("store-plist", input: Self.old.utf8, folder: folder)
        #expect(second.status == 75)
        #expect(second.errors.contains("--wait"))
        #expect(try Session("store-plist", ["--wait=0.2"], input: Self.old.utf8, folder: folder).status == 75)
        let third = try ChildProcess("store-plist", ["--wait", "30"], in: folder)
        third.write(StoreKind.records("third", 10).utf8)
        third.closeInput()
        first.closeInput()
        #expect(first.finish(limitSeconds: 30))
        #expect(third.finish(limitSeconds: 30))
        #expect(first.status == 0)
        #expect(third.status == 0)
        #expect(try folder.loaded().first?.contains("third 0") == true)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test(arguments: ["--verify", "--backup=.old", "--mode=append"])
    func `what can't be done to a stream is 64`(option: String) throws {
        let run = try Session.script("mkfifo p && store-plist \(option) p", input: Self.old.utf8)
        #expect(run.status == 64)
        #expect(run.errors.contains("is a stream"))
        #expect(try Session("store-plist", ["/dev/null", option], input: Self.old.utf8).status == 64)
    }
}
