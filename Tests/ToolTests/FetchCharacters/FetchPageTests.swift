// --page N: one page of a list, by the number that --with-page gives in a run of the whole list.

import TestSupport
import Testing

@Suite("One page by its number")
struct FetchPageTests {
    /// A list that never changes, and how its service divides it.
    struct Service {
        let isByPage: Bool
        let records: Int
        let size: Int
        /// The most records that a page has.
        let most: Int
        let first: Int
        let hasIDs: Bool
        /// The service says how many records there are.
        let hasTotal: Bool
        /// Past the end it says 404, or for pages sends the last one again; else it sends no records.
        let isMissingPastEnd: Bool
        let repeatsLast: Bool
        /// Offsets are rounded down to whole pages.
        let rounds: Bool

        init(_ random: inout SplitMix64) {
            isByPage = .random(using: &random)
            records = .random(in: 0...23, using: &random)
            size = .random(in: 2...6, using: &random)
            most = Bool.random(using: &random) ? size : .random(in: 2...6, using: &random)
            first = .random(in: 0...1, using: &random)
            hasIDs = .random(using: &random)
            hasTotal = .random(using: &random)
            isMissingPastEnd = .random(using: &random)
            repeatsLast = isByPage && !isMissingPastEnd && .random(using: &random)
            rounds = !isByPage && .random(using: &random)
        }

        var length: Int { min(size, most) }
        var parameter: String { isByPage ? "page" : "offset" }
        var firstPage: Int { isByPage ? first : 1 }
        var pages: Int { max(1, (records + length - 1) / length) }

        /// What a request for a page, or for an offset, is answered.
        func answer(_ number: Int) -> String {
            var start = number - first
            if isByPage {
                start = length * (repeatsLast ? min(start, pages - 1) : start)
            } else if rounds {
                start -= start % length
            }
            if isMissingPastEnd, start >= records, start > 0 { return "status=404" }
            let part = (start..<max(start, min(start + length, records))).map { record in
                hasIDs ? #"{"id":\#(record),"name":"n\#(record)"}"# : #"{"name":"n\#(record)"}"#
            }
            let total = hasTotal ? #","total":\#(records)"# : ""
            return FetchCharactersTests.body("{\"data\":[\(part.joined(separator: ","))]\(total)}")
        }

        func server() throws -> LocalServer {
            let numbers = 0...(isByPage ? pages + 8 : records + 8 * size)
            return try LocalServer(
                faults: numbers.map { "path=/list,query=\(parameter)=\($0)&size=\(size),\(answer($0))" })
        }

        var members: String {
            let total = hasTotal ? #","total":{"path":"$.total"}"# : ""
            let size = #"{"parameter":"size","value":\#(size)}"#
            let pagination =
                #"{"type":"\#(parameter)","parameter":"\#(parameter)","first":\#(first),"size":\#(size)\#(total)}"#
            return
                #""records":"$.data","members":{\#(hasIDs ? #""id":"id","# : "")"name":"name"},"pagination":\#(pagination)"#
        }
    }

    @Test(arguments: 1...16) func `has the records that a run of the whole list marks with it`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let service = Service(&random)
        let (server, folder) = (try service.server(), try ScratchFolder())
        let whole = try FetchSource.run(server, folder, service.members, ["--with-page"])
        try #require(whole.status == 0, "\(service) \(whole.errors)")
        let last = whole.lines.isEmpty ? 0 : service.pages
        for number in service.firstPage...service.firstPage + last + 2 {
            let run = try FetchSource.run(
                server, folder, service.members, ["--with-page", "--page", "\(number)", "--seal"])
            #expect(run.status == 0, "\(service) \(number): \(run.errors)")
            let marked = whole.lines.filter { $0.hasSuffix(#","page":\#(number)}"#) }
            #expect(run.lines.dropLast() == marked[...], "\(service), page \(number)")
            let seal = run.lines.last ?? ""
            #expect(
                seal.contains(#""records":\#(marked.count),"complete":true"#)
                    && seal.contains(#""page":\#(number)"#))
        }
    }

    @Test(arguments: [
        (#""pagination":{"type":"none"}"#, [], "sends its list in one response"),
        (#""pagination":{"type":"cursor","parameter":"c","next":"n"}"#, [], "only the page before leads to a page"),
        (#""pagination":{"type":"link-header"}"#, [], "only the page before leads to a page"),
        (#""pagination":{"type":"offset","parameter":"o"}"#, [], "no size of a page"),
        (#""pagination":{"type":"page","parameter":"p","first":4}"#, [], "begin with 4, not 3"),
        (#""pagination":{"type":"page","parameter":"p","last":2}"#, [], "sends only 2 pages"),
        (#""pagination":{"type":"page","parameter":"p"}"#, ["--twice"], "leave out --page"),
        (#""pagination":{"type":"page","parameter":"p"}"#, ["--state", "s"], "leave out --state"),
        (#""pagination":{"type":"page","parameter":"p"},"item":"/{id}""#, ["--id", "1"], "leave out --page"),
        (#""pagination":{"type":"page","parameter":"p"}"#, ["--input", "s.json"], "sends no requests"),
        (
            #""pagination":{"type":"page","parameter":"p"},"merge":{},"members":{"id":"id"}"#, [],
            "are on several pages"
        ),
    ])
    func `is refused where nothing numbers pages`(members: String, options: [String], words: String) throws {
        let server = try LocalServer()
        let run = try FetchSource.run(server, ScratchFolder(), members, ["--page", "3"] + options)
        #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
        #expect(try server.requests.isEmpty)
    }

    @Test func `replaces no store and prunes no picture`() throws {
        let server = try LocalServer()
        let run = try Session.script(
            """
            fetch-characters --base-url \(server.url) --page 2 --seal >page
            store-plist --sealed --lossy text <page; echo "store $?"
            fetch-images --allow-private --prune 0 <page >/dev/null; echo "images $?"
            """, folder: ScratchFolder())
        #expect(run.lines == ["store 65", "images 76"], "\(run.errors)")
        #expect(run.errors.contains("the input has only page 2 of a list, and a part can't replace the whole"))
        #expect(run.errors.contains("has only page 2 of a list; --prune needs the whole list"))
    }
}
