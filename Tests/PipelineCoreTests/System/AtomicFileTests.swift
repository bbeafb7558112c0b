// The promise of a replaced file: whole or not at all, by its old name, mode and symlink.

import Foundation
import PipelineCore
import TestSupport
import Testing

/// What the system's call that fails in it says.
func systemError(_ body: () throws -> Void) -> SystemError? {
    do { try body() } catch { return error as? SystemError }
    return nil
}

@Suite struct AtomicFileTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func store(_ text: String, at path: String) throws {
        var file = try AtomicFile.begin(path)
        try file.append(Array(text.utf8).span)
        try file.commit()
    }

    @Test
    func `a new file has the mode of any new file`() throws {
        try store("one", at: folder.path("a"))
        #expect(try folder.text("a") == "one")
        #expect(try folder.names() == ["a"])
        let mask = umask(0)
        umask(mask)
        #expect(FileLocation.status(ofPath: folder.path("a"))?.mode == UInt32(0o666 & ~mask))
    }

    @Test(arguments: [0o600, 0o640, 0o444, 0o755] as [UInt32])
    func `the old file's mode is kept`(mode: UInt32) throws {
        try folder.write("old", to: "a")
        try folder.setMode(mode, of: "a")
        try store("new", at: folder.path("a"))
        #expect(FileLocation.status(ofPath: folder.path("a"))?.mode == mode)
        #expect(try folder.text("a") == "new")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"), arguments: [12, geteuid()])
    func `the old file's owner and group are kept`(user: UInt32) throws {
        try folder.write("old", to: "a")
        try folder.setOwner(user, 34, of: "a")
        try store("new", at: folder.path("a"))
        let status = FileLocation.status(ofPath: folder.path("a"))
        #expect(status?.user == user)
        #expect(status?.group == 34)
    }

    @Test(arguments: ["target", "sub/target", "./x/../sub/target"])
    func `a symlink stays, and what it leads to is replaced`(target: String) throws {
        for name in ["sub", "x"] { try folder.makeFolder(name) }
        try folder.link("one", to: target)
        try folder.link("two", to: folder.path("one"))
        for text in ["first", "second"] {
            try store(text, at: folder.path("two"))
            #expect(try folder.text(target) == text)
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("one")) == target)
        #expect(
            try folder.names()
                == (target == "target" ? ["one", "sub", "target", "two", "x"] : ["one", "sub", "two", "x"]))
    }

    @Test
    func `symlinks in a ring are refused`() throws {
        try folder.link("a", to: "b")
        try folder.link("b", to: "a")
        #expect(systemError { try store("x", at: folder.path("a")) }?.code == ELOOP)
    }

    @Test
    func `what is discarded or forgotten leaves nothing`() throws {
        try folder.write("old", to: "a")
        do {
            var file = try AtomicFile.begin(folder.path("a"))
            try file.append([1, 2, 3].span)
            #expect(try folder.names().count == 2)
            file.discard()
            #expect(try folder.names() == ["a"])
            let forgotten = try AtomicFile.begin(folder.path("a"))
            #expect(try folder.names().count == 2)
            _ = consume forgotten
        }
        #expect(try folder.names() == ["a"])
        #expect(try folder.text("a") == "old")
    }

    @Test
    func `the file in the making is its owner's alone`() throws {
        let file = try AtomicFile.begin(folder.path("a"))
        let name = try #require(try folder.names().first)
        #expect(name.hasPrefix(".a.castline-"))
        #expect(FileLocation.status(ofPath: folder.path(name))?.mode == 0o600)
        _ = consume file
    }

    @Test(arguments: [(0, 0), (1, 1), (300_000, 300_000), (300_000, 299_999)])
    func `equal bytes are told from others`(oldCount: Int, newCount: Int) throws {
        try folder.write(String(repeating: "x", count: oldCount), to: "a")
        var file = try AtomicFile.begin(folder.path("a"))
        try file.append(Array(repeating: UInt8(ascii: "x"), count: newCount).span)
        #expect(try file.equalsExisting() == (oldCount == newCount))
        var other = try AtomicFile.begin(folder.path("a"))
        try other.append(Array(repeating: UInt8(ascii: "x"), count: max(newCount - 1, 0)).span)
        try other.append(Array(repeating: UInt8(ascii: "y"), count: min(newCount, 1)).span)
        #expect(try other.equalsExisting() == (oldCount == 0 && newCount == 0))
        file.discard()
        other.discard()
    }

    @Test(arguments: [("missing/a", ENOENT), ("file/a", ENOTDIR), ("", EISDIR), ("folder", EISDIR)])
    func `places that can't be written are errors of the call`(name: String, code: Int32) throws {
        try folder.write("", to: "file")
        try folder.makeFolder("folder")
        #expect(systemError { try store("x", at: folder.path(name)) }?.code == code)
    }

    @Test
    func `what a killed run has left is removed, and neither a file in the making nor a new one`() throws {
        let busy = try AtomicFile.begin(folder.path("a"))
        let busyName = try #require(try folder.names().first)
        let (old, new) = (".a.castline-0123456789abcdef", ".a.castline-fedcba9876543210")
        for name in [old, new] { try folder.write("part", to: name) }
        for name in [busyName, old] {
            let longAgo = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -3600)]
            try FileManager.default.setAttributes(longAgo, ofItemAtPath: folder.path(name))
        }
        try FileLocation(folder.path("a")).removeAbandoned()
        #expect(try folder.names() == [busyName, new].sorted())
        _ = consume busy
    }

    @Test
    func `a FIFO is written as a stream`() async throws {
        try folder.makePipe("p")
        let reader = Thread { [path = folder.path("p"), copy = folder.path("copy")] in
            let data = FileHandle(forReadingAtPath: path)?.readDataToEndOfFile()
            _ = FileManager.default.createFile(atPath: copy, contents: data)
            _ = FileManager.default.createFile(atPath: copy + ".done", contents: nil)
        }
        reader.start()
        try store("through", at: folder.path("p"))
        for _ in 0..<500 where !FileManager.default.fileExists(atPath: folder.path("copy.done")) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try folder.text("copy") == "through")
        #expect(FileLocation.status(ofPath: folder.path("p"))?.isRegular == false)
    }
}

@Suite struct FileLockTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func isFree(_ place: FileLocation) throws -> Bool {
        guard let lock = try FileLock.taken(place, waitSeconds: 0) else { return false }
        _ = consume lock
        return true
    }

    @Test
    func `one holds the lock, and letting go removes it`() throws {
        let place = try FileLocation(folder.path("a"))
        let first = try FileLock.taken(place, waitSeconds: 0)
        #expect(try folder.names() == [".a.lock"])
        #expect(try !isFree(place))
        _ = consume first
        #expect(try folder.names() == [])
        #expect(try isFree(place))
    }

    @Test(arguments: ["x", "é"])
    func `a file with the longest name that there may be is locked and replaced`(letter: String) throws {
        let name = String(repeating: letter, count: 255 / letter.utf8.count)
        let place = try FileLocation(folder.path(name))
        let lock = try FileLock.taken(place, waitSeconds: 0)
        #expect(try folder.names().count == 1 && !isFree(place))
        var file = try AtomicFile.begin(place)
        try file.append([1].span)
        try file.commit()
        _ = consume lock
        #expect(try folder.names() == [name])
    }

    @Test
    func `a lock file that nobody holds is no lock`() throws {
        try folder.write("", to: ".a.lock")
        #expect(try isFree(try FileLocation(folder.path("a"))))
    }

    @Test(arguments: 0..<5)
    func `what has the lock's name and isn't empty, or no file, is left alone`(kind: Int) throws {
        try folder.write("mine", to: "precious")
        switch kind {
        case 0: try folder.write("mine", to: ".a.lock")
        case 1: try folder.link(".a.lock", to: "precious")
        case 2: try folder.makePipe(".a.lock")
        case 3: try folder.makeFolder(".a.lock")
        default:
            try folder.write("", to: "empty")
            try FileManager.default.linkItem(atPath: folder.path("empty"), toPath: folder.path(".a.lock"))
        }
        let names = try folder.names()
        let mode = FileLocation.Status(folder.path(".a.lock"), followsLink: false)?.mode
        #expect(systemError { _ = try isFree(try FileLocation(folder.path("a"))) }?.isForeign == true)
        #expect(try folder.names() == names)
        #expect(FileLocation.Status(folder.path(".a.lock"), followsLink: false)?.mode == mode)
    }

    @Test(arguments: [true, false])
    func `a lock that somebody has written to, or put another file in the place of, stays`(isWritten: Bool) throws {
        let lock = try FileLock.taken(try FileLocation(folder.path("a")), waitSeconds: 0)
        if !isWritten { try FileManager.default.removeItem(atPath: folder.path(".a.lock")) }
        let handle = isWritten ? FileHandle(forWritingAtPath: folder.path(".a.lock")) : nil
        if let handle {
            try handle.write(contentsOf: Data("mine".utf8))
        } else {
            try folder.write("mine", to: ".a.lock")
        }
        _ = consume lock
        #expect(try folder.text(".a.lock") == "mine")
    }

    @Test
    func `who holds the lock removes what killed runs have left, and nothing else`() throws {
        let stale = [".a.castline-0123456789abcdef", ".a.castline-ffffffffffffffff"]
        let others = [
            ".a.castline-0123", ".a.castline-0123456789abcdeg", ".b.castline-0123456789abcdef", "a",
            "a.castline-0123456789abcdef",
        ]
        for name in stale + others { try folder.write("", to: name) }
        try folder.link(".a.castline-0000000000000000", to: "a")
        let place = try FileLocation(folder.path("a"))
        guard let lock = try FileLock.taken(place, waitSeconds: 0) else {
            Issue.record("nobody else holds the lock")
            return
        }
        #expect(try folder.names() == (others + [".a.castline-0000000000000000", ".a.lock"]).sorted())
        _ = consume lock
    }
}

@Suite("A file that is appended to") struct AppendedFileTests {
    private func append(_ entry: String, _ folder: ScratchFolder, _ known: FileLocation.Status, count: Int) throws {
        let file = try FileLocation(folder.path("a")).appending(to: known, count: count)
        try file.writeAll(Array(entry.utf8).span)
        try file.close()
    }

    @Test(arguments: 0...4)
    func `what comes after its whole entries gives way to the next one`(count: Int) throws {
        let folder = try ScratchFolder()
        try folder.write("abcd", to: "a")
        let known = try #require(FileLocation.status(ofPath: folder.path("a")))
        try append("next", folder, known, count: count)
        #expect(try folder.text("a") == "abcd".prefix(count) + "next")
    }

    @Test(arguments: [("a", 5), ("b", 4)])
    func `a file that has become shorter than what was read of it is another one, which stays`(
        read: String, count: Int
    ) throws {
        let folder = try ScratchFolder()
        for name in ["a", "b"] { try folder.write("abcd", to: name) }
        let known = try #require(FileLocation.status(ofPath: folder.path(read)))
        #expect(systemError { try append("next", folder, known, count: count) }?.isForeign == true)
        #expect(try folder.text("a") == "abcd")
    }
}
