// Progress at a terminal, which `script` of util-linux stands for, and where there is none.

import Foundation
import TestSupport
import Testing

@Suite("Progress")
struct ToolProgressTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    /// Longer than the time before which nothing is drawn.
    private static let records = #"echo '{"name":"Mick"}'; sleep 1.1; echo '{"name":"Mick"}'; sleep 0.1"#
    /// As long as it takes the line to be drawn, which a busy machine decides; 20 s where it never is.
    private static let untilDrawn = #"""
        for _ in {1..200}; do echo '{"name":"Mick"}'; sleep 0.1; grep -qs $'\e\[J' seen && break; done
        """#

    /// What a terminal of that width gets.
    private func terminal(
        _ command: String, records: String, columns: Int = 80, term: String = "xterm"
    ) throws -> String {
        try folder.write("stty cols \(columns); { \(records); } | \(command)\n".utf8, to: "run")
        let run = try Session.script("TERM=\(term) script -qefc 'bash run' seen </dev/null", folder: folder)
        #expect(run.status == 0, "\(run.text)")
        return run.text
    }

    private static let erase = "\r\u{1B}[J"

    @Test(
        .enabled(if: Session.hasTerminal, "no script(1)"),
        arguments: [
            "filter-search Mick >out", "filter-search -c Mick", "store-plist",
            "fetch-images --base-url http://x >out",
        ])
    func `is drawn on a terminal and gone at the end`(command: String) throws {
        let text = try terminal(command, records: Self.untilDrawn)
        let name = command.prefix { $0 != " " }
        #expect(text.contains(Self.erase + "\(name): "), "\(text)")
        #expect(text.contains(" record") && text.contains("/s, "), "\(text)")
        // What comes after the last drawing, such as a warning, erases it first.
        let end = try #require(text.ranges(of: "/s, ").last)
        #expect(text[end.upperBound...].contains("\r" + Self.erase))
    }

    @Test(
        .enabled(if: Session.hasTerminal, "no script(1)"),
        arguments: [
            ("filter-search Mick", "xterm"), ("filter-search -c Mick", "dumb"),
            ("CASTLINE_PROGRESS=never filter-search -c Mick", "xterm"), ("filter-search -q Mick", "xterm"),
            ("store-plist -q", "xterm"), ("store-plist 2>errors", "xterm"),
        ])
    func `is not drawn where records go to the terminal, where it can't be erased, and when silenced`(
        command: String, term: String
    ) throws {
        let text = try terminal(command, records: Self.records, term: term)
        #expect(!text.contains("\u{1B}[J") && !text.contains("/s, "))
    }

    @Test(.enabled(if: Session.hasTerminal, "no script(1)"), arguments: [1, 2, 20, 40])
    func `is one line on a narrow terminal`(columns: Int) throws {
        let text = try terminal("filter-search Mick >out", records: Self.untilDrawn, columns: columns)
        let drawn = text.components(separatedBy: Self.erase).dropFirst().map { $0.filter { $0 != "\r" } }
        #expect(drawn.contains { !$0.isEmpty })
        #expect(drawn.allSatisfy { $0.count <= max(1, columns - 1) && !$0.contains("\n") })
    }

    @Test(.enabled(if: Session.hasTerminal, "no script(1)"))
    func `is as long as on a usual terminal where that doesn't say how wide it is`() throws {
        let text = try terminal("filter-search Mick >out", records: Self.untilDrawn, columns: 0)
        #expect(text.contains(" record"), "\(text)")
    }

    @Test(.enabled(if: Session.hasTerminal, "no script(1)"))
    func `is drawn by one tool of a pipeline at a time`() throws {
        let text = try terminal(
            "filter-search Mick | filter-search -v x | store-plist >out", records: Self.untilDrawn)
        var names = text.components(separatedBy: Self.erase).compactMap { part in
            part.firstIndex(of: ":").map { part[..<$0] }
        }
        #expect(!names.isEmpty)
        names = names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }.map { names[$0] }
        #expect(Set(names).count == names.count || names.count <= 3)
    }

    @Test(
        .enabled(if: Session.hasTerminal, "no script(1)"),
        arguments: [
            (
                "fetch-characters --page-size 40", "page=2,times=1,status=429,retry-after=3", "fetch-characters",
                "(429)"
            ),
            (
                "fetch-characters --page-size 40", "page=2,times=1,status=503,retry-after=3", "fetch-characters",
                "(503)"
            ),
            (
                "fetch-images --allow-private", "path=/images/,times=1,status=429,retry-after=3", "fetch-images",
                "(429)"
            ),
            ("fetch-images --allow-private --rate 20/minute", "path=/none,status=500", "fetch-images", nil),
        ])
    func `says how long a service asks to wait, and for a rate`(
        command: String, fault: String, name: String, status: String?
    ) throws {
        let server = try LocalServer(faults: [fault])
        let records = ["fox", "crab"].map { "{\"imageURL\":\"\(server.url)/images/\($0).png\"}\n" }.joined()
        try folder.write(records.utf8, to: "records")
        let input = name == "fetch-images" ? "<records" : "--base-url \(server.url)"
        try folder.write("stty cols 100; \(command) --cache none \(input) >out\n".utf8, to: "run")
        let run = try Session.script("TERM=xterm script -qec 'bash run' /dev/null </dev/null", folder: folder)
        #expect(run.status == 0, "\(run.text)")
        let reason = server.url.dropFirst("http://".count) + (status.map { " \($0)" } ?? "")
        let waits = (1...3).map { "\(Self.erase)\(name): waiting \($0) s for \(reason), " }
        #expect(waits.contains { run.text.contains($0) }, "\(run.text)")
        #expect(run.text.hasSuffix(Self.erase), "\(run.text)")
    }

    @Test(.enabled(if: Session.hasTerminal, "no script(1)"))
    func `says how long a service has sent nothing`() throws {
        let server = try LocalServer(faults: ["page=2,times=1,delay=5s"])
        let command = "fetch-characters --page-size 40 --cache none --base-url \(server.url) >out"
        try folder.write("stty cols 100; \(command)\n".utf8, to: "run")
        let run = try Session.script("TERM=xterm script -qec 'bash run' /dev/null </dev/null", folder: folder)
        let host = server.url.dropFirst("http://".count)
        let silences = (3...5).map { "\(Self.erase)fetch-characters: no response from \(host) for \($0) s, 40 of " }
        #expect(run.status == 0 && silences.contains { run.text.contains($0) }, "\(run.text)")
    }

    @Test(
        .enabled(if: Session.hasTerminal, "no script(1)"),
        arguments: [
            "stty -F /dev/tty -icanon; filter-search Mick >out", "set -m; filter-search Mick <in >out & wait",
        ])
    func `leaves the terminal to a pager and, from the background, to the shell`(command: String) throws {
        let script = "mkfifo in; { \(Self.records); } >in & { \(command); } <in"
        try folder.write(script.utf8, to: "run")
        let run = try Session.script("TERM=xterm script -qec 'bash run' /dev/null </dev/null", folder: folder)
        #expect(run.status == 0 && !run.text.contains(" record"), "\(run.text)")
        #expect(try folder.text("out").split(separator: "\n").count == 2)
    }

    @Test(.enabled(if: Session.hasTerminal, "no script(1)"))
    func `makes room for messages`() throws {
        let text = try terminal("filter-search Mick >out; echo $?", records: Self.untilDrawn + "; echo no")
        let message = try #require(text.firstMatch(of: #/filter-search: <stdin>:\d+:1: /#))
        let before = text[..<message.range.lowerBound]
        #expect(before.contains("record") && before.hasSuffix(Self.erase), "\(text)")
        #expect(text.hasSuffix("65\r\n"), "\(text)")
    }

    @Test
    func `is drawn without a terminal when asked for`() throws {
        let run = try Session(
            "filter-search", ["Mick"], input: "{\"name\":\"Mick\"}\n".utf8,
            environment: ["COLUMNS": "30", "CASTLINE_PROGRESS": "always"])
        #expect(run.text == "{\"name\":\"Mick\"}\n")
        #expect(run.errors.hasPrefix(Self.erase + "filter-search: "))
        #expect(run.errors.hasSuffix("\r" + Self.erase))
        for value in ["", "never", "auto", "ALWAYS", "1"] {
            let other = try Session("filter-search", ["Mick"], environment: ["CASTLINE_PROGRESS": value])
            #expect(other.status == 0 && other.errors == "", "\(value)")
        }
    }

    @Test(arguments: [
        "fetch-characters --source lines --input -", "fetch-images", "filter-search x", "store-plist",
    ])
    func `is refused beside --quiet, and only where it is asked for`(command: String) throws {
        let quiet = "\(command) -q --report=r </dev/null >out"
        let run = try Session.script(quiet, environment: ["CASTLINE_PROGRESS": "always"], folder: folder)
        #expect(run.status == 64 && run.errors.contains("CASTLINE_PROGRESS=always shows progress"), "\(run.errors)")
        for value in ["never", "", "auto"] {
            let run = try Session.script(quiet, environment: ["CASTLINE_PROGRESS": value], folder: folder)
            #expect(run.status != 64 && !run.errors.contains("PROGRESS"), "\(run.errors)")
        }
    }

    @Test
    func `tells how much of a file is read`() throws {
        let line = "{\"name\":\"Mick\"}\n"
        try folder.write(String(repeating: line, count: 100).utf8, to: "in")
        let twice = try Session.script("CASTLINE_PROGRESS=always filter-search y in in >out", folder: folder)
        #expect(twice.errors.contains(": 0 records, 0 %, 0 B of 3.2 kB"), "\(twice.errors)")
        for command in ["filter-search y in", "store-plist <in"] {
            let run = try Session.script("CASTLINE_PROGRESS=always \(command) >out", folder: folder)
            #expect(run.errors.contains(": 0 records, 0 %, 0 B of 1.6 kB"), "\(run.errors)")
        }
    }

    @Test
    func `knows how many records an API has`() throws {
        let server = try LocalServer(faults: ["page=2,delay=2s", "path=/images/,every=5,delay=400ms"])
        let run = try Session(
            "fetch-characters", ["--base-url", server.url, "--page-size", "40"],
            environment: ["CASTLINE_PROGRESS": "always"])
        #expect(run.lines.count == 120)
        #expect(run.errors.contains("fetch-characters: 40 of at most 120 records"))
        let pictures = try Session.script(
            "fetch-characters --base-url \(server.url) --limit 5 | CASTLINE_PROGRESS=always fetch-images --allow-private"
        )
        #expect(pictures.errors.contains("fetch-images: ") && pictures.errors.contains(" of 5 records"))
    }
}
