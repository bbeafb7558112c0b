// Lists whose records come in parts on several pages, as those of MediaWiki do.

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

    @Test func `pages that add nothing come to an end`() throws {
        let same = (parts: [#"{"pageid":1,"title":"A"}"#], flag: "")
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
}
