// store-plist as its users call it: what is stored, what the receipt says, how a run ends.

import Foundation
import TestSupport
import Testing

@Suite struct StoreTests {
    private static let two = "{\"name\":\"Mick\"}\n{\"name\":\"Minnie\"}\n"

    private func names(_ folder: ScratchFolder, _ file: String = "characters.plist") throws -> [String] {
        let root = try unsafe PropertyListSerialization.propertyList(
            from: Data(try folder.bytes(file)), format: nil)
        return (root as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? ["not an array of dictionaries"]
    }

    @Test
    func `- is stdout, without a receipt`() throws {
        let folder = try ScratchFolder()
        let run = try Session("store-plist", ["-"], input: Self.two.utf8, folder: folder)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("<?xml"))
        #expect(run.text.hasSuffix("</array>\n</plist>\n"))
        #expect(try folder.names() == [])
    }

    @Test
    func `an unchanged result does not rewrite the file`() throws {
        let folder = try ScratchFolder()
        _ = try Session("store-plist", input: Self.two.utf8, folder: folder)
        let before = try FileManager.default.attributesOfItem(atPath: folder.path("characters.plist"))
        let run = try Session("store-plist", input: Self.two.utf8, folder: folder)
        let after = try FileManager.default.attributesOfItem(atPath: folder.path("characters.plist"))
        #expect(run.text.hasSuffix(#""written":false}"# + "\n"))
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test(arguments: ["", "\n", "{\"$seal\":{\"complete\":true}}\n"])
    func `no records never replace a store that has some`(input: String) throws {
        let folder = try ScratchFolder()
        #expect(try Session("store-plist", input: input.utf8, folder: folder).status == 0)
        #expect(try Session("store-plist", input: input.utf8, folder: folder).status == 0)
        _ = try Session("store-plist", input: Self.two.utf8, folder: folder)
        let run = try Session("store-plist", input: input.utf8, folder: folder)
        #expect(run.status == 65)
        #expect(run.errors.contains("--allow-empty"))
        #expect(try names(folder) == ["Mick", "Minnie"])
        #expect(try Session("store-plist", ["--allow-empty"], input: input.utf8, folder: folder).status == 0)
        #expect(try names(folder) == [])
    }
}
