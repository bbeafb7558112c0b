// Runs that get less than they need: memory, open files, room for temporary files. Each ends with one message that names
// what is missing, and never by a signal.

import TestSupport
import Testing

@Suite("A run that gets too little") struct ShortageTests {
    private static let cure = "ulimit -v)"

    /// Runs a script under limits of memory that are a step apart, from too little to enough.
    /// - Parameter kibibytes: the least; each further one is larger by a quarter.
    private func sweep(_ script: String, from kibibytes: Int, _ folder: ScratchFolder) throws {
        var limit = kibibytes
        var refused = 0
        while true {
            let run = try Session.script("ulimit -v \(limit) && \(script)", folder: folder)
            guard run.status != 0 else { break }
            #expect(run.status == 74 && run.errors.contains(Self.cure), "\(limit): \(run.status) \(run.errors)")
            #expect(run.errors.count { $0 == "\n" } == 1, "\(run.errors)")
            refused += 1
            guard run.status == 74, limit < 1 << 24 else { break }
            limit += limit / 4
        }
        #expect(refused > 0)
        let names = try folder.names()
        #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
    }

    /// The least memory with which a tool runs that reads next to nothing, in KiB.
    private func least(_ script: String) throws -> Int {
        let limit = try stride(from: 4000, to: 400_000, by: 4000).first { limit in
            try Session.script("ulimit -v \(limit) && \(script) <<<'{\"name\":\"x\"}'").status == 0
        }
        return try #require(limit, "\(script) ends with 0 at no limit") + 4000
    }

    @Test(arguments: ["filter-search -a Mick", "store-plist -", "fetch-images --cache none --replay ."])
    func `of memory for a long line names the line`(command: String) throws {
        let script = "head -c 60000000 /dev/zero | tr '\\0' x | \(command)"
        // The line's place grows to 16 MiB beside its 8 MiB, with some room for all else, and can't to 32 MiB.
        let limit = try least(command) + 26_000
        let run = try Session.script("ulimit -v \(limit) && \(script) >out", folder: ScratchFolder())
        #expect(run.status == 74, "\(run.errors)")
        #expect(
            run.errors.contains("cannot keep line 1 of <stdin>, of more than ") && run.errors.contains(Self.cure))
        #expect(run.errors.count { $0 == "\n" } == 1, "\(run.errors)")
    }

    private static let isWrapped = !Executables.folder.hasSuffix("/debug")

    @Test(
        .enabled(if: isWrapped, "in debug builds the run-time library is shared, and ends the run itself"),
        arguments: [
            "filter-search -a Mick", "store-plist s.plist", "store-plist --format binary s.plist",
            "store-plist s.jsonl", "store-plist --key name s.jsonl",
            "fetch-images --cache none",
        ])
    func `of memory for a large record ends with 74, wherever that shows`(command: String) throws {
        let folder = try ScratchFolder()
        let value = "{\"name\":\"" + String(repeating: "Mick ", count: 4_000_000) + "\"}"
        let many = "{\"name\":\"Mick\",\"v\":[" + String(repeating: "{\"a\":1},", count: 1_000_000) + "1]}"
        for record in [value, many] {
            try folder.write("\(record)\n".utf8, to: "in")
            try sweep("\(command) <in >out", from: try least(command), folder)
        }
    }

    @Test
    func `of open files makes fewer connections, and where that isn't enough says what is missing`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let input = (1...200).map { "{\"imageURL\":\"\(server.url)/images/cat.png?\($0)\"}\n" }.joined()
        let command = "fetch-images --allow-private --retries 0 --per-host 64 --cache none"
        let run = try Session.script("ulimit -n 64 && \(command)", input: input.utf8, folder: folder)
        #expect(run.status == 0 && run.lines.count == 200, "\(run.errors)")
        for options in ["--cache cache", "--record r"] {
            let run = try Session.script(
                "ulimit -n 4 && fetch-images --allow-private --retries 0 \(options)", input: input.utf8,
                folder: folder)
            #expect(run.status == 73, "\(options) \(run.errors)")
            #expect(run.errors.contains("too many open files; raise the limit of open files (ulimit -n)"))
        }
    }

    @Test(arguments: ["ulimit -f 8", "TMPDIR=none"])
    func `of room for a copy of what a pipe brings is 74 and names that`(limit: String) throws {
        let folder = try ScratchFolder()
        let records = (0..<2000).map { "{\"id\":\($0)}\n" }.joined()
        #expect(try Session("store-plist", ["s.plist"], input: records.utf8, folder: folder).status == 0)
        let script =
            "cat s.plist | { \(limit.hasPrefix("TMPDIR") ? "export " : "")\(limit); store-plist --load -; }"
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 74 && run.text == "", "\(run.errors)")
        #expect(
            run.errors.contains(" a temporary file in ") && run.errors.count { $0 == "\n" } == 1, "\(run.errors)")
    }
}
