// A log that grows by whole entries: what it keeps of the file that it is opened on, and which file it refuses.

import Foundation
import PipelineCore
import TestSupport
import Testing

@Suite("A file that is appended to") struct AppendOnlyFileTests {
    private func append(_ entry: String, _ folder: ScratchFolder, _ known: FileLocation.Status, count: Int) throws {
        let file = try AppendOnlyFile.opened(try FileLocation(folder.path("a")), known, count: count)
        try file.append(Array(entry.utf8).span)
    }

    @Test(arguments: 0...4)
    func `what comes after its whole entries gives way to the next one`(count: Int) throws {
        let folder = try ScratchFolder()
        try folder.write("abcd", to: "a")
        let known = try #require(FileLocation.status(ofPath: folder.path("a")))
        try append("next", folder, known, count: count)
        #expect(try folder.text("a") == "abcd".prefix(count) + "next")
    }

    @Test
    func `a file that has become shorter than what was read of it is another one, and stays`() throws {
        let folder = try ScratchFolder()
        try folder.write("abcd", to: "a")
        let known = try #require(FileLocation.status(ofPath: folder.path("a")))
        #expect { try append("next", folder, known, count: 5) } throws: {
            ($0 as? SystemError)?.isForeign == true
        }
        #expect(try folder.text("a") == "abcd")
    }

    @Test
    func `another file of the name stays`() throws {
        let folder = try ScratchFolder()
        try folder.write("abcd", to: "b")
        let known = try #require(FileLocation.status(ofPath: folder.path("b")))
        try folder.write("abcd", to: "a")
        #expect { try append("next", folder, known, count: 4) } throws: {
            ($0 as? SystemError)?.isForeign == true
        }
        #expect(try folder.text("a") == "abcd")
    }
}
