// The runs that all tests of tools stand on: streams, statuses, limits, a clean environment.

import Foundation
import TestSupport
import Testing

@Suite("A session")
struct SessionTests {
    @Test
    func `carries large streams in three directions at once`() throws {
        let input = Array((0..<300_000).map { "line \($0)\n" }.joined().utf8)
        let run = try Session.script("tee /dev/stderr | cat", input: input)
        #expect(run.output == input)
        #expect(run.status == 0)
    }

    @Test
    func `survives a tool that doesn't read its input`() throws {
        let run = try Session.script("exec 0<&-; echo done", input: [UInt8](repeating: 65, count: 1_000_000))
        #expect(run.lines == ["done"])
        #expect(
            try Session("/bin/sh", ["-c", "head -c 3"], input: repeatElement(65, count: 900_000)).text == "AAA")
    }

    @Test
    func `kills what takes too long, with all it has started, and fails the test`() throws {
        let folder = try ScratchFolder()
        try withKnownIssue {
            let run = try Session.script(
                "echo begun; (sleep 300; echo late) & echo $! > child; sleep 300", folder: folder, limitSeconds: 1
            )
            #expect(run.status == 137)
            #expect(run.lines == ["begun"])
        } matching: {
            $0.comments.contains { $0.rawValue.contains("was killed after") }
        }
        let child = try folder.text("child").trimmingCharacters(in: .whitespacesAndNewlines)
        // Killed, it may be listed as a zombie until the system's first process has looked at it.
        let look =
            "for i in 1 2 3 4 5 6 7 8 9; do case $(ps -o stat= -p \(child)) in ''|Z*) exit 0; esac; sleep 0.2; done"
        #expect(try Session.script(look + "; exit 1").status == 0)
    }

    @Test
    func `runs in a clean environment with the executables first in PATH`() throws {
        let run = try Session(
            "/usr/bin/env", ["sh", "-c", "command -v local-server; env"],
            environment: ["EXTRA": "a b", "http_proxy": "x"])
        #expect(run.lines.first == Executables.folder + "/local-server")
        let names = Set(run.lines.dropFirst().compactMap { $0.split(separator: "=").first.map(String.init) })
        #expect(names.isSuperset(of: ["PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "EXTRA", "http_proxy"]))
        #expect(names.isDisjoint(with: ["LANG", "LC_ALL", "https_proxy", "SHELL", "USER"]))
        #expect(run.lines.contains("EXTRA=a b"))
    }
}
