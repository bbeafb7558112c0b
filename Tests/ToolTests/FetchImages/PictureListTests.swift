// `fetch-images --pictures all`: random records against a plain model of what becomes of their pictures, and the runs
// that a slow picture or a URL that comes again must not hold up.

import Foundation
import PipelineHTTP
import TestSupport
import Testing

@Suite("All pictures of a record")
struct PictureListTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    // MARK: The model

    /// A URL and what comes of it.
    private struct Target {
        let url: String
        /// Nil for one that is no picture, for which the run has this status.
        let bytes: [UInt8]?
        var status: Int32 = 0

        var digest: String? {
            guard let bytes else { return nil }
            let digits = SHA256.digest(bytes.span).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            return digits.joined()
        }
    }

    /// A record, and its targets in the order of the fields.
    private struct Record {
        let line: String
        let targets: [Target]

        /// Each URL once.
        var pictures: [Target] {
            var seen: Set<String> = []
            return targets.filter { seen.insert($0.url).inserted }
        }

        var failure: Target? { pictures.first { $0.bytes == nil } }
    }

    private static func targets(_ server: LocalServer, _ pictures: ScratchFolder) throws -> [Target] {
        var targets: [Target] = []
        for number in 1...8 {
            let bytes = GalleryTests.picture(paddedBy: number).bytes
            try pictures.write(bytes, to: "\(number).svg")
            targets.append(Target(url: "\(server.url)/images/\(number).svg", bytes: bytes))
        }
        try pictures.write("<html>".utf8, to: "page.svg")
        let data = GalleryTests.picture(paddedBy: 99)
        return targets + [
            // The same picture at two URLs.
            Target(url: "\(server.url)/images/1.svg?again", bytes: targets[0].bytes),
            Target(url: data.url, bytes: data.bytes), Target(url: "data:,", bytes: nil, status: 76),
            Target(url: "\(server.url)/images/none.svg", bytes: nil, status: 76),
            Target(url: "\(server.url)/images/page.svg", bytes: nil, status: 76),
            Target(url: "ftp://a.example/x.png", bytes: nil, status: 77),
            Target(url: "\(server.url)/images/refused.svg", bytes: nil, status: 77),
        ]
    }

    /// A record with a list of pictures and, in another field, one of its own.
    private static func record(_ id: Int, _ targets: [Target], _ generator: inout SplitMix64) -> Record {
        let list = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            targets.randomElement(using: &generator)
        }
        .compactMap { $0 }
        let cover = Bool.random(using: &generator) ? targets.randomElement(using: &generator) : nil
        let texts = list.map { "{\"url\":\"\($0.url)\"}" }.joined(separator: ",")
        let own = cover.map { ",\"cover\":\" \($0.url)\"" } ?? ""
        let earlier = Bool.random(using: &generator) ? "\"imageFiles\":[1]," : ""
        return Record(
            line: "{\(earlier)\"name\":\"r\(id)\",\"pictures\":[\(texts)]\(own)}",
            targets: list + (cover.map { [$0] } ?? []))
    }

    private static let arguments = [
        "--pictures", "all", "--field", "pictures[*].url", "--field", "cover", "--report", "report", "--gallery",
        "g.html",
    ]

    private func run(_ records: [Record], _ arguments: [String], isSealed: Bool = false) throws -> Session {
        let seal = isSealed ? ["{\"$seal\":{\"records\":\(records.count),\"complete\":true}}"] : []
        let input = (records.map(\.line) + seal).joined(separator: "\n")
        return try Session(
            "fetch-images", ["--allow-private", "--retries", "0"] + Self.arguments + arguments, input: input.utf8,
            environment: ["XDG_CACHE_HOME": folder.path("cache")], folder: folder)
    }

    private func check(_ run: Session, _ records: [Record]) throws {
        #expect(run.lines.count == records.count)
        for (line, record) in zip(run.lines, records) {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let members = try #require(object["imageFiles"] as? [[String: Any]])
            let digests = members.map { $0["sha256"] as? String }
            #expect(digests == record.pictures.map(\.digest), "\(record.line)")
            #expect(
                members.map { $0["status"] as? String } == record.pictures.map { $0.bytes == nil ? "failed" : "ok" }
            )
            #expect(object["imageFile"] == nil)
            let plain = record.line.replacingOccurrences(of: "\"imageFiles\":[1],", with: "").dropLast()
            #expect(line.hasPrefix(plain + ",\"imageFiles\":["), "what the record has stays as it is")
        }
    }

    /// The files of the store that records name.
    private static func files(_ records: [Record]) -> Set<String> {
        Set(records.flatMap { $0.pictures.compactMap(\.digest) }.map { "\($0.prefix(2))/\($0).svg" })
    }

    @Test(arguments: 1...6)
    func `records have what a plain model says, twice, with and without the network`(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        let pictures = try ScratchFolder()
        let server = try LocalServer(faults: ["path=/images/refused.svg,status=403"], pictures: pictures.path)
        let targets = try Self.targets(server, pictures)
        let records = (0..<40).map { Self.record($0, targets, &generator) }
        let failures = records.compactMap(\.failure)
        let missing = records.flatMap(\.pictures).count { $0.bytes == nil }
        let status = failures.map(\.status).min() ?? 0

        let first = try run(records, [])
        try check(first, records)
        #expect(first.status == status)
        #expect(first.errors.contains("\(missing) of \(records.flatMap(\.pictures).count) pictures are missing"))
        let asked = try server.requests.map(\.target)
        #expect(Set(asked).count == asked.count, "each URL is requested once")
        let counts = try #require(try Session.object(folder.bytes("report"))["images"] as? [String: Int])
        #expect(counts["failed"] == missing && counts["none"] == records.count { $0.pictures.isEmpty })
        let page = try folder.text("g.html")
        for line in first.lines {
            #expect(page.contains(line.replacingOccurrences(of: "<", with: "\\u003c") + "\n"))
        }

        #expect(try run(records, []).text == first.text, "a second run writes the same")
        server.stop()
        let offline = try run(records, ["--offline"])
        #expect(offline.lines.count == records.count)
        for (line, record) in zip(offline.lines, records) where record.failure == nil {
            #expect(first.lines.contains(line), "what the cache has is the same without the network")
        }

        let dropped = try run(records, ["--on-error=drop", "--stale-if-error", "1h"])
        #expect(dropped.lines.count == records.count { $0.failure == nil })
        // The others are named by nobody.
        let named = Self.files(records.filter { $0.failure == nil })
        let whole = records.filter { $0.failure == nil }
        let pruned = try run(whole, ["--prune", "0", "--stale-if-error", "1h"], isSealed: true)
        let files = Set(try ImageRun.files(folder))
        #expect(pruned.status == 0 && files == named, "\(pruned.errors)")
    }

    @Test
    func `the first picture that fails is why the record fails`() throws {
        let server = try LocalServer(faults: ["path=/images/fox.png,status=403"])
        let (good, gone, no) = ("images/cat.png", "images/gone.png", "images/fox.png")
        for (list, status) in [([good, gone, no], 76), ([good, no, gone], 77), ([good], 0)] as [([String], Int32)] {
            let input = "{\"p\":[\(list.map { "\"\(server.url)/\($0)\"" }.joined(separator: ","))]}\n"
            for policy in ["keep", "drop", "stop"] {
                let run = try ImageRun.plain(
                    input, ["--pictures", "all", "--field", "p[*]", "--on-error", policy, "--cache", "none"], folder
                )
                #expect(run.status == status, "\(list) \(policy): \(run.errors)")
                #expect(run.lines.count == (policy == "keep" || status == 0 ? 1 : 0))
                #expect(run.text.contains("\"status\":\"ok\"") == (policy == "keep" || status == 0))
            }
        }
    }

    @Test
    func `a placeholder stands in for each that is missing, and for the record that names none`() throws {
        let server = try LocalServer()
        let input = "{\"p\":[\"\(server.url)/images/cat.png\",\"\(server.url)/images/gone.png\"]}\n{}\n"
        let run = try ImageRun.plain(
            input, ["--pictures", "all", "--field", "p[*]", "--placeholder", "--name", "{id}x"], folder)
        let statuses = try run.records().map { record in
            (record["imageFiles"] as? [[String: Any]])?.map { $0["status"] as? String }
        }
        #expect(run.status == 0 && statuses == [["ok", "placeholder"], ["placeholder"]], "\(run.errors)")
    }

    @Test(arguments: [["--pictures", "first"], ["--pictures", "all"]])
    func `a record keeps the picture that it had where its host is down and nothing else knows it`(
        choice: [String]
    ) throws {
        let server = try LocalServer()
        let arguments = choice + ["--cache", "none", "--placeholder", "--report", "report"]
        let input = "{\"imageURL\":\"\(server.url)/images/cat.png\"}\n"
        let first = try ImageRun.plain(input, arguments, folder)
        #expect(first.status == 0 && first.text.contains("\"status\":\"ok\""))
        server.stop()
        let second = try ImageRun.plain(first.text, arguments, folder)
        #expect(second.status == 0 && second.text == first.text)
        #expect(second.errors.contains("a picture of earlier runs is kept"), "\(second.errors)")
        #expect(try folder.text("report").contains("\"stale\":1,"))
        // Without the file, or for another URL, there is nothing to keep.
        let moved = first.text.replacingOccurrences(of: "\"url\":\"http", with: "\"url\":\"https")
        for (text, store) in [(first.text, "elsewhere"), (moved, "images")] {
            let run = try ImageRun.plain(text, arguments + ["--dir", store], folder)
            #expect(run.status == 0 && run.text.contains("\"status\":\"placeholder\""), "\(run.text)")
        }
    }

    @Test(arguments: [
        (["--pictures=all", "--embed"], "adds several pictures; leave out --embed"),
        (["--pictures", "some"], "takes first or all"), (["--gallery-links"], "needs --gallery FILE"),
    ])
    func `what has no meaning together is refused`(arguments: [String], words: String) throws {
        let run = try Session("fetch-images", arguments, input: "{}".utf8)
        #expect(run.status == 64 && run.errors.contains(words) && run.output.isEmpty, "\(run.errors)")
    }

    // MARK: Order and repetition

    @Test
    func `one picture that hangs keeps none of the others from being fetched`() throws {
        let server = try LocalServer(faults: ["path=/images/hangs.png,hang"])
        let count = 3000
        let hanging = "{\"imageURL\":\"\(server.url)/images/hangs.png\"}\n"
        let others = (0..<count).map { "{\"imageURL\":\"\(server.url)/images/cat.png?\($0)\"}\n" }.joined()
        let child = try ChildProcess("fetch-images", ["--allow-private", "--cache", "none"], in: folder)
        child.write((hanging + others).utf8)
        child.closeInput()
        let end = Date(timeIntervalSinceNow: 60)
        var asked = 0
        while asked <= count, Date() < end {
            // Nothing comes out before the first one, and meanwhile the input goes in.
            #expect(child.line(limitSeconds: 0.05) == nil)
            asked = Set(try server.requests.map(\.target)).count
        }
        #expect(asked == count + 1)
        child.signal(SIGTERM)
        #expect(child.finish(limitSeconds: 10) && child.status == 143)
    }

    @Test
    func `a URL that was answered isn't requested again, however many come in between`() throws {
        let server = try LocalServer()
        let count = 5000
        let list = (0..<count).map {
            "{\"imageURL\":\"\(server.url)/images/\($0 % 5 == 0 ? "none" : "cat").png?\($0)\"}\n"
        }
        let run = try ImageRun.plain(
            list.joined() + list.joined(), ["--cache", "none", "--report", "report"], folder)
        #expect(run.status == 76 && run.lines.count == 2 * count)
        #expect(run.lines.prefix(count).elementsEqual(run.lines.dropFirst(count)))
        #expect(try server.requests.count == count)
        #expect(try folder.text("report").contains("\"requests\":\(count),"))
    }
}
