// `--prune`: the store loses what nobody names any more, and nothing else.

import Foundation
import TestSupport
import Testing

@Suite("Pruning the store of fetch-images")
struct PruningTests {
    private static let seal = "{\"$seal\":{\"records\":1,\"complete\":true}}\n"
    private static let longAgo = Date(timeIntervalSinceNow: -40 * 86_400)

    /// A record whose picture is in its URL: a picture of its own for each width.
    private static func record(_ width: Int) -> String {
        "{\"id\":\(width),\"name\":\"n\(width)\",\"imageURL\":"
            + "\"data:image/svg+xml,%3Csvg width=%22\(width)%22 height=%221%22/%3E\"}\n"
    }

    private static func run(
        _ input: String, _ arguments: [String], _ folder: ScratchFolder
    ) throws -> Session {
        try Session(
            "fetch-images", ["--allow-private", "--retries", "0"] + arguments, input: input.utf8, folder: folder)
    }

    /// Stores the pictures of these widths, and makes them look long unnamed.
    /// - Returns: their files, in this order.
    @discardableResult
    private static func store(
        _ widths: [Int], _ arguments: [String], _ folder: ScratchFolder
    ) throws -> [String] {
        let run = try run(widths.map(record).joined(), arguments, folder)
        let paths = try paths(run)
        try #require(run.status == 0 && paths.count == widths.count)
        for path in paths { try age(path, folder) }
        return paths
    }

    private static func age(_ path: String, _ folder: ScratchFolder) throws {
        try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: folder.path(path))
    }

    /// The pictures of the records that have one.
    private static func paths(_ run: Session) throws -> [String] {
        try run.lines.compactMap { line in
            let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (record?["imageFile"] as? [String: Any])?["path"] as? String
        }
    }

    private static func exists(_ path: String, _ folder: ScratchFolder) -> Bool {
        FileManager.default.fileExists(atPath: folder.path(path))
    }

    private static func pruned(_ folder: ScratchFolder) throws -> [String: Int]? {
        let report = try JSONSerialization.jsonObject(with: Data(try folder.bytes("report"))) as? [String: Any]
        return report?["pruned"] as? [String: Int]
    }

    // MARK: What goes

    @Test
    func `what no record names and no run has named for that long goes, with its names, and is counted`() throws {
        let folder = try ScratchFolder()
        let paths = try Self.store([1, 2, 3], ["--name", "{name}"], folder)
        let bytes = try folder.bytes(paths[2]).count
        let run = try Self.run(
            Self.record(1) + Self.seal, ["--prune", "30d", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(try ImageRun.files(folder) == [String(paths[0].dropFirst(7)), "n1.svg"].sorted())
        #expect(try Self.pruned(folder) == ["files": 2, "names": 2, "bytes": 2 * bytes])
        #expect(run.lines.last == String(Self.seal.dropLast()))
    }

    @Test
    func `a picture that a run has named since then stays, however old its file`() throws {
        let folder = try ScratchFolder()
        let paths = try Self.store([1, 2], [], folder)
        #expect(try Self.run(Self.record(2), [], folder).status == 0)
        let run = try Self.run(Self.record(1) + Self.seal, ["--prune", "1h", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(Self.exists(paths[1], folder))
        #expect(try Self.pruned(folder) == ["files": 0, "names": 0, "bytes": 0])
        #expect(try Self.run(Self.record(1) + Self.seal, ["--prune", "0s"], folder).status == 0)
        #expect(!Self.exists(paths[1], folder) && Self.exists(paths[0], folder))
    }

    @Test(arguments: [[], ["--max-age", "1h"], ["--cache", "none"], ["--offline"], ["--embed"]])
    func `a picture counts as named however it was got`(_ arguments: [String]) throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let input = ImageRun.input(["\(server.url)/images/cat.png"])
        let cache = ["--cache", folder.path("cache")]
        let path = try #require(try Self.paths(Self.run(input, cache, folder)).first)
        try Self.age(path, folder)
        #expect(try Self.run(input, cache + arguments, folder).status == 0)
        let run = try Self.run(Self.record(1) + Self.seal, cache + ["--prune", "1h"], folder)
        #expect(run.status == 0)
        #expect(Self.exists(path, folder))
    }

    @Test
    func `the placeholder stays where a record got it`() throws {
        let folder = try ScratchFolder()
        let input = ImageRun.input(["http://127.0.0.1:1/none.png"]) + Self.seal
        let run = try Self.run(input, ["--placeholder", "--prune", "0s"], folder)
        #expect(run.status == 0)
        let path = try #require(try Self.paths(run).first)
        #expect(Self.exists(path, folder))
    }

    @Test
    func `a picture that can't be had today keeps the file that it had, through a redirect too`() throws {
        let folder = try ScratchFolder()
        let cache = ["--cache", folder.path("cache")]
        var paths: [String] = []
        var input = ""
        do {
            let server = try LocalServer(faults: ["path=/moved.png,redirect=/images/fox.png"])
            input = ImageRun.input(["\(server.url)/images/cat.png", "\(server.url)/moved.png"]) + Self.seal
            let run = try Self.run(input, cache, folder)
            paths = try Self.paths(run)
            try #require(run.status == 0 && paths.count == 2, "\(run.errors)")
        }
        for path in paths { try Self.age(path, folder) }
        let run = try Self.run(input, cache + ["--prune", "30d"], folder)
        #expect(run.status == 69)
        #expect(paths.allSatisfy { Self.exists($0, folder) })
        for path in paths { try Self.age(path, folder) }
        #expect(try Self.run(input, ["--cache", "none", "--prune", "30d"], folder).status == 69)
        #expect(try ImageRun.files(folder) == [])
    }

    @Test
    func `a picture that this run refuses as too large keeps its file`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let input = ImageRun.input(["\(server.url)/images/cat.png"]) + Self.seal
        let cache = ["--cache", folder.path("cache"), "--max-age", "1h"]
        let path = try #require(try Self.paths(Self.run(input, cache, folder)).first)
        let run = try Self.run(input, cache + ["--max-bytes", "9", "--prune", "0s"], folder)
        #expect(run.status == 76)
        #expect(Self.exists(path, folder))
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
            "{\"$seal\":{\"records\":1,\"complete\":true}}\n" + record(1),
            "<stdin> has no seal; write fetch-characters --seal"
        ),
    ])
    func `nothing goes unless the input ends with a complete seal of the whole`(end: String, warning: String) throws
    {
        let folder = try ScratchFolder()
        let paths = try Self.store([1, 2], [], folder)
        let run = try Self.run(Self.record(1) + end, ["--prune", "30d", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(run.errors == "fetch-images: warning: nothing is pruned: \(warning)\n")
        #expect(paths.allSatisfy { Self.exists($0, folder) })
        #expect(try Self.pruned(folder) == ["files": 0, "names": 0, "bytes": 0])
    }

    @Test
    func `nothing goes where a line was skipped, which may name a picture`() throws {
        let folder = try ScratchFolder()
        let paths = try Self.store([1, 2], [], folder)
        let run = try Self.run(Self.record(1) + "{bad\n" + Self.seal, ["--prune", "30d"], folder)
        #expect(run.status == 65)
        #expect(run.errors.contains("nothing is pruned: a line that was skipped may name a picture; correct it"))
        #expect(paths.allSatisfy { Self.exists($0, folder) })
    }

    @Test
    func `nothing goes where the run ends early`() throws {
        let folder = try ScratchFolder()
        let paths = try Self.store([1, 2], [], folder)
        let input = ImageRun.input(["http://127.0.0.1:1/none.png"]) + Self.seal
        let run = try Self.run(input, ["--prune", "30d", "--on-error=stop"], folder)
        #expect(run.status == 69)
        #expect(paths.allSatisfy { Self.exists($0, folder) })
    }

    @Test
    func `what castline didn't make stays`() throws {
        let folder = try ScratchFolder()
        let path = try #require(try Self.store([1], [], folder).first)
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
        let run = try Self.run(Self.record(2) + Self.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0 && run.errors == "")
        let new = try #require(try Self.paths(run).first).dropFirst(7)
        #expect(try ImageRun.files(folder) == (before.filter { $0 != path.dropFirst(7) } + [String(new)]).sorted())
        #expect(try folder.bytes("images/mine.png").count > 0)
    }

    @Test
    func `a file of the future stays, as the clock was set back`() throws {
        let folder = try ScratchFolder()
        let path = try #require(try Self.store([1], [], folder).first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 86_400)], ofItemAtPath: folder.path(path))
        #expect(try Self.run(Self.record(2) + Self.seal, ["--prune", "0s"], folder).status == 0)
        #expect(Self.exists(path, folder))
    }

    // MARK: Other runs

    @Test
    func `nothing goes while another run uses the store, even one that takes everything from the cache`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let home = try ScratchFolder()
        let paths = try Self.store([1, 2], [], folder)
        let record = ImageRun.input(["\(server.url)/images/cat.png"])
        let arguments = ["--allow-private", "--dir", "images", "--max-age", "1h", "--cache", folder.path("cache")]
        #expect(try Self.run(record, arguments, folder).status == 0)
        let other = try ChildProcess(
            Executables.path("fetch-images"), arguments, environment: Session.environment(home), folder: folder.path
        )
        other.write(record.utf8)
        #expect(other.line()?.contains("\"status\":\"ok\"") == true)
        let run = try Self.run(Self.record(1) + Self.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0)
        #expect(
            run.errors
                == "fetch-images: warning: nothing is pruned: another run is using images; the next one prunes it\n"
        )
        #expect(paths.allSatisfy { Self.exists($0, folder) })
        other.closeInput()
        #expect(other.finish())
        #expect(try Self.run(Self.record(1) + Self.seal, ["--prune", "30d"], folder).status == 0)
        #expect(!Self.exists(paths[1], folder) && Self.exists(paths[0], folder))
    }

    @Test
    func `a run waits for one that prunes, and then fails rather than work without the lock`() throws {
        let folder = try ScratchFolder()
        try Self.store([1], [], folder)
        try FileManager.default.createDirectory(
            atPath: folder.path("images/.castline"), withIntermediateDirectories: true)
        try folder.write((Self.record(1) + Self.record(2)).utf8, to: "records")
        let command = "flock -x images/.castline -c 'fetch-images --allow-private <records'"
        let run = try Session.script(command, folder: folder)
        #expect(run.status == 73)
        #expect(run.errors.contains("images/.castline"), "\(run.errors)")
        #expect(try Session.script("fetch-images <records", folder: folder).status == 0)
    }

    @Test
    func `pruning waits for no one, and says that the store is in use`() throws {
        let folder = try ScratchFolder()
        let path = try #require(try Self.store([1], [], folder).first)
        try FileManager.default.createDirectory(
            atPath: folder.path("images/.castline"), withIntermediateDirectories: true)
        try folder.write(("{\"id\":1}\n" + Self.seal).utf8, to: "records")
        let command = "flock -x images/.castline -c 'fetch-images --field imageURL --prune 0s <records'"
        let run = try Session.script(command, folder: folder)
        #expect(run.status == 0)
        #expect(run.errors.contains("nothing is pruned: another run is using images; the next one prunes it"))
        #expect(Self.exists(path, folder))
    }

    @Test
    func `a run that begins while another one prunes comes in between`() throws {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let folder = try ScratchFolder()
        let paths = try Self.store(Array(1...150), [], folder)
        try folder.write((Self.record(150) + Self.seal).utf8, to: "named")
        try folder.write((Self.record(1) + Self.seal).utf8, to: "records")
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
        #expect(Self.exists(paths[0], folder) && Self.exists("images/" + paths[149].dropFirst(7), folder))
    }

    // MARK: Failures

    /// Runs with one of its calls failing or killing it.
    private static func disturbed(_ call: String, _ arguments: [String], _ folder: ScratchFolder) throws -> Session
    {
        try folder.write((record(1) + seal).utf8, to: "records")
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
            let paths = try Self.store([1, 2, 3], ["--name", "{name}"], folder)
            let run = try Self.disturbed(
                "unlinkat:signal=KILL:when=\(number)", ["--prune", "30d", "--name", "'{name}'"], folder)
            wasKilled = run.status == 137
            #expect(wasKilled || run.status == 0)
            #expect(Self.exists(paths[0], folder) && Self.exists("images/n1.svg", folder))
            for (path, name) in [(paths[1], "n2.svg"), (paths[2], "n3.svg")] {
                #expect(Self.exists(path, folder) || !Self.exists("images/\(name)", folder))
            }
            #expect(try Self.run(Self.record(1) + Self.seal, ["--prune", "30d"], folder).status == 0)
            #expect(try ImageRun.files(folder) == [String(paths[0].dropFirst(7)), "n1.svg"].sorted())
            number += 1
        }
        #expect(number > 5 && !wasKilled)
    }

    @Test
    func `what can't be removed is told once, and the rest goes`() throws {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let folder = try ScratchFolder()
        try Self.store([1, 2, 3, 4], [], folder)
        let run = try Self.disturbed(
            "unlinkat:error=EACCES:when=1..2", ["--prune", "30d", "--report", "report"], folder)
        #expect(run.status == 0)
        #expect(
            run.errors.contains("warning: not everything is pruned, 2 failures: cannot remove images/"),
            "\(run.errors)")
        #expect(try Self.pruned(folder)?["files"] == 1)
    }

    @Test
    func `a file system without locks keeps everything, and says so`() throws {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let folder = try ScratchFolder()
        let paths = try Self.store([1, 2], [], folder)
        let run = try Self.disturbed("flock:error=ENOLCK", ["--prune", "30d"], folder)
        #expect(run.status == 0)
        #expect(run.errors.contains("nothing is pruned: cannot lock images"), "\(run.errors)")
        #expect(paths.allSatisfy { Self.exists($0, folder) })
    }

    @Test(arguments: [("EACCES", true), ("EPERM", true), ("EROFS", false)])
    func `a picture that can't be marked is told once, unless nobody can remove it`(error: String, isTold: Bool)
        throws
    {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let folder = try ScratchFolder()
        try Self.store([1], [], folder)
        let run = try Self.disturbed("utimensat:error=\(error)", [], folder)
        #expect(run.status == 0)
        let warning =
            "fetch-images: warning: pictures in images can't be marked as named, as another user owns them; a run with "
            + "--prune may remove them\n"
        #expect(run.errors == (isTold ? warning : ""))
    }

    @Test(arguments: [
        (["--prune", "soon"], "--prune takes a duration such as 500ms, 5s, 5m30s, 2h or 7d, not 'soon'"),
        (["--prune", "30d", "--verify"], "--verify reads no records; leave out --prune"),
    ])
    func `a wrong use is 64`(arguments: [String], message: String) throws {
        let run = try Self.run("", arguments, try ScratchFolder())
        #expect(run.status == 64)
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
