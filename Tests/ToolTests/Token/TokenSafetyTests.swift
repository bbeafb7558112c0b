// What must not happen to a token: that it is told, that it goes elsewhere, that two runs get two, that a killed run
// locks the user out.

import Foundation
import TestSupport
import Testing

@Suite("A token")
struct TokenSafetyTests {
    /// The secrets of a run and what they become on their way, in pieces that escapes leave as they are.
    private static let planted = ["pl4nted", "s3cret", "tok3n-", "refr3sh", "live_", "bGl2ZV"]

    private static func finds(_ text: some Sequence<UInt8>) -> Bool {
        let bytes = Array(text)
        return planted.contains { bytes.firstRange(of: Array($0.utf8)) != nil }
    }

    /// The files outside of the directory of tokens that hold one.
    private static func leaks(_ run: TokenRun) throws -> [String] {
        try Session.script("find . -type f -not -path '*/castline/tokens/*'", folder: run.folder).lines
            .filter { finds(try run.folder.bytes($0)) }
    }

    static let faults: [[String]] = [
        [], ["path=/tokens/list,page=2,redirect=@ELSEWHERE@/tokens/list"], ["path=/tokens/list,page=2,status=500"],
        ["path=/tokens/list,page=2,status=401"], ["path=/tokens/list,garbage"],
        ["path=/tokens/token,redirect=@ELSEWHERE@/tokens/token,status=308"], ["path=/tokens/token,status=500"],
        ["path=/tokens/token,html"],
        [#"path=/tokens/list,page=1,body={"total":1\,"data":[{"id":1\,"name":"tok3n-1+/7919=="}]}"#],
    ]

    @Test(arguments: ["client", "body", "refresh", "login", "query"], faults)
    func `is in no output, message, report, cache, recording or state, and goes to no other origin`(
        kind: String, faults: [String]
    ) throws {
        let run = try TokenRun(faults)
        let token =
            switch kind {
            case "refresh": run.refresh("uses-2")
            case "login": run.login("uses-2")
            case "body": run.client("uses-2", place: "body")
            default: run.client("uses-2")
            }
        try run.describe(token, key: kind == "query" ? #"{"query": "token"}"# : TokenRun.bearer)
        let echoes = faults.contains { $0.contains("name") }
        for options in [
            ["--cache", "cache"], ["--cache", "cache", "--max-age", "1d"], ["--record", "recording"],
            ["--replay", "recording"], ["--cache", "none", "--state", "state"], ["--plan"],
        ] {
            let fetched = try run.fetch(options + ["--explain", "--report", "report"])
            #expect(echoes || !Self.finds(fetched.output))
            #expect(!Self.finds(fetched.errors.utf8), "\(fetched.errors)")
        }
        #expect(try Self.leaks(run) == [])
        #expect(try run.folder.names().contains("report"))
        let told = try run.server.requests.filter { request in
            Self.finds(request.target.utf8) || Self.finds((request.body ?? "").utf8)
                || request.headers.contains { Self.finds($0[1].utf8) || $0[0].lowercased() == "authorization" }
        }
        #expect(!told.isEmpty && told.allSatisfy { $0.header("host") == "127.0.0.1:\(run.server.port)" })
    }

    @Test func `is for this user's eyes only`() throws {
        let run = try TokenRun()
        try run.describe(run.refresh())
        #expect(try run.fetch().status == 0)
        let modes = try Session.script("stat -c %a home/castline/tokens home/castline/tokens/*", folder: run.folder)
        #expect(modes.lines == ["700", "600"])
    }

    @Test func `of another service goes to the API, and the secrets to the service`() throws {
        let run = try TokenRun(tokenServer: LocalServer())
        try run.describe(run.client())
        // The API doesn't know the other's tokens; what matters is where they go.
        let fetched = try run.fetch()
        #expect(fetched.status == 77, "\(fetched.errors)")
        #expect(try run.tokenServer.requests.allSatisfy { $0.target == "/tokens/token" })
        let asked = try run.server.requests
        #expect(asked.contains { $0.header("authorization") == "Bearer tok3n-1+/7919==" })
        #expect(!asked.contains { $0.headers.contains { $0[1].contains("pl4nted") || $0[1].hasPrefix("Basic") } })
    }

    @Test func `is another one for another API, another scope and another user`() throws {
        let run = try TokenRun()
        try run.describe(run.client())
        #expect(try run.fetch().status == 0)
        #expect(try run.fetch([], ["X_SECRET": "live_another"]).status == 0)
        #expect(try run.fetch(["--base-url", run.server.otherURL + "/tokens"]).status == 0)
        try run.describe(run.client("read"))
        #expect(try run.fetch().status == 0)
        #expect(try run.tokenRequests.count == 4 && run.tokenFiles.count == 4)
    }

    // MARK: Several runs

    @Test(arguments: ["client", "refresh"]) func `is got once by ten runs at once`(kind: String) throws {
        let run = try TokenRun(["path=/tokens/token,delay=500ms"])
        try run.describe(kind == "client" ? run.client() : run.refresh())
        let runs = try (0..<10).map { _ in
            try ChildProcess("fetch-characters", TokenRun.arguments, in: run.folder, environment: run.environment())
        }
        for child in runs {
            #expect(child.finish() && child.status == 0, "\(child.errors)")
            #expect(child.output.count { $0 == 0x0A } == 20)
        }
        #expect(try run.tokenRequests.count == 1)
    }

    // MARK: Rotation

    @Test func `is refreshed with the refresh token that came last`() throws {
        let run = try TokenRun()
        try run.describe(run.refresh("uses-2"))
        for _ in 1...3 { #expect(try run.fetch(["--jobs", "1"]).status == 0) }
        let sent = try run.tokenRequests.map { $0.body ?? "" }
        #expect(sent.count == 6 && sent[0].contains("live_first-refr3sh"))
        #expect(Set(sent).count == 6, "each is sent once")
        // A new first token begins anew.
        #expect(try run.fetch([], ["X_REFRESH": "live_second-refr3sh"]).status == 0)
    }

    @Test func `is refreshed without a cache too, and the refresh token kept`() throws {
        let run = try TokenRun()
        try run.describe(run.refresh())
        for _ in 1...3 { #expect(try run.fetch(["--cache", "none"]).status == 0) }
        #expect(try run.tokenRequests.count == 3)
        #expect(try !Session.script("cat home/castline/tokens/*", folder: run.folder).text.contains("tok3n"))
        try run.describe(run.client())
        #expect(try run.fetch(["--cache", "none"]).status == 0 && run.tokenFiles.count == 1)
    }

    @Test(arguments: ["read-only", "file", "nowhere"])
    func `is not refreshed where the new refresh token could not be kept`(place: String) throws {
        let run = try TokenRun()
        try run.describe(run.refresh())
        let environment =
            switch place {
            case "read-only": ["XDG_CACHE_HOME": "/proc"]
            case "file": ["XDG_CACHE_HOME": run.folder.path("source.json")]
            default: ["XDG_CACHE_HOME": "", "HOME": ""]
            }
        for options in [[], ["--cache", "none"]] {
            let fetched = try run.fetch(options, environment)
            #expect(
                fetched.status == 73 && fetched.errors.contains("can't be saved, so the old one isn't used"),
                "\(fetched.errors)")
        }
        #expect(try run.server.requests.isEmpty)
        // Any other token is got for this run alone.
        try run.describe(run.client())
        #expect(try run.fetch([], environment).status == 0)
    }

    @Test(arguments: ["", "x", "cut", "flip", "fifo"])
    func `is got anew where its file is damaged`(damage: String) throws {
        let run = try TokenRun()
        try run.describe(run.client())
        #expect(try run.fetch().status == 0)
        let script =
            switch damage {
            case "cut": "truncate -s 30 \"$f\""
            case "flip": "sed -i s/tok3n-1/tok3n-2/ \"$f\""
            case "fifo": "rm \"$f\"; mkfifo \"$f\""
            default: "printf '%s' '\(damage)' >\"$f\""
            }
        #expect(try Session.script("f=$(echo home/castline/tokens/*); \(script)", folder: run.folder).status == 0)
        let again = try run.fetch()
        #expect(again.status == 0, "\(again.errors)")
        #expect(try run.tokenRequests.count == 2)
    }

    /// How often a run is killed; `CASTLINE_KILLS=1000` looks longer.
    private static let kills = ProcessInfo.processInfo.environment["CASTLINE_KILLS"].flatMap { Int($0) } ?? 60

    @Test func `is there for the next run, whenever one is killed while it is refreshed`() throws {
        // The service repeats its answer as long as nobody has used what was in it, so only a run that uses a token
        // before it has kept the refresh token can lock the user out.
        let run = try TokenRun(["path=/tokens/token,delay=5ms"])
        try run.describe(run.refresh("uses-1 patient"))
        var longest = 0.05
        for round in 0..<Self.kills {
            let child = try ChildProcess(
                "fetch-characters", TokenRun.arguments + ["--jobs", "1", "--cache", "none"], in: run.folder,
                environment: run.environment())
            let start = ProcessInfo.processInfo.systemUptime
            if child.finish(limitSeconds: Double.random(in: 0...longest * 1.1)) {
                longest = max(ProcessInfo.processInfo.systemUptime - start, 0.001)
                try #require(child.status == 0, "round \(round): \(child.errors)")
            } else {
                longest *= 1.1
            }
        }
        let last = try run.fetch(["--jobs", "1"])
        #expect(last.status == 0 && last.lines.count == 20, "\(last.errors)")
        #expect(try Set(run.tokenRequests.map(\.body)).count > 3)
        #expect(try run.tokenFiles.count == 1, "a killed run leaves nothing behind")
    }
}
