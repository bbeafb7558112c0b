// Names of files as text: any bytes, and the same bytes again.

import PipelineCore
import TestSupport
import Testing

@Suite("Names of files as text") struct FileNameTests {
    private static func bytes(_ name: String) -> [UInt8] { name.fileBytes.map { UInt8(bitPattern: $0) } }

    /// Bytes that are UTF-8 here and there: letters of each length, cut, with others between them.
    private static func random(_ generator: inout SplitMix64) -> [UInt8] {
        let parts: [[UInt8]] = [
            Array("a/é€😀".utf8), Array("\u{10FF7F}\u{10FF80}\u{10FFFF}".utf8), [0xE9], [0xF4, 0x8F, 0xBE],
            [0xC0, 0xAF],
            [0xED, 0xA0, 0x80], [0xFF, 0x80], [1],
        ]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            let part = parts.randomElement(using: &generator) ?? []
            bytes += part.prefix(Int.random(in: 0...part.count, using: &generator))
        }
        return bytes
    }

    @Test func `go back to their bytes`() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let bytes = Self.random(&generator)
            let name = String(fileBytes: bytes)
            #expect(Self.bytes(name) == bytes + [0])
            #expect(name.asText == String(validating: bytes, as: UTF8.self), "\(bytes)")
            #expect(!name.displayedPath.unicodeScalars.contains { $0.value >= 0x10_FF80 })
        }
        for byte in UInt8(1)...0xFF { #expect(Self.bytes(String(fileBytes: [byte])) == [byte, 0]) }
    }

    @Test(arguments: [
        ("caf\u{E9}".utf8.map { $0 }, "caf\u{E9}", "caf\u{E9}"), ([0x63, 0xE9], nil, "c\u{FFFD}"),
        (Array("\u{10FFFF}".utf8), "\u{10FFFF}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ])
    func `are texts where they are UTF-8, and shown always`(bytes: [UInt8], text: String?, shown: String) {
        let name = String(fileBytes: bytes)
        #expect(name.asText == text && name.displayedPath == shown)
    }

    @Test func `name files of these bytes, and so do the names beside them`() throws {
        let folder = try ScratchFolder()
        let name = String(fileBytes: Array("a\n".utf8) + [UInt8](repeating: 0xE9, count: 240))
        var file = try AtomicFile.begin(folder.path(name))
        try file.append([1, 2].span)
        try file.commit()
        #expect(try Directory.names(folder.path).filter { !$0.hasPrefix(".") } == [name])
        #expect(try Descriptor.contents(of: folder.path(name), limitBytes: 9) == [1, 2])
        let location = try FileLocation(folder.path(name))
        let isLocked = if try FileLock.taken(location, waitSeconds: 0) == nil { false } else { true }
        #expect(isLocked)
        try location.backUp(suffix: "~")
        #expect(FileLocation.status(ofPath: folder.path(name + "~"))?.bytes == 2)
    }

    @Test func `are followed by links, made and listed as directories`() throws {
        let folder = try ScratchFolder()
        let name = String(fileBytes: [0xFF, 0x2F, 0xFE])
        try Directory.make(folder.path(name))
        let directory = try AtomicDirectory(folder.path(name), isPrivate: false)
        let file = String(fileBytes: [0x78, 0xC3])
        try directory.write(file, [7].span)
        #expect(directory.names() == [file])
        #expect(try directory.contents(file, limitBytes: 9).bytes == [7])
        #expect(try FileLocation.makeLink(folder.path(file), to: folder.path("\(name)/\(file)")))
        #expect(FileLocation.Status(folder.path(file), followsLink: false)?.bytes == 1)
    }
}
