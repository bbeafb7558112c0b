// What the recipes do on a bad night. Each row is a recipe and what goes wrong, with the status and the message that come
// of it. After each the old store is there byte for byte, nothing else is left, and the next run makes up for it.
//
// The recipes run as under cron: with PATH and nothing else in the environment. comment-changes, which fetches nothing, is in
// Transcripts.

import TestSupport
import Testing

@Suite("A recipe on a bad night", .enabled(if: ["jq", "git", "make"].allSatisfy(Shells.has), "no jq, git or make"))
struct RecipeFailureTests {
    enum Trouble: String, Sendable {
        case serviceDown, brokenOff, halfAList, missingKey, fullDisk, fullTemporaryFolder, lockHeld
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let recipe: String
        let trouble: Trouble
        let status: Int32
        /// A line of stderr begins with it; where it is empty, nothing is printed at all.
        let says: String

        init(_ recipe: String, _ trouble: Trouble, _ status: Int32, _ says: String) {
            (self.recipe, self.trouble, self.status, self.says) = (recipe, trouble, status, says)
        }

        var testDescription: String { "\(recipe), \(trouble.rawValue)" }
    }

    static let rows = [
        // One night without the service, or beside another run, is worth no mail.
        Row("refresh-store", .serviceDown, 0, ""),
        Row("refresh-store", .brokenOff, 0, ""),
        Row("refresh-store", .halfAList, 76, "fetch-characters: "),
        Row("refresh-store", .missingKey, 77, "fetch-characters: rijksmuseum-v1 needs a key"),
        Row("refresh-store", .fullDisk, 74, "store-plist: "),
        Row("refresh-store", .lockHeld, 0, ""),
        // For systemd 69 and 75 are no failure of the unit.
        Row("castline-refresh.service", .serviceDown, 69, "fetch-characters: page 1: "),
        Row("castline-refresh.service", .brokenOff, 69, "fetch-characters: page 2"),
        Row("castline-refresh.service", .halfAList, 76, "fetch-characters: "),
        Row("castline-refresh.service", .missingKey, 77, "fetch-characters: rijksmuseum-v1 needs a key"),
        Row("castline-refresh.service", .fullDisk, 74, "store-plist: "),
        Row("castline-refresh.service", .lockHeld, 75, "store-plist: "),
        // make ends with 2 and names the status.
        Row("Makefile", .serviceDown, 2, "make: *** [,characters.jsonl] Error 69"),
        Row("Makefile", .brokenOff, 2, "make: *** [,characters.jsonl] Error 69"),
        Row("Makefile", .halfAList, 2, "make: *** [,characters.jsonl] Error 76"),
        Row("Makefile", .missingKey, 2, "make: *** [,characters.jsonl] Error 77"),
        Row("Makefile", .fullDisk, 2, "make: *** [,characters.jsonl] Error 74"),
        Row("Makefile", .lockHeld, 2, "make: *** [,characters.plist] Error 75"),
        // The step asks nobody, so half a list is a recording that has lost an answer.
        Row("github-actions.yml", .halfAList, 66, "fetch-characters: "),
        Row("github-actions.yml", .fullDisk, 74, "store-plist: "),
        Row("github-actions.yml", .lockHeld, 75, "store-plist: "),
        Row("commit-changes", .serviceDown, 69, "fetch-characters: page 1: "),
        Row("commit-changes", .brokenOff, 69, "fetch-characters: page 2"),
        Row("commit-changes", .halfAList, 76, "fetch-characters: "),
        Row("commit-changes", .missingKey, 77, "fetch-characters: rijksmuseum-v1 needs a key"),
        Row("commit-changes", .fullDisk, 74, "store-plist: "),
        Row("commit-changes", .fullTemporaryFolder, 74, "fetch-characters: "),
        Row("commit-changes", .lockHeld, 75, "store-plist: "),
        Row("mail-changes", .serviceDown, 69, "fetch-characters: page 1: "),
        Row("mail-changes", .brokenOff, 69, "fetch-characters: page 2"),
        Row("mail-changes", .halfAList, 76, "fetch-characters: "),
        Row("mail-changes", .missingKey, 77, "fetch-characters: rijksmuseum-v1 needs a key"),
        Row("mail-changes", .fullDisk, 74, "store-plist: "),
        Row("mail-changes", .fullTemporaryFolder, 74, "fetch-characters: "),
        Row("mail-changes", .lockHeld, 75, "store-plist: "),
        Row("app-bundle", .serviceDown, 69, "fetch-characters: page 1: "),
        Row("app-bundle", .brokenOff, 69, "fetch-characters: page 2"),
        Row("app-bundle", .halfAList, 76, "fetch-characters: "),
        Row("app-bundle", .missingKey, 77, "fetch-characters: rijksmuseum-v1 needs a key"),
        Row("app-bundle", .fullDisk, 74, "cp: "),
        Row("app-bundle", .fullTemporaryFolder, 74, "fetch-characters: "),
    ]

    @Test(arguments: rows)
    func `says why, leaves the store as it was, and is made up for by the next run`(row: Row) throws {
        let recipe = try RecipeUnderTest(row.recipe)
        let server = try ExampleRoom.server()
        let room = try ExampleRoom(server)
        let broken = try Self.brokenServer(row.trouble)
        let run = try recipe.run(Self.script(row.trouble, recipe, server.url, broken?.url ?? ""), in: room)
        if run.status == 99 { try Test.cancel("no file system can be mounted here") }
        let errors = try room.folder.text("err")
        #expect(
            run.lines == ["status \(row.status)", "as it was", "then 0", "120 records"],
            "\(run.text)\(run.errors)\(errors)")
        if row.says.isEmpty {
            #expect(errors == "")
        } else {
            // make names its file and line before the target.
            let ends = row.says.split(separator: ",", maxSplits: 1)
            #expect(
                errors.split(separator: "\n").contains { line in
                    line.hasPrefix(ends[0]) && (ends.count == 1 || line.hasSuffix(ends[1]))
                }, "\(errors)")
        }
        #expect(try room.folder.text("out") == "")
    }

    /// A server that breaks off, or one that gives less than it says.
    private static func brokenServer(_ trouble: Trouble) throws -> LocalServer? {
        switch trouble {
        case .brokenOff: try ExampleRoom.server(faults: ["page=2,truncate"])
        case .halfAList:
            try ExampleRoom.server(faults: [#"page=3,body={"info":{"totalPages":3\,"count":120}\,"data":[]}"#])
        default: nil
        }
    }

    /// The command as cron runs it: with PATH and nothing else.
    private static let go = """
        go() {
            env -i PATH="$PATH" ${LD_LIBRARY_PATH+LD_LIBRARY_PATH="$LD_LIBRARY_PATH"} RUNNER_TEMP=.. ${TEMPORARY-} \\
                FETCH_FAULT="$1" bash -e ../command
        }
        """

    /// A run whose records differ, one with trouble, and one without.
    private static func script(
        _ trouble: Trouble, _ recipe: RecipeUnderTest, _ server: String, _ broken: String
    ) -> String {
        let fault =
            switch trouble {
            case .serviceDown: "--retries 0 --base-url http://127.0.0.1:9"
            case .brokenOff: "--retries 0 --base-url \(broken)"
            case .halfAList: recipe.losingHalf.isEmpty ? "--retries 0 --base-url \(broken)" : ""
            case .missingKey: "--source rijksmuseum-v1 --base-url \(server)/rijksmuseum-v1/api"
            case .fullDisk, .fullTemporaryFolder, .lockHeld: ""
            }
        let (before, after) =
            switch trouble {
            case .fullDisk, .fullTemporaryFolder:
                ("head -c 9M /dev/zero >../disk/fill 2>/dev/null", "rm ../disk/fill")
            case .lockHeld:
                (
                    """
                    mkfifo ../lines; store-plist \(recipe.store) <../lines >/dev/null 2>&1 & exec 3>../lines
                    until [ -e "$(dirname \(recipe.store))/.$(basename \(recipe.store)).lock" ]; do sleep 0.05; done
                    """, "exec 3>&-; wait"
                )
            case .halfAList: (recipe.losingHalf, recipe.findingHalf)
            default: ("", "")
            }
        let isFull = [.fullDisk, .fullTemporaryFolder].contains(trouble)
        return """
            mkdir disk place
            \(isFull ? "mount -t tmpfs -o size=8m tmpfs disk || exit 99" : "")
            cd \(trouble == .fullDisk ? "disk" : "place")
            \(Self.go)
            \(recipe.preparation)
            go '--with-page' >../first 2>&1 || { cat ../first; exit 1; }
            \(before)
            old=$(sha256sum \(recipe.kept)); ls -A >../names
            \(trouble == .fullTemporaryFolder ? "TEMPORARY=TMPDIR=$PWD/../disk" : "")
            go '\(fault)' >../out 2>../err; echo "status $?"
            ls -A | diff ../names -
            [ "$(sha256sum \(recipe.kept))" = "$old" ] && echo "as it was" || echo replaced
            \(after)
            TEMPORARY=
            go '' >../last 2>&1; echo "then $?"
            echo "$(store-plist --load \(recipe.store) | wc -l) records"
            """
    }

    /// A job of CI has its checkout for itself.
    @Test(arguments: [
        "refresh-store", "castline-refresh.service", "Makefile", "commit-changes", "mail-changes", "app-bundle",
    ])
    func `does its work once, of two runs at a time`(name: String) throws {
        let room = try ExampleRoom(try ExampleRoom.server())
        let recipe = try RecipeUnderTest(name, waits: true)
        let run = try recipe.run(
            """
            mkdir place; cd place
            \(Self.go)
            \(recipe.preparation)
            go '--with-page' >../first 2>&1 || { cat ../first; exit 1; }
            ls -A >../names
            go '' >../1 2>&1 & first=$!; go '' >../2 2>&1 & wait $!; echo $?; wait $first; echo $?
            ls -A | diff ../names -
            # The job reports and commits each change once.
            cat ../1 ../2 | grep -E '^(added|changed|removed) ' | sort | uniq -d
            [ ! -d .git ] || git log --format=%s | sort | uniq -d
            store-plist --load \(recipe.store) | wc -l
            """, in: room)
        #expect(run.lines == ["0", "0", "120"], "\(run.text)\(run.errors)")
    }
}
