// `--prune` beside other runs, killed, and where the system fails.

import Foundation
import TestSupport
import Testing

@Suite("Pruning the store, disturbed")
struct PruningFaultTests {
    // MARK: Other runs

    @Test
    func `nothing goes while another run uses the store, even one that takes everything from the cache`() throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let home = try ScratchFolder()
        let paths = try PruneRun.store([1, 2], [], folder)
        let record = ImageRun.input(["\(server.url)/images/cat.png"])
        let arguments = ["--allow-private", "--dir", "images", "--max-age", "1h", "--cache", folder.path("cache")]
        #expect(try PruneRun.run(record, arguments, folder).status == 0)
        let other = try ChildProcess(
            Executables.path("fetch-images"), arguments, environment: Session.environment(home), folder: folder.path
        )
        other.write(record.utf8)
        #expect(other.line()?.contains("\"status\":\"ok\"") == true)
        let run = try PruneRun.run(PruneRun.record(1) + PruneRun.seal, ["--prune", "30d"], folder)
        #expect(run.status == 0)
        #expect(
            run.errors
                == "fetch-images: warning: nothing is pruned: another run is using images; the next one prunes it\n"
        )
        #expect(paths.allSatisfy { PruneRun.exists($0, folder) })
        other.closeInput()
        #expect(other.finish())
        #expect(try PruneRun.run(PruneRun.record(1) + PruneRun.seal, ["--prune", "30d"], folder).status == 0)
        #expect(!PruneRun.exists(paths[1], folder) && PruneRun.exists(paths[0], folder))
    }

    @Test
    func `a run waits for one that prunes, and then fails rather than work without the lock`() throws {
        let folder = try ScratchFolder()
        try PruneRun.store([1], [], folder)
        try FileManager.default.createDirectory(
            atPath: folder.path("images/.castline"), withIntermediateDirectories: true)
        try folder.write((PruneRun.record(1) + PruneRun.record(2)).utf8, to: "records")
        let command = "flock -x images/.castline -c 'fetch-images --allow-private <records'"
        let run = try Session.script(command, folder: folder)
        #expect(run.status == 73)
        #expect(run.errors.contains("images/.castline"), "\(run.errors)")
        #expect(try Session.script("fetch-images <records", folder: folder).status == 0)
    }

    @Test
    func `pruning waits for no one, and says that the store is in use`() throws {
        let folder = try ScratchFolder()
        let path = try #require(try PruneRun.store([1], [], folder).first)
        try FileManager.default.createDirectory(
            atPath: folder.path("images/.castline"), withIntermediateDirectories: true)
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
        let folder = try ScratchFolder()
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
            #expect(try PruneRun.run(PruneRun.record(1) + PruneRun.seal, ["--prune", "30d"], folder).status == 0)
            #expect(try ImageRun.files(folder) == [String(paths[0].dropFirst(7)), "n1.svg"].sorted())
            number += 1
        }
        #expect(number > 5 && !wasKilled)
    }

    @Test
    func `what can't be removed is told once, and the rest goes`() throws {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
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
        let folder = try ScratchFolder()
        try PruneRun.store([1], [], folder)
        let run = try Self.disturbed("utimensat:error=\(error)", [], folder)
        #expect(run.status == 0)
        let warning =
            "fetch-images: warning: pictures in images can't be marked as named, as another user owns them; a run with "
            + "--prune may remove them\n"
        #expect(run.errors == (isTold ? warning : ""))
    }
}
