// States that are damaged, another command's, or cut short.

import TestSupport
import Testing

extension FetchStateTests {
    private func fetch(_ server: LocalServer, _ more: [String] = []) throws -> Session {
        try Session("fetch-characters", Self.arguments(server, more), folder: folder)
    }

    @Test func `a place that is damaged or another command's is 65 before anything is asked`() throws {
        let server = try LocalServer(faults: ["page=2,status=404"])
        // A request ahead would still be on its way to the log.
        #expect(try fetch(server, ["--jobs", "1"]).status == 76)
        let place = try folder.bytes("state")
        let count = try server.requests.count
        let others = [
            ["--raw"], ["--with-page"], ["--limit", "7"], ["--page-size", "9"],
            ["--param", "a=b"], ["--search", "x"], ["--id", "12"],
        ]
        for more in others {
            let run = try fetch(server, more)
            #expect(run.status == 65 && run.output.isEmpty && run.errors.contains("another command"), "\(more)")
        }
        var random = SplitMix64(seed: 1)
        for _ in 0..<40 {
            var damaged = place
            if Bool.random(using: &random) {
                damaged[Int.random(in: 0..<damaged.count - 1, using: &random)] ^= 1
            } else {
                damaged.insert(0x20, at: Int.random(in: 0..<damaged.count, using: &random))
            }
            try folder.write(damaged, to: "state")
            let run = try fetch(server)
            #expect(run.status == 65 && run.output.isEmpty && run.errors.contains("remove it to start over"))
        }
        let first = try #require(place.firstIndex(of: 0x0A))
        for whole in [[], Array("x".utf8), Array("{}\n".utf8), Array(place[..<first])] {
            try folder.write(whole, to: "state")
            let run = try fetch(server)
            #expect(run.status == 65 && run.errors.contains("remove it to start over"), "\(whole)")
        }
        try folder.write(Self.oldPlace.utf8, to: "state")
        let old = try fetch(server)
        #expect(old.status == 65 && old.errors.contains("another version"), "\(old.errors)")
        #expect(try server.requests.count == count)
        try folder.write(place, to: "state")
        // What changes neither the records nor their order may change.
        let run = try fetch(server, ["--jobs", "2", "--retries", "0", "--seal"])
        #expect(try run.status == 76 && run.output.isEmpty && (server.requests.count) > count)
    }

    @Test func `the beginning of a line is none, and the page that it was for comes again`() throws {
        let server = try LocalServer(faults: ["page=3,status=404"])
        #expect(try fetch(server, ["--jobs", "1"]).status == 76)
        let place = try folder.bytes("state")
        let lines = place.split(separator: 0x0A, omittingEmptySubsequences: false)
        #expect(lines.count == 4 && lines[3].isEmpty)
        let second = lines[0].count + 1 + lines[1].count + 1
        for cut in [1, 2, 40, lines[2].count - 1, lines[2].count, lines[2].count + 1] {
            try folder.write(place.dropLast(cut), to: "state")
            let run = try fetch(server, ["--jobs", "1"])
            #expect(run.status == 76 && run.lines.count == 50, "\(run.errors)")
            // What was left of the line is gone, and the page's line is there again.
            let again = try folder.bytes("state").split(separator: 0x0A, omittingEmptySubsequences: false)
            #expect(again.count == 4 && again[0] == lines[0] && again[3].isEmpty)
        }
        // Without either page all comes again.
        try folder.write(place.prefix(second - 1), to: "state")
        #expect(try fetch(server, ["--jobs", "1"]).lines.count == 100)
    }

    @Test func `each page adds a line to the place, which doesn't grow with the pages before it`() throws {
        let server = try LocalServer(faults: ["page=40,status=404"])
        #expect(try fetch(server, ["--page-size", "3", "--jobs", "1"]).status == 76)
        let lines = try folder.bytes("state").split(separator: 0x0A).map(\.count)
        #expect(lines.count == 40)
        #expect(lines.dropFirst().allSatisfy { $0 < 600 }, "\(lines)")
    }

    @Test func `a page whose records take further requests goes out as a whole where its place is kept`() throws {
        let options = ["--limit", "6", "--jobs", "1", "--retries", "0", "--cache", "none"]
        let whole = try FetchSource.fetch(try LocalServer(), "rijksmuseum", at: "/rijksmuseum", options)
        let ids = try FetchCharactersTests.ids(whole.lines)
        #expect(whole.status == 0 && ids.count == 6)
        let server = try LocalServer(faults: ["path=/rijksmuseum,every=9,times=1,status=500"])
        let cut = try FetchSource.fetch(server, "rijksmuseum", at: "/rijksmuseum", options)
        #expect(
            try cut.status == 69 && !cut.lines.isEmpty
                && (FetchCharactersTests.ids(cut.lines)) == Array(ids.prefix(cut.lines.count)))
        let other = try LocalServer(faults: ["path=/rijksmuseum,every=9,times=1,status=500"])
        let kept = options + ["--state", folder.path("state"), "--report", folder.path("report")]
        let failed = try FetchSource.fetch(other, "rijksmuseum", at: "/rijksmuseum", kept)
        #expect(failed.status == 69 && failed.lines.isEmpty)
        #expect(try folder.text("report").contains(#""recordsOut":0,"#))
        let done = try FetchSource.fetch(other, "rijksmuseum", at: "/rijksmuseum", kept)
        #expect(try done.status == 0 && FetchCharactersTests.ids(done.lines) == ids)
    }

    @Test func `a place with a line that is missing, stands twice or elsewhere is 65`() throws {
        let server = try LocalServer(faults: ["page=7,status=404"])
        let small = ["--page-size", "3", "--jobs", "1"]
        #expect(try fetch(server, small).status == 76)
        let lines = try folder.text("state").split(separator: "\n").map(String.init)
        #expect(lines.count == 7)
        var wrong: [[String]] = []
        for index in lines.indices {
            var changed = lines
            changed.insert(lines[index], at: index)
            wrong.append(changed)
            changed = lines
            if index + 1 < lines.count {
                changed.swapAt(index, index + 1)
                wrong.append(changed)
                changed = lines
                changed.remove(at: index)
                wrong.append(changed)
            }
            // A bit of each kind of place: of the text, of the sum, and of what stands around it.
            for place in [
                0, 20, lines[index].utf8.count / 2, lines[index].utf8.count - 5, lines[index].utf8.count - 1,
            ] {
                var bytes = Array(lines[index].utf8)
                bytes[place] ^= 4
                changed = lines
                changed[index] = String(decoding: bytes, as: UTF8.self)
                wrong.append(changed)
            }
        }
        let count = try server.requests.count
        for lines in wrong {
            try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "state")
            let run = try fetch(server, small)
            #expect(
                run.status == 65 && run.output.isEmpty && run.errors.contains("remove it to start over"), "\(lines)"
            )
        }
        #expect(try server.requests.count == count)
        // Without its last line it is the place of a page before.
        try folder.write(Array((lines.dropLast().joined(separator: "\n") + "\n").utf8), to: "state")
        let run = try fetch(server, small)
        #expect(
            try run.status == 76 && run.lines.count == 3 && folder.text("state").split(separator: "\n").count == 7)
    }
}
