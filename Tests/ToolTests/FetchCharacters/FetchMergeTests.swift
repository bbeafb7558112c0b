// Lists whose records come in parts on several pages, as those of MediaWiki do.

import Foundation
import TestSupport
import Testing

@Suite struct FetchMergeTests {
    /// - Parameter merge: nil for a list of whole records.
    static func source(_ merge: String?) -> String {
        """
        {"name": "x", "baseURL": "http://h", "path": "/api", "records": "query.pages",
         \(merge.map { "\"merge\": \($0)," } ?? "")
         "pagination": {"type": "cursor", "parameter": "at", "next": "continue.at"},
         "members": {"id": "pageid", "name": "title", "imageURL": "image"}}
        """
    }

    static let complete = #"{"complete": "$.batchcomplete"}"#

    /// A fault for each page of a list. One without records has none.
    static func faults(_ pages: [(parts: [String], flag: String)], _ when: [Int: String] = [:]) -> [String] {
        pages.indices.map { index in
            let flag = pages[index].flag.isEmpty ? "" : #""batchcomplete":\#(pages[index].flag),"#
            let next = index + 1 < pages.count ? #""continue":{"at":"p\#(index + 1)."},"# : ""
            let parts = pages[index].parts.joined(separator: ",")
            return (index == 0 ? "" : "query=at=p\(index).,") + (when[index] ?? "")
                + FetchCharactersTests.body(#"{\#(flag)\#(next)"query":{"pages":[\#(parts)]}}"#)
        }.reversed()
    }

    /// 57 pages of a wiki, 20 at a time, with the pictures of eight in each answer.
    static func wiki(flag: String) -> [(parts: [String], flag: String)] {
        stride(from: 1, through: 57, by: 20).flatMap { first in
            let batch = Array(first..<min(first + 20, 58))
            let answers = stride(from: 0, to: batch.count, by: 8).map { Set(batch[$0..<min($0 + 8, batch.count)]) }
            return answers.indices.map { index in
                let parts = batch.map { id in
                    let picture = answers[index].contains(id) ? #","image":"http://h/\#(id).jpg""# : ""
                    return #"{"pageid":\#(id),"title":"Page \#(id)"\#(picture)}"#
                }
                return (parts, index + 1 == answers.count ? flag : "")
            }
        }
    }

    static let whole = (1...57).map {
        #"{"source":"x","id":"\#($0)","name":"Page \#($0)","imageURL":"http://h/\#($0).jpg"}"#
    }

    static let seal = #"{"$seal":{"records":57,"complete":true,"by":"cursor"}}"#

    func fetch(
        _ pages: [(parts: [String], flag: String)], _ merge: String? = complete, _ arguments: [String] = []
    ) throws -> Session {
        let folder = try ScratchFolder()
        let server = try LocalServer(faults: Self.faults(pages))
        return try FetchSource.fetch(
            server, try FetchSource.file(Self.source(merge), folder), at: "", ["--cache", "none"] + arguments)
    }

    /// A part, and a written record without a picture.
    private static func part(_ id: Int, _ members: String = "") -> String {
        #"{"pageid":\#(id),"title":"A"\#(members)}"#
    }
    private static func line(_ id: Int, _ members: String = "") -> String {
        #"{"source":"x","id":"\#(id)","name":"A"\#(members)}"#
    }

    // MARK: Whole lists

    @Test(arguments: [("true", complete), (#""""#, complete), ("true", "{}")])
    func `every record comes once, whole and in order`(flag: String, merge: String) throws {
        let run = try fetch(Self.wiki(flag: flag), merge, ["--seal"])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(run.lines.dropLast() == Self.whole[...])
        #expect(run.lines.last?.contains(#""records":57,"complete":true"#) == true)
        let twice = try fetch(Self.wiki(flag: flag), merge, ["--twice", "--seal"])
        #expect(twice.status == 0 && twice.lines.dropLast() == Self.whole[...], "\(twice.errors)")
    }

    @Test func `without merge the same list is refused`() throws {
        let run = try fetch(Self.wiki(flag: "true"), nil)
        #expect(run.status == 76 && run.errors.contains("records come in parts: see members.id and merge"))
    }

    @Test func `what waits at the end of the list is written`() throws {
        let pages = [
            (parts: [Self.part(1)], flag: ""),
            (parts: [Self.part(2, #","a":1"#), #"{"pageid":1,"b":2}"#], flag: ""),
        ]
        for merge in [Self.complete, "{}"] {
            let run = try fetch(pages, merge)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.lines == [Self.line(1, #","b":2"#), Self.line(2, #","a":1"#)])
        }
    }

    @Test func `objects and arrays are joined, null gives way, and spellings stay`() throws {
        let run = try fetch([
            (parts: [#"{"pageid":1,"title":null,"n":1.50,"tags":["a"],"o":{"x":1e2}}"#], flag: ""),
            (parts: [#"{"pageid":1,"title":"\u00c4","tags":["a"],"o":{"y":"\/"}}"#], flag: ""),
            (parts: [#"{"pageid":1,"tags":["b"],"n":null}"#], flag: "true"),
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.lines == [
                #"{"source":"x","id":"1","name":"\u00c4""# + #","n":1.50,"tags":["a","b"],"o":{"x":1e2,"y":"\/"}}"#
            ])
    }

    // MARK: Faults

    @Test func `a contradiction is 76, with the id and the member, and nothing of its batch is written`() throws {
        let run = try fetch([
            (parts: [Self.part(1)], flag: "true"), (parts: [Self.part(2)], flag: ""),
            (parts: [#"{"pageid":2,"title":"B"}"#], flag: "true"),
        ])
        #expect(run.status == 76 && run.errors.contains("id 2: title has another value"), "\(run.errors)")
        #expect(run.lines == [Self.line(1)])
    }

    @Test(arguments: [complete, "{}"]) func `a part that comes too late is 76`(merge: String) throws {
        let run = try fetch(
            [
                (parts: [Self.part(1)], flag: "true"), (parts: [Self.part(2)], flag: "true"),
                (parts: [#"{"pageid":1,"a":2}"#], flag: "true"),
            ], merge)
        #expect(run.status == 76 && run.errors.contains("id 1 came again after its record was complete"))
        #expect(run.lines == [Self.line(1), Self.line(2)])
    }

    @Test func `a part without an id is 76`() throws {
        let run = try fetch([(parts: [#"{"title":"A"}"#], flag: "true")])
        #expect(run.status == 76 && run.errors.contains("a record in parts has no id; check members.id"))
    }

    @Test func `pages that add nothing come to an end`() throws {
        let same = (parts: [Self.part(1)], flag: "")
        let run = try fetch(Array(repeating: same, count: 1010))
        #expect(run.status == 76 && run.errors.contains("1000 pages in a row have no new record"), "\(run.errors)")
        #expect(run.lines == [])
    }

    // MARK: Parts of a list

    @Test(arguments: [complete, "{}"]) func `a limit counts whole records`(merge: String) throws {
        let run = try fetch(Self.wiki(flag: "true"), merge, ["--limit", "25", "--seal"])
        #expect(run.status == 0 && run.lines.dropLast() == Self.whole[..<25], "\(run.errors)")
        #expect(run.lines.last?.contains(#""records":25"#) == true)
    }

    @Test(arguments: [complete, "{}"]) func `a run that goes on begins with the batch`(merge: String) throws {
        let folder = try ScratchFolder()
        // The fifth page is in the middle of the second batch.
        let server = try LocalServer(
            faults: Self.faults(Self.wiki(flag: "true"), [4: "times=1,status=404,"]).flatMap { fault in
                fault.contains("times=1") ? [fault, fault.replacing("times=1,status=404,", with: "")] : [fault]
            })
        let arguments = ["--cache", "none", "--seal", "--state", folder.path("state")]
        let file = try FetchSource.file(Self.source(merge), folder)
        let first = try FetchSource.fetch(server, file, at: "", arguments)
        #expect(first.status != 0 && first.lines == Array(Self.whole[..<20]), "\(first.errors)")
        let second = try FetchSource.fetch(server, file, at: "", arguments)
        #expect(second.status == 0 && second.lines.dropLast() == Self.whole[20...], "\(second.errors)")
        let targets = try server.requests.map { $0.target.split(separator: "=").last ?? "" }
        #expect(targets == ["/api", "p1.", "p2.", "p3.", "p4.", "p3.", "p4.", "p5.", "p6.", "p7.", "p8."])
    }

    @Test(arguments: 0..<4) func `a run that is killed at any moment writes whole records alone`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let pages = Self.wiki(flag: "true")
        let delays = Dictionary(uniqueKeysWithValues: pages.indices.map { ($0, "delay=2ms,") })
        let server = try LocalServer(faults: Self.faults(pages, delays))
        let folder = try ScratchFolder()
        let file = try FetchSource.file(Self.source(seed % 2 == 0 ? Self.complete : "{}"), folder)
        let arguments = [
            "--source", file, "--base-url", server.url, "--rate", "1000000/second", "--cache", "none", "--seal",
            "--state",
            folder.path("state"),
        ]
        let (output, _, runs, _, _) = try FetchStateTests.untilDone(arguments, folder, limit: 150) {
            Int.random(in: 1...25, using: &random)
        }
        let records = output.filter { !$0.contains("$seal") }
        #expect(runs > 1 && Set(records) == Set(Self.whole))
        // A batch comes twice only where the run was killed before its place was kept.
        #expect(records.count - 57 <= (runs - 1) * 20)
    }

    @Test func `one whole answer is read from a file, and one page of several is 65`() throws {
        let folder = try ScratchFolder()
        let file = try FetchSource.file(Self.source(Self.complete), folder)
        func read(_ next: String) throws -> Session {
            let answer =
                #"{"query":{"pages":[{"pageid":1,"title":"A"},{"pageid":2,"title":"A"},{"pageid":1,"b":2}]}\#(next)}"#
            return try Session(
                "fetch-characters", ["--source", file, "--input", "-", "--seal"], input: answer.utf8)
        }
        let whole = try read("")
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(
            whole.lines.dropLast() == [Self.line(1, #","b":2"#), Self.line(2)])
        let part = try read(#","continue":{"at":"2"}"#)
        #expect(
            part.status == 65 && part.lines == [] && part.errors.contains("one page of several"), "\(part.errors)")
    }

    @Test func `a plan says that records come in parts, and when they are complete`() throws {
        let folder = try ScratchFolder()
        for (merge, words) in [
            (Self.complete, "; records in parts, complete when $.batchcomplete says so;"),
            ("{}", "; records in parts;"),
        ] {
            let run = try Session(
                "fetch-characters",
                ["--source", try FetchSource.file(Self.source(merge), folder), "--plan", "--limit", "5"])
            #expect(run.status == 0 && run.errors.contains(words), "\(run.errors)")
        }
    }
}
