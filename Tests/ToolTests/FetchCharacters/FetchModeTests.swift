// What replaces fetching takes the options that mean something to it, and refuses all others, whatever their values.

import Foundation
import TestSupport
import Testing

@Suite struct FetchModeTests {
    /// What replaces fetching, and the options that it takes.
    static let modes: [(arguments: [String], takes: Set<String>)] = [
        (["--list-sources"], ["list-sources"]), (["--show-source", "disney"], ["show-source"]),
        (
            ["--input", "-"],
            ["source", "input", "base-url", "limit", "raw", "seal", "expect", "min-records", "report"]
        ),
        (
            ["--learn", "http://127.0.0.1:9/list"],
            [
                "learn", "learn-key", "key-file", "base-url", "plan", "explain", "report", "connect-timeout",
                "timeout",
                "deadline", "rate", "user-agent", "record", "replay",
            ]
        ),
    ]
    /// Values that are the default, where there is one.
    static let values = [
        "jobs": "4", "retries": "4", "min-records": "0", "source": "disney", "max-retry-after": "1m", "each": "id",
        "param": "a=b", "since": "", "on-error": "stop", "on-bad-line": "skip", "max-line": "64M",
        "rate": "1/second",
        "learn-key": "query:k", "limit": "1", "show-source": "disney", "input": "-", "expect": "1",
        "page-size": "50",
        "max-pages": "1", "deadline": "1d", "timeout": "30s", "connect-timeout": "10s", "max-age": "1d",
        "stale-if-error": "1d", "learn": "http://127.0.0.1:9/list",
    ]

    /// The options of the help that don't end the command line, and whether they take a value.
    static func options() throws -> [(name: String, takesValue: Bool)] {
        let help = try Session("fetch-characters", ["--help"]).text
        return help.matches(of: /(?m)^ {2,6}(?:-\w, )?--([a-z-]+)(?: (\S+))?/).map { (String($0.1), $0.2 != nil) }
            .filter { !["help", "version", "quiet", "progress"].contains($0.name) }
    }

    @Test(arguments: modes.indices) func `each option is taken or refused, its default too`(mode: Int) throws {
        let (arguments, takes) = Self.modes[mode]
        let options = try Self.options()
        #expect(options.count > 35 && takes.isSubset(of: options.map(\.name)))
        for (name, takesValue) in options where !takes.contains(name) {
            let option = ["--\(name)"] + (takesValue ? [Self.values[name] ?? "x"] : [])
            let run = try Session("fetch-characters", arguments + option, input: "[]".utf8)
            #expect(run.status == 64 && run.output.isEmpty, "\(arguments) \(option): \(run.errors)")
            // One of the two that exclude each other is named.
            let names = ["--\(name)", arguments[0]]
            #expect(
                names.contains { run.errors.contains("leave out \($0)") || run.errors.contains("\($0) is about") }
                    || run.errors.contains("exclude each other") || run.errors.contains("leave out --list-sources"),
                "\(arguments) \(option): \(run.errors)")
        }
    }

    @Test func `a plan of any length comes as it is made, and ends at the deadline`() throws {
        let all = try Session(
            "/bin/sh",
            [
                "-c",
                "ulimit -v 400000; exec fetch-characters --plan --limit 9223372036854775807 --deadline 500ms | tail -n 1",
            ])
        #expect(all.errors.contains("the deadline came before the end of the plan"), "\(all.errors)")
        #expect(all.text.contains("\"request\":"))
        let first = try Session(
            "/bin/sh", ["-c", "fetch-characters --plan --limit 9223372036854775807 | head -n 1"])
        #expect(first.lines.count == 1 && first.text.hasPrefix("{\"request\":1,"))
    }
}
