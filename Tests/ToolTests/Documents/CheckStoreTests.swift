// The recipe check-store: 0 with a sentence for a store that is fresh, complete and unchanged, 1 with a sentence for any other.

import TestSupport
import Testing

@Suite("The recipe check-store", .enabled(if: Shells.has("jq"), "no jq"))
struct CheckStoreTests {
    private static let recipe = Fixtures.checkout + "/scripts/examples/recipes/check-store"
    private static let records = "{\"source\":\"x\",\"id\":1}\n{\"id\":2}\n"
    private static let seal = #"{"$seal":{"records":2,"complete":true,"by":"count"}}"# + "\n"

    /// What happens to a sealed store and its report before they are checked, the options, and the sentence: of a store that is
    /// well it begins with the file's name.
    private static let rows: [(change: String, options: String, sentence: String)] = [
        ("", "", "s.plist has a whole list of 2 records, as of 20"),
        ("", "--within 30d --min-records 2", "s.plist has a whole list"),
        ("", "--within=90", "s.plist has a whole"),
        ("", "--within 1h30m", "s.plist has a whole"),
        ("", "--min-records=3", "s.plist has 2 of at least 3 records"),
        ("sleep 1.1", "--within 1s", "s.plist is of 20"), ("sleep 1.1", "--within 100ms", "s.plist is of 20"),
        // A run that finds nothing new to write is a fresh one.
        (
            "sleep 2.1; store-plist -q --sealed --report r s.plist <sealed", "--within 2s",
            "s.plist has a whole list"
        ),
        ("echo >>s.plist", "", "s.plist isn't the file that the run of 20"),
        ("rm s.plist", "", "s.plist isn't there"),
        ("mv s.plist t; mkdir s.plist", "", "s.plist isn't there"),
        ("touch s.plist", "", "s.plist has a whole list"),
        ("mv s.plist t; ln -s t s.plist", "", "s.plist has a whole list"),
        (
            "store-plist -q --sealed --report r s.plist <plain", "",
            "the last run failed with status 65: the input ended"
        ),
        ("store-plist -q --report r s.plist <plain", "", "no complete seal vouches for the records of s.plist"),
        ("store-plist -q --report r s.plist <plain", "--unsealed", "s.plist has 2 records, as of 20"),
        ("store-plist -q --on-bad-line=skip --report r s.plist <bad", "", "no complete seal vouches"),
        (
            "store-plist -q --report r s.plist <stale", "",
            "the service failed, so the records of s.plist are those of 2026"
        ),
        ("store-plist -q --report r s.plist <stale", "--unsealed", "s.plist has 2 records"),
        (
            "store-plist -q --mode merge --key id --report r s.plist <part", "",
            "the records of s.plist are only a part"
        ),
        ("store-plist -q --report r s.jsonl <sealed", "", "s.jsonl has a whole list of 2 records"),
        ("store-plist -q --report r - <sealed >s.plist", "", "r has no hash or time of -"),
        ("store-plist -q --report r --load s.plist >o", "", "the run of r stored nothing"),
        ("filter-search -c --report r x sealed >o", "", "r is the report of filter-search, not of store-plist"),
        ("rm r", "", "r can't be read"), (": >r", "", "r isn't a report"),
        ("echo '[1]' >r", "", "r isn't a report"),
        ("echo '{' >r", "", "r isn't a report"), ("cat r r >q; mv q r", "", "r isn't a report"),
        (#"sed -i 's/"at":"20/"at":"30/' r"#, "", "s.plist is of 30"),
        (#"sed -i 's/"at":"20/"at":"xx/' r"#, "", "r has no hash"),
        // Seen from elsewhere, the file is the one beside the report.
        ("mkdir d; mv s.plist r d; echo other >s.plist; mv d/r r; ln r d/r", "", "s.plist isn't the file"),
    ]

    @Test(arguments: rows.indices)
    func `judges the store by its report`(number: Int) throws {
        let row = Self.rows[number]
        let folder = try ScratchFolder()
        try folder.write((Self.records + Self.seal).utf8, to: "sealed")
        try folder.write(Self.records.utf8, to: "plain")
        try folder.write(("[1]\n" + Self.records + Self.seal).utf8, to: "bad")
        for (name, member) in [("stale", #""stale":"2026-11-28T04:17:00Z""#), ("part", #""limit":2"#)] {
            let seal = Self.seal.replacing("\"count\"", with: "\"count\"," + member)
            try folder.write((Self.records + seal).utf8, to: name)
        }
        let prepared = try Session.script(
            "store-plist -q --sealed --report r s.plist <sealed; \(row.change)", folder: folder)
        #expect([0, 65].contains(prepared.status), "\(prepared.errors)")
        let run = try Session.script("sh \(Self.recipe) r \(row.options)", folder: folder)
        let isWell = row.sentence.contains(" has a whole") || row.sentence.contains("has 2 records")
        #expect(run.status == (isWell ? 0 : 1), "\(run.text)\(run.errors)")
        let sentence = isWell ? run.text : run.errors
        #expect((isWell ? run.errors : run.text) == "")
        #expect(sentence.hasPrefix((isWell ? "" : "check-store: ") + row.sentence), "\(sentence)")
        #expect(sentence.count { $0 == "\n" } == 1 && sentence.hasSuffix("\n"))
    }

    @Test func `finds the file beside the report, from anywhere`() throws {
        let folder = try ScratchFolder()
        try folder.write((Self.records + Self.seal).utf8, to: "sealed")
        let script = """
            mkdir a b; cd a; store-plist -q --sealed --report s.report s.plist <../sealed; cd ../b
            sh \(Self.recipe) ../a/s.report; echo other >s.plist; sh \(Self.recipe) ../a/s.report
            """
        let run = try Session.script(script, folder: folder)
        #expect(run.status == 0 && run.lines.count == 2, "\(run.errors)")
    }

    @Test(arguments: [
        "", "r s", "r --within", "r --within x", "r --within 3y", "r --min-records -1", "r --min-records x", "-x r",
        "''",
    ])
    func `refuses a wrong command line`(options: String) throws {
        let run = try Session.script("sh \(Self.recipe) \(options)", folder: ScratchFolder())
        #expect(run.status == 64 && run.text == "" && !run.errors.isEmpty)
    }
}
