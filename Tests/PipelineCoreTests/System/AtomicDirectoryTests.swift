// A directory of castline's own files: what is removed in it, and what never is.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite struct AtomicDirectoryTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func write(_ text: String, to name: String, _ folder: ScratchFolder) throws {
        try AtomicDirectory(folder.path, isPrivate: false).write(name, Array(text.utf8).span)
    }

    @Test
    func `files appear under their names, and the folder of files in the making goes`() throws {
        for text in ["one", "two"] {
            try write(text, to: "ab/x", folder)
            try write(text, to: "y", folder)
            #expect(try folder.text("ab/x") == text)
            #expect(try folder.text("y") == text)
        }
        #expect(try AtomicDirectory(reading: folder.path).status(of: "cd/x") == nil)
        #expect(try folder.names() == ["ab", "y"])
    }

    @Test
    func `equal bytes stay and are marked as used, and what is replaced is told`() throws {
        let files = try AtomicDirectory(folder.path, isPrivate: false)
        #expect(try files.write("ab/x", Array("one".utf8).span, ifChanged: true) == nil)
        let first = try #require(FileLocation.status(ofPath: folder.path("ab/x")))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.path("ab/x"))
        #expect(try files.write("ab/x", Array("one".utf8).span, ifChanged: true) == nil)
        let second = try #require(FileLocation.status(ofPath: folder.path("ab/x")))
        #expect(second.isSameFile(as: first) && second.bytes == 3)
        #expect(abs(second.modifiedSeconds - Date().timeIntervalSince1970) < 600)
        #expect(try files.write("ab/x", Array("two".utf8).span, ifChanged: true) == second)
        #expect(try folder.text("ab/x") == "two")
    }

    @Test
    func `what killed runs have left is removed`() throws {
        try folder.makeFolder(".castline")
        try folder.write("part", to: ".castline/castline-0123456789abcdef")
        try write("one", to: "x", folder)
        #expect(try folder.names() == ["x"])
    }

    @Test(arguments: [
        "castline-0123456789abcde", "castline-0123456789abcdeF", "castline-0123456789abcdef0",
        "0123456789abcdef",
        ".hidden", "notes",
    ])
    func `a folder of that name that holds anything else is left alone`(name: String) throws {
        try folder.makeFolder(".castline")
        let names = [name, "castline-0123456789abcdef"].sorted()
        for name in names { try folder.write("mine", to: ".castline/\(name)") }
        #expect(systemError { try write("one", to: "x", folder) }?.isForeign == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".castline")).sorted() == names)
        #expect(try folder.names() == [".castline"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func `another user's folder is left alone`() throws {
        try folder.makeFolder(".castline")
        try folder.write("part", to: ".castline/castline-0123456789abcdef")
        try folder.setOwner(12, 34, of: ".castline")
        #expect(systemError { try write("one", to: "x", folder) }?.isForeign == true)
        #expect(FileManager.default.fileExists(atPath: folder.path(".castline/castline-0123456789abcdef")))
        // Some file systems give everything one owner.
        try folder.setOwner(12, 34, of: ".")
        try write("one", to: "x", folder)
        #expect(try folder.names() == ["x"])
    }

    @Test
    func `a symlink in the place of a folder isn't followed, not to write, to read or to remove`() throws {
        try folder.makeFolder("precious")
        try folder.write("mine", to: "precious/x")
        try folder.link("ab", to: "precious")
        let files = try AtomicDirectory(folder.path, isPrivate: false)
        #expect(systemError { try files.write("ab/x", [1].span) }?.isForeign == true)
        files.remove("ab/x")
        #expect(files.status(of: "ab/x") == nil)
        #expect(files.names(in: "ab").isEmpty)
        #expect(throws: SystemError.self) { _ = try files.contents("ab/x", limitBytes: 100) }
        #expect(try folder.text("precious/x") == "mine")
    }

    @Test(arguments: ["pipe", "link", "folder"])
    func `what is no file is neither replaced nor removed, and not waited for`(kind: String) throws {
        try folder.write("mine", to: "precious")
        switch kind {
        case "pipe": try folder.makePipe("x")
        case "link": try folder.link("x", to: "precious")
        default: try folder.makeFolder("x")
        }
        let files = try AtomicDirectory(folder.path, isPrivate: false)
        #expect(systemError { try files.write("x", [1].span) }?.isForeign == true)
        files.remove("x")
        #expect(try folder.names() == [".castline", "precious", "x"])
        #expect(try folder.text("precious") == "mine")
        if kind != "link" { #expect(throws: SystemError.self) { _ = try files.contents("x", limitBytes: 100) } }
    }
}

@Suite("Whole files") struct WholeFileTests {
    @Test(arguments: [
        (0, 0), (0, 5), (5, 5), (5, 4), (5000, 5000), (5000, 4999), (300_000, 300_000), (300_000, 299_999),
    ])
    func `are read to their ends, and not beyond a limit`(count: Int, limitBytes: Int) throws {
        let folder = try ScratchFolder()
        try folder.write(String(repeating: "x", count: count), to: "a")
        let path = folder.path("a")
        guard count <= limitBytes else {
            #expect(isTooLarge { _ = try Descriptor.contents(of: path, limitBytes: limitBytes, mayBeStream: true) })
            #expect(isTooLarge { _ = try Descriptor.contents(of: path, limitBytes: limitBytes) })
            return
        }
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: count)
        #expect(try Descriptor.contents(of: path, limitBytes: limitBytes, mayBeStream: true) == bytes)
        #expect(try Descriptor.contents(of: path, limitBytes: limitBytes) == bytes)
    }

    private func isTooLarge(_ read: () throws -> Void) -> Bool { systemError(read)?.isTooLarge == true }

    @Test(arguments: ["/proc/self/status", "/proc/version"])
    func `of which the system tells no size are read all the same`(path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { try Test.cancel("there is no \(path)") }
        #expect(try Descriptor.contents(of: path, limitBytes: 1 << 20).last == 0x0A)
        #expect(isTooLarge { _ = try Descriptor.contents(of: path, limitBytes: 3) })
    }

    @Test(arguments: [(3, 10), (6, 4), (7, 4)])
    func `lose what a failed write left, unless somebody else wrote too`(limit: Int, left: Int) throws {
        let folder = try ScratchFolder()
        let file = try Descriptor.writing(folder.path("a"))
        defer { file.closeUnchecked() }
        try file.writeAll(Array("0123456789".utf8).span)
        file.takeBack(to: 4, limit: limit)
        #expect(file.fileSize == left)
    }

    @Test
    func `without an end are cut at the limit, or refused where a file is meant`() throws {
        #expect(isTooLarge { _ = try Descriptor.contents(of: "/dev/zero", limitBytes: 100_000, mayBeStream: true) })
        for path in ["/dev/zero", "/dev/null", "/"] {
            #expect(throws: SystemError.self) { _ = try Descriptor.contents(of: path, limitBytes: 100) }
        }
    }
}
