// `--prune`: the store loses what nobody names any more, and nothing else.

import Foundation
import TestSupport
import Testing

@Suite("Pruning the store of fetch-images")
struct PruningTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    // MARK: What goes

    @Test
    func `what no record names and no run has named for that long goes, with its names, and is counted`() throws {
        let paths = try PruneRun.store([1, 2, 3], ["--name", "{name}"], folder)
        let bytes = try folder.bytes(paths[2]).count
        let run = try ImageRun.plain(
            PruneRun.record(1) + PruneRun.seal, ["--prune", "30d", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(try ImageRun.files(folder) == [String(paths[0].dropFirst(7)), "n1.svg"].sorted())
        #expect(try PruneRun.pruned(folder) == ["files": 2, "names": 2, "bytes": 2 * bytes])
        #expect(run.lines.last == String(PruneRun.seal.dropLast()))
    }

    @Test
    func `of the names of a picture those go that --name could have made, and others stay`() throws {
        let paths = try PruneRun.store([1, 2], ["--name", "{name}"], folder)
        for name in ["mine.svg", "-mine.svg", "a  b.svg", "mine.txt", "n (3).svg"] {
            try FileManager.default.linkItem(atPath: folder.path(paths[1]), toPath: folder.path("images/\(name)"))
        }
        let run = try ImageRun.plain(PruneRun.record(1) + PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let left = ["-mine.svg", "a  b.svg", String(paths[0].dropFirst(7)), "mine.txt", "n1.svg"]
        #expect(try ImageRun.files(folder) == left.sorted())
    }

    @Test
    func `a picture that a run has named since then stays, however old its file`() throws {
        let paths = try PruneRun.store([1, 2], [], folder)
        #expect(try ImageRun.plain(PruneRun.record(2), [], folder).status == 0)
        let run = try ImageRun.plain(
            PruneRun.record(1) + PruneRun.seal, ["--prune", "1h", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(PruneRun.exists(paths[1], folder))
        #expect(try PruneRun.pruned(folder) == ["files": 0, "names": 0, "bytes": 0])
        #expect(try ImageRun.plain(PruneRun.record(1) + PruneRun.seal, ["--prune", "0s"], folder).status == 0)
        #expect(!PruneRun.exists(paths[1], folder) && PruneRun.exists(paths[0], folder))
    }

    @Test(arguments: [[], ["--max-age", "1h"], ["--cache", "none"], ["--offline"], ["--embed"]])
    func `a picture counts as named however it was got`(_ arguments: [String]) throws {
        let server = try LocalServer()
        let input = ImageRun.input(["\(server.url)/images/cat.png"])
        let cache = ["--cache", folder.path("cache")]
        let path = try #require(try ImageRun.paths(ImageRun.plain(input, cache, folder)).first)
        try PruneRun.age(path, folder)
        #expect(try ImageRun.plain(input, cache + arguments, folder).status == 0)
        let run = try ImageRun.plain(PruneRun.record(1) + PruneRun.seal, cache + ["--prune", "1h"], folder)
        #expect(run.status == 0)
        #expect(PruneRun.exists(path, folder))
    }

    @Test
    func `the placeholder stays where a record got it`() throws {
        let input = ImageRun.input(["http://127.0.0.1:1/none.png"]) + PruneRun.seal
        let run = try ImageRun.plain(input, ["--placeholder", "--prune", "0s"], folder)
        #expect(run.status == 0)
        let path = try #require(try ImageRun.paths(run).first)
        #expect(PruneRun.exists(path, folder))
    }

    @Test
    func `a picture that can't be had today keeps the file that it had, through a redirect too`() throws {
        let cache = ["--cache", folder.path("cache")]
        var paths: [String] = []
        var input = ""
        do {
            let server = try LocalServer(faults: ["path=/moved.png,redirect=/images/fox.png"])
            input = ImageRun.input(["\(server.url)/images/cat.png", "\(server.url)/moved.png"])
            input += "{\"$seal\":{\"records\":2,\"complete\":true}}\n"
            let run = try ImageRun.plain(input, cache, folder)
            paths = try ImageRun.paths(run)
            try #require(run.status == 0 && paths.count == 2, "\(run.errors)")
        }
        for path in paths { try PruneRun.age(path, folder) }
        let run = try ImageRun.plain(input, cache + ["--prune", "30d"], folder)
        #expect(run.status == 69)
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
        for path in paths { try PruneRun.age(path, folder) }
        #expect(try ImageRun.plain(input, ["--cache", "none", "--prune", "30d"], folder).status == 69)
        #expect(try ImageRun.files(folder) == [])
    }

    @Test
    func `a picture that this run refuses as too large keeps its file`() throws {
        let server = try LocalServer()
        let input = ImageRun.input(["\(server.url)/images/cat.png"]) + PruneRun.seal
        let cache = ["--cache", folder.path("cache"), "--max-age", "1h"]
        let path = try #require(try ImageRun.paths(ImageRun.plain(input, cache, folder)).first)
        let run = try ImageRun.plain(input, cache + ["--max-bytes", "9", "--prune", "0s"], folder)
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
            "<stdin> has only the records newer than 2026-01-01; --prune needs the whole list"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true,\"after\":3}}\n",
            "<stdin> has only the records after the first 3 of an earlier run; --prune needs the whole list"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true,\"limit\":1}}\n",
            "<stdin> has only the first record of a list; --prune needs the whole list"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true,\"limit\":1}}\n{\"$seal\":{\"records\":0,\"complete\":true}}\n",
            "<stdin> has only the first record of a list; --prune needs the whole list"
        ),
        (
            "{\"$seal\":{\"records\":1,\"complete\":true}}\n" + PruneRun.record(1),
            "2 records arrived, and the seal counts 1; one source ended without a seal"
        ),
        (
            "{\"$seal\":{\"records\":9,\"complete\":true}}\n" + PruneRun.record(1),
            "lines follow the last seal; one source ended without a seal, or a tool such as sort or tac moved it"
        ),
    ])
    func `nothing goes unless the input ends with a complete seal of the whole`(end: String, warning: String) throws
    {
        let paths = try PruneRun.store([1, 2], [], folder)
        let run = try ImageRun.plain(PruneRun.record(1) + end, ["--prune", "30d", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(run.errors == "fetch-images: warning: nothing is pruned: \(warning)\n")
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
        #expect(try PruneRun.pruned(folder) == ["files": 0, "names": 0, "bytes": 0])
    }

    @Test
    func `nothing goes where a line was skipped, which may name a picture`() throws {
        let paths = try PruneRun.store([1, 2], [], folder)
        let run = try ImageRun.plain(PruneRun.record(1) + "{bad\n" + PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 65)
        #expect(run.errors.contains("nothing is pruned: a line that was skipped may name a picture; correct it"))
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
    }

    @Test
    func `nothing goes where no record came of those that the seal counts`() throws {
        let path = try #require(try PruneRun.store([1], [], folder).first)
        let run = try ImageRun.plain(PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0)
        #expect(
            run.errors
                == "fetch-images: warning: nothing is pruned: none of 1 records arrived; --prune needs the whole list\n"
        )
        #expect(PruneRun.exists(path, folder))
        let none = "{\"$seal\":{\"records\":0,\"complete\":true}}\n"
        #expect(try ImageRun.plain(none, ["--prune", "30d"], folder).status == 0)
        #expect(!PruneRun.exists(path, folder))
    }

    @Test
    func `nothing goes where the run ends early`() throws {
        let paths = try PruneRun.store([1, 2], [], folder)
        let input = ImageRun.input(["http://127.0.0.1:1/none.png"]) + PruneRun.seal
        let run = try ImageRun.plain(input, ["--prune", "30d", "--on-error=stop"], folder)
        #expect(run.status == 69)
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
    }

    @Test
    func `what castline didn't make stays`() throws {
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
        let run = try ImageRun.plain(PruneRun.record(2) + PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0 && run.errors == "")
        let new = try #require(try ImageRun.paths(run).first).dropFirst(7)
        #expect(try ImageRun.files(folder) == (before.filter { $0 != path.dropFirst(7) } + [String(new)]).sorted())
        #expect(try folder.bytes("images/mine.png").count > 0)
    }

    @Test
    func `a file of the future stays, as the clock was set back`() throws {
        let path = try #require(try PruneRun.store([1], [], folder).first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 86_400)], ofItemAtPath: folder.path(path))
        #expect(try ImageRun.plain(PruneRun.record(2) + PruneRun.seal, ["--prune", "0s"], folder).status == 0)
        #expect(PruneRun.exists(path, folder))
    }

    // MARK: The command line

    @Test func `an age that isn't one is 64`() throws {
        let run = try ImageRun.plain("", ["--prune", "soon"], try ScratchFolder())
        #expect(run.status == 64)
        #expect(run.errors.contains("--prune takes a duration such as 500ms, 5s, 5m30s, 2h or 7d, not 'soon'"))
    }
}

// `--prune` beside other runs, killed, and where the system fails.

@Suite("Pruning the store, disturbed")
struct PruningFaultTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    // MARK: Other runs

    @Test
    func `nothing goes while another run uses the store, even one that takes everything from the cache`() throws {
        let server = try LocalServer()
        let home = try ScratchFolder()
        let paths = try PruneRun.store([1, 2], [], folder)
        let record = ImageRun.input(["\(server.url)/images/cat.png"])
        let arguments = ["--allow-private", "--dir", "images", "--max-age", "1h", "--cache", folder.path("cache")]
        #expect(try ImageRun.plain(record, arguments, folder).status == 0)
        let other = try ChildProcess(
            Executables.path("fetch-images"), arguments, environment: Session.environment(home), folder: folder.path
        )
        other.write(record.utf8)
        #expect(other.line()?.contains("\"status\":\"ok\"") == true)
        let run = try ImageRun.plain(PruneRun.record(1) + PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0)
        #expect(
            run.errors
                == "fetch-images: warning: nothing is pruned: another run is using images; the next one prunes it\n"
        )
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
        other.closeInput()
        #expect(other.finish())
        #expect(try ImageRun.plain(PruneRun.record(1) + PruneRun.seal, ["--prune", "30d"], folder).status == 0)
        #expect(!PruneRun.exists(paths[1], folder) && PruneRun.exists(paths[0], folder))
    }

    @Test
    func `a run waits for one that prunes, and then fails rather than work without the lock`() throws {
        try PruneRun.store([1], [], folder)
        try folder.makeFolder("images/.castline")
        try folder.write((PruneRun.record(1) + PruneRun.record(2)).utf8, to: "records")
        let command = "flock -x images/.castline -c 'fetch-images --allow-private <records'"
        let run = try Session.script(command, folder: folder)
        #expect(run.status == 73)
        #expect(run.errors.contains("images/.castline"), "\(run.errors)")
        #expect(try Session.script("fetch-images <records", folder: folder).status == 0)
    }

    @Test
    func `pruning waits for no one, and says that the store is in use`() throws {
        let path = try #require(try PruneRun.store([1], [], folder).first)
        try folder.makeFolder("images/.castline")
        try folder.write(("{\"id\":1}\n" + PruneRun.seal).utf8, to: "records")
        let command = "flock -x images/.castline -c 'fetch-images --field imageURL --prune 0s <records'"
        let run = try Session.script(command, folder: folder)
        #expect(run.status == 0)
        #expect(run.errors.contains("nothing is pruned: another run is using images; the next one prunes it"))
        #expect(PruneRun.exists(path, folder))
    }

    @Test
    func `a run that begins while another one prunes comes in between`() throws {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let paths = try PruneRun.store(Array(1...150), [], folder)
        try folder.write((PruneRun.record(150) + PruneRun.seal).utf8, to: "named")
        try folder.write((PruneRun.record(1) + PruneRun.seal).utf8, to: "records")
        let strace = try #require(Strace.path)
        let script = """
            \(strace) -f -o trace -e trace=unlinkat -e inject=unlinkat:delay_enter=20000 \
                fetch-images --allow-private --prune 30d <records >pruned 2>errors &
            until [ "$(find images -name '*.svg' | wc -l)" -lt 150 ]; do kill -0 $! || exit 1; sleep 0.01; done
            fetch-images --allow-private <named || exit 2
            kill -0 $! || exit 3
            wait $!
            """
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(PruneRun.exists(paths[0], folder) && PruneRun.exists("images/" + paths[149].dropFirst(7), folder))
    }

    // MARK: Failures

    /// Runs with one of its calls failing or killing it.
    private static func disturbed(_ call: String, _ arguments: [String], _ folder: ScratchFolder) throws -> Session
    {
        try folder.write((PruneRun.record(1) + PruneRun.seal).utf8, to: "records")
        let strace = try #require(Strace.path)
        return try Session.script(
            "\(strace) -f -o trace -e trace=\(call.prefix { $0 != ":" }) -e inject=\(call) "
                + "fetch-images --allow-private --cache none \(arguments.joined(separator: " ")) <records",
            folder: folder)
    }

    @Test
    func `a run that is killed at any removal leaves all that is named, and the next one finishes the job`() throws
    {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        var wasKilled = true
        var number = 1
        while wasKilled, number < 20 {
            let folder = try ScratchFolder()
            let paths = try PruneRun.store([1, 2, 3], ["--name", "{name}"], folder)
            let run = try Self.disturbed(
                "unlinkat:signal=KILL:when=\(number)", ["--prune", "30d", "--name", "'{name}'"], folder)
            wasKilled = run.status == 137
            #expect(wasKilled || run.status == 0)
            #expect(PruneRun.exists(paths[0], folder) && PruneRun.exists("images/n1.svg", folder))
            for (path, name) in [(paths[1], "n2.svg"), (paths[2], "n3.svg")] {
                #expect(PruneRun.exists(path, folder) || !PruneRun.exists("images/\(name)", folder))
            }
            #expect(try ImageRun.plain(PruneRun.record(1) + PruneRun.seal, ["--prune", "30d"], folder).status == 0)
            #expect(try ImageRun.files(folder) == [String(paths[0].dropFirst(7)), "n1.svg"].sorted())
            number += 1
        }
        #expect(number > 5 && !wasKilled)
    }

    @Test
    func `what can't be removed is told once, and the rest goes`() throws {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        try PruneRun.store([1, 2, 3, 4], [], folder)
        let run = try Self.disturbed(
            "unlinkat:error=EACCES:when=1..2", ["--prune", "30d", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(
            run.errors.contains("warning: not everything is pruned, 2 failures: cannot remove images/"),
            "\(run.errors)")
        #expect(try PruneRun.pruned(folder)?["files"] == 1)
    }

    @Test
    func `a file system without locks keeps everything, and says so`() throws {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let paths = try PruneRun.store([1, 2], [], folder)
        let run = try Self.disturbed("flock:error=ENOLCK", ["--prune", "30d"], folder)
        #expect(run.status == 0)
        #expect(run.errors.contains("nothing is pruned: cannot lock images"), "\(run.errors)")
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
    }

    @Test(arguments: [("EACCES", true), ("EPERM", true), ("EROFS", false)])
    func `a picture that can't be marked is told once, unless nobody can remove it`(error: String, isTold: Bool)
        throws
    {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        try PruneRun.store([1], [], folder)
        let run = try Self.disturbed("utimensat:error=\(error)", [], folder)
        #expect(run.status == 0)
        let warning =
            "fetch-images: warning: pictures in images keep their times, as another user owns them; a run with "
            + "--prune may remove them\n"
        #expect(run.errors == (isTold ? warning : ""))
    }
}

// Stores with pictures that nobody has named for long, and runs that prune them, for the suites about --prune.

enum PruneRun {
    static let seal = "{\"$seal\":{\"records\":1,\"complete\":true}}\n"
    private static let longAgo = Date(timeIntervalSinceNow: -40 * 86_400)

    /// A record whose picture is in its URL: a picture of its own for each width.
    static func record(_ width: Int) -> String {
        "{\"id\":\(width),\"name\":\"n\(width)\",\"imageURL\":"
            + "\"data:image/svg+xml,%3Csvg width=%22\(width)%22 height=%221%22/%3E\"}\n"
    }

    /// Stores the pictures of these widths, and makes them look long unnamed.
    /// - Returns: their files, in this order.
    @discardableResult
    static func store(_ widths: [Int], _ arguments: [String], _ folder: ScratchFolder) throws -> [String] {
        let run = try ImageRun.plain(widths.map(record).joined(), arguments, folder)
        let paths = try ImageRun.paths(run)
        try #require(run.status == 0 && paths.count == widths.count)
        for path in paths { try age(path, folder) }
        return paths
    }

    static func age(_ path: String, _ folder: ScratchFolder) throws {
        try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: folder.path(path))
    }

    static func exists(_ path: String, _ folder: ScratchFolder) -> Bool {
        FileManager.default.fileExists(atPath: folder.path(path))
    }

    static func pruned(_ folder: ScratchFolder) throws -> [String: Int]? {
        try Session.object(try folder.bytes("report"))["pruned"] as? [String: Int]
    }
}
