// What `--describe` writes is believed by other programs: the Swift compiler and Foundation.

import TestSupport
import Testing

@Suite struct StoreDescribeTests {
    /// How a store is laid out, and what reads it again.
    private static let layouts: [(store: [String], read: [String])] = [
        ([], []), (["--keyed", "--key=key"], []), (["--keyed", "--key=key"], ["--keyed"]),
        (["--root=rows"], ["--root=rows"]),
        (["--root=rows", "--keyed", "--key=key"], ["--root=rows", "--keyed"]),
    ]

    /// Stores of every layout and both formats.
    /// - Returns: their names, and the options to read them.
    private func stores(_ count: Int, in folder: ScratchFolder) throws -> [(name: String, read: [String])] {
        try (0..<count).map { number in
            let layout = Self.layouts[number % Self.layouts.count]
            var records = ShapedRecords(seed: UInt64(number))
            let input = records.lines([1, 2, 9, 40][number % 4]).map { $0 + "\n" }.joined()
            // One of the first is JSON Lines, which have no layout.
            if number == 5 {
                let run = try Session("store-plist", ["s5.jsonl"], input: input.utf8, folder: folder)
                #expect(run.status == 0, "\(run.errors)")
                return ("s5.jsonl", [])
            }
            let options = layout.store + ["--format", number % 2 == 0 ? "xml" : "binary", "s\(number).plist"]
            if number % 10 == 3 {
                // Then a member stands beside the records.
                let beside =
                    #"<plist version="1.0"><dict><key>Date</key><array/><key>rows</key><array/></dict></plist>"#
                try folder.write(beside, to: "s\(number).plist")
            }
            let run = try Session("store-plist", options, input: input.utf8, folder: folder)
            #expect(run.status == 0, "\(run.errors)")
            return ("s\(number).plist", layout.read)
        }
    }

    private static let program = """
        import Foundation

        func check<Root: Codable & Sendable>(_ type: Root.Type, _ path: String) throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let again = try PropertyListEncoder().encode(PropertyListDecoder().decode(Root.self, from: data))
            let trees = try [data, again].map {
                try PropertyListSerialization.propertyList(from: $0, format: nil) as? NSObject
            }
            print(path, trees[0] != nil && trees[0] == trees[1] ? "same" : "different")
        }

        func checkLines<Record: Codable & Sendable>(_ type: Record.Type, _ path: String) throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let isSame = try data.split(separator: 0x0A).allSatisfy { line in
                let again = try JSONEncoder().encode(JSONDecoder().decode(Record.self, from: line))
                let trees = try [line, again].map { try JSONSerialization.jsonObject(with: $0) as? NSObject }
                return trees[0] != nil && trees[0] == trees[1]
            }
            print(path, isSame ? "same" : "different")
        }

        """

    @Test
    func `the types compile without a warning, decode every store, and encode it as it was`() throws {
        guard try Session("/usr/bin/env", ["swiftc", "--version"]).status == 0 else {
            try Test.cancel("there is no swiftc")
        }
        let folder = try ScratchFolder()
        let stores = try stores(12, in: folder)
        var main = Self.program
        for (number, store) in stores.enumerated() {
            let described = try Session(
                "store-plist", ["--describe", "swift", "--type", "T\(number)"] + store.read + [store.name],
                folder: folder)
            #expect(described.status == 0 && described.errors == "", "\(described.errors)")
            try folder.write(described.output, to: "T\(number).swift")
            let type = try #require(described.lines[0].split(separator: "(").last?.split(separator: ".self").first)
            let check = store.name.hasSuffix(".jsonl") ? "checkLines" : "check"
            main += "try \(check)(\(type).self, \"\(store.name)\")\n"
        }
        try folder.write(main, to: "main.swift")
        // Foundation's modules were compiled once for the build; to do it again takes longer than all the rest.
        let cache = Executables.areGiven ? "cache" : Executables.folder + "/ModuleCache"
        let compiler =
            "swiftc -swift-version 6 -warnings-as-errors -module-cache-path '\(cache)' main.swift T*.swift -o check"
        let compiled = try Session.script(compiler, folder: folder, limitSeconds: 500)
        #expect(compiled.status == 0, "\(compiled.text.suffix(2000))\(compiled.errors.suffix(2000))")
        let run = try Session(folder.path("check"), folder: folder)
        #expect(run.lines == stores.map { $0.name + " same" }, "\(run.errors)")
        let format = try Session.script(
            #"swift format lint --configuration '{"version":1,"indentation":{"spaces":4},"lineLength":200,"rules":{"#
                + #""AlwaysUseLowerCamelCase":false}}' --strict T*.swift"#, folder: folder, limitSeconds: 300)
        #expect(format.status == 0, "\(format.errors.suffix(2000))")
    }

    @Test
    func `a description is the same from a file, a pipe and standard input`() throws {
        let folder = try ScratchFolder.withStore()
        let described = try Session("store-plist", ["--describe=swift"], folder: folder)
        #expect(described.status == 0)
        for script in [
            "store-plist --describe swift - < characters.plist",
            "cat characters.plist | store-plist --describe swift -",
        ] {
            let run = try Session.script(script, folder: folder)
            #expect(run.status == 0 && run.output == described.output)
        }
    }
}
