// The recipes under scripts/examples/recipes, run as their users run them. What they print is in Transcripts/examples.

import Foundation
import TestSupport
import Testing

@Suite("The recipes")
struct RecipeTests {
    private static let folder = Fixtures.checkout + "/scripts/examples/recipes"

    /// Lists that are longer than a pipe holds: the source is cut off where the store takes no more.
    @Test
    func `end with the status of the store where that fails first`() throws {
        let folder = try ScratchFolder()
        let room = try ExampleRoom(try LocalServer(catalogue: try Self.longCatalogue(in: folder)))
        let refresh = "\(Self.folder)/refresh-store"
        let nowhere = try room.run("\(refresh) nowhere/new.plist --page-size 1000")
        #expect(nowhere.status == 73 && nowhere.text == "" && nowhere.errors.hasPrefix("store-plist: "))
        // It would wait for the lock.
        let service = try RecipeUnderTest.serviceCommand(home: ".").replacing("characters.plist", with: "new.plist")
            .replacing("--wait 10m", with: "--wait 0").replacing("--seal ", with: "--seal --page-size 1000 ")
        let held = try room.run(
            """
            echo '{"id":"1"}' | store-plist --quiet new.plist >/dev/null
            mkfifo lines; store-plist new.plist <lines >held 2>&1 & exec 3>lines
            until [ -e .new.plist.lock ]; do sleep 0.05; done; export STORE_OPTIONS='--wait 0'
            \(refresh) new.plist --page-size 1000; echo $?
            touch -d '4 days ago' new.plist
            \(refresh) new.plist --page-size 1000; echo $?
            \(service); echo $?
            exec 3>&-; wait
            """)
        // A fresh store can wait; a lock that is held for days is told.
        #expect(held.lines == ["0", "75", "75"], "\(held.text)\(held.errors)")
        #expect(held.errors.contains("store-plist: "))
    }

    private static func longCatalogue(in folder: ScratchFolder) throws -> String {
        let text = String(repeating: "x", count: 200)
        let records = (1...3000).map { #"{"_id":\#($0),"name":"Number \#($0)","text":"\#(text)"}"# }
        try folder.write("[\(records.joined(separator: ","))]".utf8, to: "catalogue")
        return folder.path("catalogue")
    }

    /// What a recipe waits for: its source, the lock of the store, git, and whoever takes its output.
    private static let waits: [(recipe: String, until: String)] = [
        ("mail-changes s.plist --base-url $HUNG", "sleep 0.3"), ("mail-changes s.plist", "sleep 1"),
        ("commit-changes s.plist --base-url $HUNG", "sleep 0.3"), ("commit-changes s.plist", "sleep 1"),
        ("commit-changes other.plist", "until [ -e hooked ]; do sleep 0.05; done"),
        ("app-bundle . --base-url $HUNG", "sleep 0.3"), ("refresh-store s.plist --base-url $HUNG", "sleep 0.3"),
        ("follow list x", "sleep 0.3"),
        ("comment-changes none long.plist >full", "sleep 1"),
    ]

    /// A recipe that waited on would wait for minutes.
    @Test(.enabled(if: ["jq", "git"].allSatisfy(Shells.has), "no jq or git"), arguments: waits.indices)
    func `end when a signal asks, whatever they wait for, and leave nothing`(number: Int) throws {
        let (recipe, until) = Self.waits[number]
        let hung = try ExampleRoom.server(faults: ["path=/,hang"])
        let room = try ExampleRoom(try ExampleRoom.server())
        for (signal, status) in [("TERM", 143), ("INT", 130)] {
            let run = try room.run(
                """
                mkdir tmp work; cd work; export TMPDIR=$PWD/../tmp HUNG=\(hung.url)
                git init -q; git config user.name a; git config user.email a; : >none >list; mkfifo full
                printf 'touch hooked; exec sleep 60' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
                seq 1 9999 | sed 's/.*/{"id":&,"name":"a name that is long enough"}/' | store-plist -q long.plist
                (flock 9; exec sleep 50) 9>.s.plist.lock & lock=$!; exec 3<>full; head -c 65536 /dev/zero >&3
                until [ -e .s.plist.lock ]; do sleep 0.05; done
                ls -A >../names
                # A background command of a shell without jobs would ignore SIGINT.
                set -m; (exec \(Self.folder)/\(recipe)) & run=$!; set +m
                \(until); kill -\(signal) $run; wait $run; echo $?
                kill $lock; ls -A -I hooked -I '*other*' | diff ../names -; ls -A ../tmp; cd ..; rm -r work tmp
                """, limitSeconds: 40)
            #expect(run.lines == ["\(status)"], "\(recipe) \(signal): \(run.text)\(run.errors)")
        }
    }

    @Test(.enabled(if: Shells.has("jq"), "no jq"))
    func `remove what a killed run had begun to write, and print what it stored`() throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        let run = try room.run(
            """
            dead=$(sh -c 'echo $$')
            touch ".s.plist.mail-changes.$dead.castline-0f" ".s.plist.mail-changes.$dead.lock" ".s.plist.mail-changes.$$.lock"
            echo '{"receipt":{"written":true,"stored":"s","records":1,"added":1}}' >s.plist.refresh-store.$dead
            \(Self.folder)/mail-changes s.plist; \(Self.folder)/refresh-store s.plist; ls -A | sed "s/$$/running/"
            """)
        let files = [".bin", ".s.plist.mail-changes.running.lock", "s.plist", "s.plist.report"]
        let news = ["120 records, first run", "s: 1 records, 1 new, null changed, null gone"]
        #expect(run.lines == news + files, "\(run.text)\(run.errors)")
    }

    @Test(.enabled(if: Shells.has("jq"), "no jq"))
    func `follow a file that grows`() throws {
        let folder = try ScratchFolder()
        try folder.write("{\"name\":\"Mick\"}\n".utf8, to: "log")
        let home = try ScratchFolder()
        let child = try ChildProcess(
            "/bin/bash", ["\(Self.folder)/follow", "log", "mick"], environment: Session.environment(home),
            folder: folder.path)
        #expect(child.line() == "Mick")
        for name in ["Pearl", "Mickey"] {
            let file = try #require(FileHandle(forWritingAtPath: folder.path("log")))
            try file.seekToEnd()
            try file.write(contentsOf: Data("{\"name\":\"\(name)\"}\n".utf8))
            try file.close()
        }
        #expect(child.line() == "Mickey")
    }

    @Test(.enabled(if: Shells.has("make"), "no make"))
    func `make files with make`() throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        let make = "make -s -f \(Self.folder)/Makefile"
        let first = try room.run(make)
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.text.hasPrefix(#"{"stored":"characters.plist","format":"xml","records":6,"#))
        let again = try room.run("\(make) -q")
        #expect(again.status == 0)
        let stale = try room.run("touch -d '2 days ago' characters.jsonl; \(make) -q")
        #expect(stale.status == 1)
    }

    @Test(.enabled(if: Shells.has("make"), "no make"))
    func `make files again that were made of something else`() throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        let make = "make -s -f \(Self.folder)/Makefile"
        let count = "store-plist --load | wc -l"
        let run = try room.run(
            """
            \(make) >/dev/null; \(count)
            \(make) QUERY=bjork >/dev/null; \(count); \(make) -q QUERY=bjork; echo $?
            \(make) QUERY="o'x, y" >/dev/null 2>&1; echo $?; \(count)
            \(make) FETCH='--search mick' QUERY= >/dev/null; \(count)
            \(make) FETCH='--search mick' QUERY= PICTURES='--name x' >/dev/null; \(count)
            store-plist --load | grep -c '"imageFile":{'
            \(make) clean; ls -A
            """)
        #expect(run.lines == ["6", "1", "0", "2", "1", "6", "6", "6", ".bin"], "\(run.errors)")
    }

    @Test(.enabled(if: Shells.has("make"), "no make"))
    func `make a store though pictures can't be had, and say which`() throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        let make = "make -s -f \(Self.folder)/Makefile QUERY="
        let some = try room.run(make)
        #expect(some.status == 0 && some.text.contains(#""records":120,"#), "\(some.text)")
        #expect(some.errors.contains(" no picture: ") && some.errors.contains("status 76"))
        // Whoever asks for no other records than those with pictures doesn't get a part of them for the whole.
        let stopped = try room.run("\(make) PICTURES=--on-error=stop")
        #expect(stopped.status == 2 && stopped.errors.contains("characters.plist] Error 65"), "\(stopped.errors)")
        let damaged = try room.run("echo '{' >>characters.jsonl; \(make)")
        #expect(damaged.status == 2 && damaged.errors.contains("found.jsonl] Error 65"), "\(damaged.errors)")
    }

    @Test(.enabled(if: Shells.has("systemd-analyze"), "no systemd-analyze"))
    func `have a service and a timer that systemd takes`() throws {
        let judged = try Session.script(
            "cp \(Self.folder)/castline-refresh.* .; systemd-analyze verify --user --man=no castline-refresh.timer")
        #expect(judged.errors.split(separator: "\n").filter { $0.contains("castline-refresh") } == [])
    }

    @Test(.enabled(if: Executables.testsPackages && Shells.has("swiftc"), "scripts/test --packages runs it"))
    func `make a property list for an app and the type that decodes it`() throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        let made = try room.run("mkdir Resources && \(Self.folder)/app-bundle Resources && ls -A Resources")
        #expect(made.status == 0 && made.errors == "", "\(made.errors)")
        #expect(made.lines == ["Catalogue.plist", "CatalogueEntry.swift"])
        let names = try Session.script(
            """
            swiftc Resources/CatalogueEntry.swift \(Self.folder)/app-bundle.swift -o names && ./names Resources/Catalogue.plist
            """, folder: room.folder, limitSeconds: 300)
        #expect(names.status == 0 && names.lines.count == 120, "\(names.errors)")
        #expect(names.lines.first == "214 Mick Tidewater")
    }

    @Test(.enabled(if: Shells.has("shellcheck"), "no shellcheck"))
    func `have nothing that shellcheck finds`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        let scripts = names.filter { !$0.contains(".") && $0 != "Makefile" }.map { "\(Self.folder)/\($0)" }
        let run = try Session("/usr/bin/env", ["shellcheck"] + scripts)
        #expect(run.status == 0, "\(run.text)")
    }

    /// The step replays answers that were recorded before.
    @Test
    func `build in GitHub Actions without a network`() throws {
        let server = try ExampleRoom.server()
        let room = try ExampleRoom(server)
        _ = try room.run("mkdir -p Tests Resources; fetch-characters --record Tests/answers >/dev/null")
        // Nothing may be asked.
        server.stop()
        let run = try room.run("set -eo pipefail\n" + RecipeUnderTest.step(), environment: ["RUNNER_TEMP": "."])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.contains(#""records":120"#))
    }
}
