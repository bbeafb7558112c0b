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

    @Test("records go to characters.plist, and a receipt to stdout")
    func receipt() throws {
        let folder = try ScratchFolder()
        let run = try Session("store-plist", input: Self.two.utf8, folder: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        let bytes = try folder.bytes("characters.plist").count
        #expect(
            run.text
                == #"{"stored":"characters.plist","format":"xml","records":2,"bytes":\#(bytes),"written":true}"#
                + "\n")
        #expect(try names(folder) == ["Mick", "Minnie"])
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("the receipt quotes the file's name as JSON does")
    func quotedName() throws {
        let folder = try ScratchFolder()
        let run = try Session("store-plist", ["a \"b\".plist"], input: Self.two.utf8, folder: folder)
        #expect(run.text.hasPrefix(#"{"stored":"a \"b\".plist","#))
    }

    @Test("- is stdout, without a receipt")
    func standardOutput() throws {
        let folder = try ScratchFolder()
        let run = try Session("store-plist", ["-"], input: Self.two.utf8, folder: folder)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("<?xml"))
        #expect(run.text.hasSuffix("</array>\n</plist>\n"))
        #expect(try folder.names() == [])
    }

    @Test("an unchanged result does not rewrite the file")
    func unchanged() throws {
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

    @Test("blank lines, a byte order mark, CRLF and a missing last line end are no records and no faults")
    func lineForms() throws {
        let folder = try ScratchFolder()
        let input = "\u{FEFF}{\"name\":\"a\"}\r\n\r\n \t\n\n{\"name\":\"b\"}"
        let run = try Session("store-plist", input: input.utf8, folder: folder)
        #expect(run.status == 0)
        #expect(run.text.contains(#""records":2"#))
        #expect(try names(folder) == ["a", "b"])
    }

    @Test("a seal is never stored")
    func seal() throws {
        let folder = try ScratchFolder()
        let input = Self.two + "{\"$seal\":{\"records\":2,\"complete\":true}}\n"
        #expect(try Session("store-plist", input: input.utf8, folder: folder).text.contains(#""records":2"#))
        #expect(try names(folder) == ["Mick", "Minnie"])
    }

    @Test(
        "a bad line stops the run, and the old file stays",
        arguments: [
            ("{\"name\":\"a\"}\n{\"name\" 1}\n", "<stdin>:2:9: expected ':' after a member name"),
            ("{\"a\":[1,null]}\n", "<stdin>:1:9: $.a[1]: a property list has no null"),
            ("{\"a\":{\"b\":1e400}}\n", "<stdin>:1:11: $.a.b: the number is too large for a real"),
            ("{\"a\":18446744073709551616}", "<stdin>:1:6: $.a: the integer has more than 64 bits"),
            ("{\"a\":\"\\u0001\"}", "<stdin>:1:6: $.a: XML can't hold U+0001"),
            ("[]\n", "<stdin>:1:1: expected a record"),
        ])
    func badLine(input: String, message: String) throws {
        let folder = try ScratchFolder()
        _ = try Session("store-plist", input: Self.two.utf8, folder: folder)
        let run = try Session("store-plist", input: input.utf8, folder: folder)
        #expect(run.status == 65)
        #expect(run.text == "")
        #expect(run.errors.hasPrefix("store-plist: " + message))
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
        #expect(try names(folder) == ["Mick", "Minnie"])
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("--on-bad-line=skip stores the rest, counts it and ends with 0")
    func skip() throws {
        let folder = try ScratchFolder()
        let input = "{\"name\":\"a\"}\nnonsense\n{\"name\":[null]}\n{\"name\":\"b\"}\n"
        let run = try Session("store-plist", ["--on-bad-line=skip"], input: input.utf8, folder: folder)
        #expect(run.status == 0)
        #expect(run.text.contains(#""records":2,"skipped":2"#))
        #expect(run.errors.filter { $0 == "\n" }.count == 2)
        #expect(try names(folder) == ["a", "b"])
    }

    @Test("a line over --max-line is a bad line")
    func longLine() throws {
        let folder = try ScratchFolder()
        let run = try Session(
            "store-plist", ["--max-line=16"], input: "{\"name\":\"0123456789\"}\n".utf8, folder: folder)
        #expect(run.status == 65)
        #expect(run.errors.contains("<stdin>:1:17: expected a line of at most 16 bytes"))
    }

    @Test(
        "no records never replace a store that has some",
        arguments: ["", "\n", "{\"$seal\":{\"complete\":true}}\n"])
    func empty(input: String) throws {
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

    @Test("a file that isn't a property list is replaced with a warning, but not by nothing")
    func unreadable() throws {
        let folder = try ScratchFolder()
        try folder.write("hello".utf8, to: "characters.plist")
        #expect(try Session("store-plist", folder: folder).status == 65)
        #expect(try folder.text("characters.plist") == "hello")
        let run = try Session("store-plist", input: Self.two.utf8, folder: folder)
        #expect(run.status == 0)
        #expect(run.errors.contains("warning"))
        #expect(try names(folder) == ["Mick", "Minnie"])
    }

    @Test("what is stored otherwise than it was is summed up in one line; -q silences it")
    func summary() throws {
        let folder = try ScratchFolder()
        let input = "{\"a\":null,\"a\":null,\"b\":1,\"b\":2}\n{\"c\":null}\n"
        let run = try Session("store-plist", input: input.utf8, folder: folder)
        #expect(
            run.errors == "store-plist: warning: not all values were stored as they were: nulls left out: 2, "
                + "duplicate keys dropped (the last wins): 2\n")
        #expect(try Session("store-plist", ["-q"], input: input.utf8, folder: folder).errors == "")
        #expect(try Session("store-plist", ["--strict"], input: input.utf8, folder: folder).status == 65)
    }

    @Test(
        "a wrong command line is 64",
        arguments: [["a", "b"], ["--wat"], ["--null"], ["--control=maybe"], ["--wait=soon"], [""]])
    func usage(arguments: [String]) throws {
        let folder = try ScratchFolder()
        let run = try Session("store-plist", arguments, input: Self.two.utf8, folder: folder)
        #expect(run.status == 64)
        #expect(try folder.names() == [])
    }

    @Test("--format decides; without it the old file's form stays")
    func format() throws {
        let folder = try ScratchFolder()
        let run = try Session("store-plist", ["--format", "binary"], input: Self.two.utf8, folder: folder)
        #expect(run.text.contains(#""format":"binary""#))
        #expect(try folder.bytes("characters.plist").starts(with: Array("bplist00".utf8)))
        #expect(try names(folder) == ["Mick", "Minnie"])
        let input = "{\"name\":\"Olu\"}"
        #expect(try Session("store-plist", input: input.utf8, folder: folder).text.contains(#""format":"binary""#))
        #expect(try names(folder) == ["Olu"])
        #expect(try Session("store-plist", ["--format=xml"], input: input.utf8, folder: folder).status == 0)
        #expect(try folder.text("characters.plist").hasPrefix("<?xml"))
        #expect(try folder.names() == ["characters.plist"])
    }

    @Test("binary goes to stdout as it goes to a file")
    func binaryStream() throws {
        let folder = try ScratchFolder()
        let input = (0..<2000).map { "{\"id\":\($0)}\n" }.joined()
        #expect(try Session("store-plist", ["--format=binary"], input: input.utf8, folder: folder).status == 0)
        let run = try Session("store-plist", ["--format=binary", "-"], input: input.utf8)
        #expect(run.status == 0)
        #expect(run.output == (try folder.bytes("characters.plist")))
    }
}
