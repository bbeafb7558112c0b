// The recipes that tell what has changed in a store, under scripts/examples/recipes, run as their users run them.

import Foundation
import TestSupport
import Testing

@Suite("The recipes about changes", .enabled(if: Shells.has("jq"), "no jq"))
struct ChangeRecipeTests {
    private static let folder = Fixtures.checkout + "/scripts/examples/recipes"
    private static let mail = folder + "/mail-changes"

    /// Three lists, one after the other: a record comes, one changes, one goes.
    private static let first = [
        #"{"_id":1,"name":"Mick","films":["Tide","Salt"]}"#, #"{"_id":2,"name":"Pearl|`@all`"}"#,
    ]
    private static let second = [
        #"{"_id":1,"name":"Mick","films":["Tide","Foam"]}"#, #"{"_id":3,"name":"A\u0085[1m\nB"}"#,
    ]

    /// The totals, and a line for each change from the first list to the second.
    private static func changes(after blank: [String]) -> [String] {
        ["1 added, 1 changed, 1 removed"] + blank
            + ["changed 1, Mick: films[1]: Salt → Foam", "added 3, A [1m B", "removed 2, Pearl|`@all`"]
    }

    /// A server of these records alone.
    private static func server(_ records: [String]) throws -> LocalServer {
        let folder = try ScratchFolder()
        try folder.write("[\(records.joined(separator: ","))]".utf8, to: "catalogue")
        return try LocalServer(catalogue: folder.path("catalogue"))
    }

    // MARK: mail-changes

    @Test
    func `mail what has changed, and nothing when nothing has`() throws {
        let room = try ExampleRoom(try Self.server(Self.first))
        let other = try Self.server(Self.second)
        let new = try room.run("\(Self.mail) s.plist")
        #expect(new.status == 0 && new.errors == "", "\(new.errors)")
        #expect(new.lines == ["2 records, first run"])
        let same = try room.run("\(Self.mail) s.plist")
        #expect(same.status == 0 && same.text == "" && same.errors == "")
        let changed = try room.run("\(Self.mail) s.plist --base-url \(other.url)")
        #expect(changed.status == 0 && changed.errors == "")
        #expect(changed.lines == Self.changes(after: []))
        #expect(try room.folder.names().filter { $0.hasPrefix("s.plist") } == ["s.plist"])
    }

    @Test
    func `mail only what is newer, where the source can be asked for that`() throws {
        let room = try ExampleRoom(try LocalServer())
        let source = """
            {"name": "x", "baseURL": "http://h", "path": "/oddities/changes", "records": "$",
             "since": {"parameter": "since", "format": "date", "member": "updated"},
             "pagination": {"type": "page", "parameter": "page"}, "members": {"id": "id", "name": "name"}}
            """
        try room.folder.write(source.utf8, to: "notes.json")
        let command = "NEWEST=updated \(Self.mail) s.plist --source notes.json"
        let all = try room.run(command)
        #expect(all.status == 0 && all.errors == "" && all.lines == ["23 records, first run"], "\(all.errors)")
        let again = try room.run(command)
        #expect(again.status == 0 && again.text == "" && again.errors == "", "\(again.errors)")
        let stored = try room.run("store-plist --load s.plist | wc -l; store-plist --newest updated s.plist")
        #expect(stored.lines.first == "23")
    }

    @Test
    func `mail what a killed run has stored and not told, but not what another one is about to tell`() throws {
        let room = try ExampleRoom(try Self.server(Self.first))
        let line = #"{"change":"removed","key":"9","was":{"name":"Old"}}"# + "\n"
        let run = try room.run(
            """
            sh -c 'echo $$' >dead
            printf '%s' '\(line)' | tee s.plist.changes.$(cat dead) s.plist.changes.$$ >s.plist.changes.bak
            \(Self.mail) s.plist; ls s.plist.changes.* | sed "s/$$/mine/"
            """)
        #expect(run.status == 0)
        let kept = ["s.plist.changes.mine", "s.plist.changes.bak"]
        #expect(run.lines == ["1 removed", "removed 9, Old", "2 records, first run"] + kept)
        // Where nobody takes the mail, the next run tells it.
        let lost = try room.run("rm s.plist s.plist.changes.*; \(Self.mail) s.plist >/dev/full")
        #expect(lost.status != 0)
        #expect(
            try room.run("\(Self.mail) s.plist").lines == ["2 added", "added 1, Mick", "added 2, Pearl|`@all`"])
    }

    // MARK: commit-changes

    @Test(.enabled(if: Shells.has("git"), "no git"))
    func `commit a store with what has changed as the message`() throws {
        let room = try ExampleRoom(try Self.server(Self.first))
        let other = try Self.server(Self.second)
        let commit = "\(Self.folder)/commit-changes data/s.plist"
        let run = try room.run(
            """
            git init -q; git config user.name a; git config user.email a; mkdir data; echo 1 >beside; git add beside
            \(commit); git log --format=%B; git status --short --untracked-files=no; \(commit)
            \(commit) --base-url \(other.url); git log --format=%B -1
            git log --oneline | wc -l
            """)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(
            run.lines == [
                "2 records, first run", "", "A  beside",
            ] + Self.changes(after: [""]) + ["", "2"])
        // A run that was killed before its commit, or whose commit failed, costs nothing.
        let late = try room.run(
            """
            fetch-characters --base-url \(try Self.server(Self.first).url) | store-plist -q --key id data/s.plist >/dev/null
            touch .git/index.lock; \(commit) 2>/dev/null; echo $?; rm .git/index.lock
            \(commit); git log --format=%s -1; \(commit); git log --oneline | wc -l
            """)
        #expect(late.lines == ["75", "1 added, 1 changed, 1 removed", "3"], "\(late.errors)")
        let elsewhere = try room.run("rm -rf .git; \(commit)")
        #expect(elsewhere.status == 66 && elsewhere.errors.contains("git"))
    }

    @Test
    func `list 500 changes, and count the rest`() throws {
        let records = (1...502).map { #"{"_id":\#($0),"name":"N\#($0)"}"# }
        let room = try ExampleRoom(try Self.server(records))
        let other = try Self.server(records.map { $0.replacing("N", with: "O") })
        let run = try room.run(
            """
            git init -q; git config user.name a; git config user.email a
            for recipe in mail-changes commit-changes; do
                \(Self.folder)/$recipe $recipe.plist >first; \(Self.folder)/$recipe $recipe.plist --base-url \(other.url)
            done
            git log --format=%B -1
            """)
        let mails: [[String]] = [Array(run.lines.prefix(502)), run.lines.dropFirst(502).filter { $0 != "" }]
        for lines in mails {
            #expect(lines.first == "502 changed" && lines.dropFirst().first == "changed 1, O1: name: N1 → O1")
            #expect(lines.count == 502 && lines.last == "and 2 more", "\(run.errors)")
        }
    }

    // MARK: comment-changes

    @Test
    func `comment on what a change does to a store, as a table`() throws {
        let folder = try ScratchFolder()
        let comment = "\(Self.folder)/comment-changes"
        let rows = { (records: [String]) in records.map { $0.replacing("_id", with: "id") }.joined(separator: "\n")
        }
        try folder.write(rows(Self.first).utf8, to: "1")
        try folder.write(rows(Self.second).utf8, to: "2")
        let run = try Session.script(
            """
            for i in 1 2; do store-plist -q $i.plist <$i >/dev/null; done; : >none
            \(comment) 1.plist 2.plist; \(comment) 1.plist 1.plist; \(comment) none 1.plist | head -n 1
            \(comment) absent 1.plist 2>/dev/null; echo $?
            """, folder: folder)
        #expect(
            run.lines == [
                "`2.plist`: 1 added, 1 changed, 1 removed", "", "| | key | name | what differs |",
                "|---|---|---|---|",
                "| changed | `1` | `Mick` | `films[1]` |", "| added | `3` | `A [1m B` |  |",
                #"| removed | `2` | `Pearl\|'@all'` |  |"#, "`1.plist`: 2 added", "66",
            ], "\(run.text)\(run.errors)")
    }

    // MARK: All of them

    @Test(.enabled(if: Shells.has("shellcheck"), "no shellcheck"))
    func `have nothing that shellcheck finds`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        let scripts = names.filter { !$0.contains(".") && $0 != "Makefile" }.map { "\(Self.folder)/\($0)" }
        let run = try Session("/usr/bin/env", ["shellcheck"] + scripts)
        #expect(run.status == 0, "\(run.text)")
    }
}
