// `--prune`: the store loses what nobody names any more, and nothing else.

import Foundation
import TestSupport
import Testing

@Suite("Pruning the store of fetch-images")
struct PruningTests {
    // MARK: What goes

    @Test
    func `what no record names and no run has named for that long goes, with its names, and is counted`() throws {
        let folder = try ScratchFolder()
        let paths = try PruneRun.store([1, 2, 3], ["--name", "{name}"], folder)
        let bytes = try folder.bytes(paths[2]).count
        let run = try PruneRun.run(
            PruneRun.record(1) + PruneRun.seal, ["--prune", "30d", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(try ImageRun.files(folder) == [String(paths[0].dropFirst(7)), "n1.svg"].sorted())
        #expect(try PruneRun.pruned(folder) == ["files": 2, "names": 2, "bytes": 2 * bytes])
        #expect(run.lines.last == String(PruneRun.seal.dropLast()))
    }

    @Test
    func `of the names of a picture those go that --name could have made, and others stay`() throws {
        let folder = try ScratchFolder()
        let paths = try PruneRun.store([1, 2], ["--name", "{name}"], folder)
        for name in ["mine.svg", "-mine.svg", "a  b.svg", "mine.txt", "n (3).svg"] {
            try FileManager.default.linkItem(atPath: folder.path(paths[1]), toPath: folder.path("images/\(name)"))
        }
        let run = try PruneRun.run(PruneRun.record(1) + PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let left = ["-mine.svg", "a  b.svg", String(paths[0].dropFirst(7)), "mine.txt", "n1.svg"]
        #expect(try ImageRun.files(folder) == left.sorted())
    }

    @Test
    func `a picture that a run has named since then stays, however old its file`() throws {
        let folder = try ScratchFolder()
        let paths = try PruneRun.store([1, 2], [], folder)
        #expect(try PruneRun.run(PruneRun.record(2), [], folder).status == 0)
        let run = try PruneRun.run(
            PruneRun.record(1) + PruneRun.seal, ["--prune", "1h", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(PruneRun.exists(paths[1], folder))
        #expect(try PruneRun.pruned(folder) == ["files": 0, "names": 0, "bytes": 0])
        #expect(try PruneRun.run(PruneRun.record(1) + PruneRun.seal, ["--prune", "0s"], folder).status == 0)
        #expect(!PruneRun.exists(paths[1], folder) && PruneRun.exists(paths[0], folder))
    }

    @Test(arguments: [[], ["--max-age", "1h"], ["--cache", "none"], ["--offline"], ["--embed"]])
    func `a picture counts as named however it was got`(_ arguments: [String]) throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let input = ImageRun.input(["\(server.url)/images/cat.png"])
        let cache = ["--cache", folder.path("cache")]
        let path = try #require(try PruneRun.paths(PruneRun.run(input, cache, folder)).first)
        try PruneRun.age(path, folder)
        #expect(try PruneRun.run(input, cache + arguments, folder).status == 0)
        let run = try PruneRun.run(PruneRun.record(1) + PruneRun.seal, cache + ["--prune", "1h"], folder)
        #expect(run.status == 0)
        #expect(PruneRun.exists(path, folder))
    }

    @Test
    func `the placeholder stays where a record got it`() throws {
        let folder = try ScratchFolder()
        let input = ImageRun.input(["http://127.0.0.1:1/none.png"]) + PruneRun.seal
        let run = try PruneRun.run(input, ["--placeholder", "--prune", "0s"], folder)
        #expect(run.status == 0)
        let path = try #require(try PruneRun.paths(run).first)
        #expect(PruneRun.exists(path, folder))
    }

    @Test
    func `a picture that can't be had today keeps the file that it had, through a redirect too`() throws {
        let folder = try ScratchFolder()
        let cache = ["--cache", folder.path("cache")]
        var paths: [String] = []
        var input = ""
        do {
            let server = try LocalServer(faults: ["path=/moved.png,redirect=/images/fox.png"])
            input = ImageRun.input(["\(server.url)/images/cat.png", "\(server.url)/moved.png"])
            input += "{\"$seal\":{\"records\":2,\"complete\":true}}\n"
            let run = try PruneRun.run(input, cache, folder)
            paths = try PruneRun.paths(run)
            try #require(run.status == 0 && paths.count == 2, "\(run.errors)")
        }
        for path in paths { try PruneRun.age(path, folder) }
        let run = try PruneRun.run(input, cache + ["--prune", "30d"], folder)
        #expect(run.status == 69)
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
        for path in paths { try PruneRun.age(path, folder) }
        #expect(try PruneRun.run(input, ["--cache", "none", "--prune", "30d"], folder).status == 69)
        #expect(try ImageRun.files(folder) == [])
    }

    @Test
    func `a picture that this run refuses as too large keeps its file`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let input = ImageRun.input(["\(server.url)/images/cat.png"]) + PruneRun.seal
        let cache = ["--cache", folder.path("cache"), "--max-age", "1h"]
        let path = try #require(try PruneRun.paths(PruneRun.run(input, cache, folder)).first)
        let run = try PruneRun.run(input, cache + ["--max-bytes", "9", "--prune", "0s"], folder)
        #expect(run.status == 76)
        #expect(PruneRun.exists(path, folder))
    }

    // MARK: What stays

    @Test(arguments: [
        ("", "<stdin> has no seal; write fetch-characters --seal"),
        (
            "{\"$seal\":{\"records\":1,\"complete\":false}}\n",
            "<stdin> isn't complete, says its seal; run its source again"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true,\"since\":\"2026-01-01\"}}\n",
            "<stdin> has only what is newer than 2026-01-01; prune with the whole list"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true,\"after\":3}}\n",
            "<stdin> has only what comes after the 3 records of an earlier run; prune with the whole list"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true,\"limit\":1}}\n",
            "<stdin> has only the first record of a list; prune with the whole list"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true,\"limit\":1}}\n{\"$seal\":{\"records\":0,\"complete\":true}}\n",
            "<stdin> has only the first record of a list; prune with the whole list"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true}}\n" + PruneRun.record(1),
            "2 records came, and the seal speaks of 1; a source ended without one"
        ),
        (
            "{\"$seal\":{\"records\":9,\"complete\":true}}\n" + PruneRun.record(1),
            "more came after the last seal; a source ended without one"
        ),
    ])
    func `nothing goes unless the input ends with a complete seal of the whole`(end: String, warning: String) throws
    {
        let folder = try ScratchFolder()
        let paths = try PruneRun.store([1, 2], [], folder)
        let run = try PruneRun.run(PruneRun.record(1) + end, ["--prune", "30d", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(run.errors == "fetch-images: warning: nothing is pruned: \(warning)\n")
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
        #expect(try PruneRun.pruned(folder) == ["files": 0, "names": 0, "bytes": 0])
    }

    @Test
    func `nothing goes where a line was skipped, which may name a picture`() throws {
        let folder = try ScratchFolder()
        let paths = try PruneRun.store([1, 2], [], folder)
        let run = try PruneRun.run(PruneRun.record(1) + "{bad\n" + PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 65)
        #expect(run.errors.contains("nothing is pruned: a line that was skipped may name a picture; correct it"))
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
    }

    @Test
    func `nothing goes where no record came of those that the seal counts`() throws {
        let folder = try ScratchFolder()
        let path = try #require(try PruneRun.store([1], [], folder).first)
        let run = try PruneRun.run(PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0)
        #expect(
            run.errors
                == "fetch-images: warning: nothing is pruned: no record of 1 came; prune with the whole list\n")
        #expect(PruneRun.exists(path, folder))
        let none = "{\"$seal\":{\"records\":0,\"complete\":true}}\n"
        #expect(try PruneRun.run(none, ["--prune", "30d"], folder).status == 0)
        #expect(!PruneRun.exists(path, folder))
    }

    @Test
    func `nothing goes where the run ends early`() throws {
        let folder = try ScratchFolder()
        let paths = try PruneRun.store([1, 2], [], folder)
        let input = ImageRun.input(["http://127.0.0.1:1/none.png"]) + PruneRun.seal
        let run = try PruneRun.run(input, ["--prune", "30d", "--on-error=stop"], folder)
        #expect(run.status == 69)
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
    }

    @Test
    func `what castline didn't make stays`() throws {
        let folder = try ScratchFolder()
        let path = try #require(try PruneRun.store([1], [], folder).first)
        let digits = String(repeating: "0", count: 62)
        let script = """
            set -e
            cd images
            mkdir -p ab cd elsewhere ef/ef\(digits).png
            for name in ab/notes.txt ab/ab\(digits) ab/ab\(digits).txt ab/AB\(digits).png ab/cd\(digits).png \\
                ab/ab\(digits).png.png ab/.ab\(digits).png notes.svg 'Mick (2).svg' elsewhere/00\(digits).png; do
                echo mine >"$name"
            done
            ln -s ../notes.svg ab/ab\(digits).svg
            mkfifo cd/cd\(digits).gif
            ln -s elsewhere 00
            ln \(path.dropFirst(7)) mine.png
            find . -exec touch -h -d '40 days ago' {} +
            """
        #expect(try Session.script(script, folder: folder).status == 0)
        let before = try ImageRun.files(folder)
        let run = try PruneRun.run(PruneRun.record(2) + PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0 && run.errors == "")
        let new = try #require(try PruneRun.paths(run).first).dropFirst(7)
        #expect(try ImageRun.files(folder) == (before.filter { $0 != path.dropFirst(7) } + [String(new)]).sorted())
        #expect(try folder.bytes("images/mine.png").count > 0)
    }

    @Test
    func `a file of the future stays, as the clock was set back`() throws {
        let folder = try ScratchFolder()
        let path = try #require(try PruneRun.store([1], [], folder).first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 86_400)], ofItemAtPath: folder.path(path))
        #expect(try PruneRun.run(PruneRun.record(2) + PruneRun.seal, ["--prune", "0s"], folder).status == 0)
        #expect(PruneRun.exists(path, folder))
    }

    // MARK: The command line

    @Test func `an age that isn't one is 64`() throws {
        let run = try PruneRun.run("", ["--prune", "soon"], try ScratchFolder())
        #expect(run.status == 64)
        #expect(run.errors.contains("--prune takes a duration such as 500ms, 5s, 5m30s, 2h or 7d, not 'soon'"))
    }
}
