// Tokens: how they are got, where they go, how long they are used.

import Foundation
import TestSupport
import Testing

@Suite("Tokens")
struct TokenTests {
    private let run: TokenRun
    init() throws { run = try TokenRun() }

    private static let whole = (1...20).map { "Token \($0)" }

    @Test(arguments: ["basic", "body"])
    func `a client's credentials are exchanged for a token before the first request`(place: String) throws {
        try run.describe(run.client("read", place: place))
        let fetched = try run.fetch(["--seal", "--report", "report"])
        #expect(fetched.status == 0, "\(fetched.errors)")
        #expect(try fetched.texts("name") == Self.whole)
        let requests = try run.server.requests
        #expect(requests.count == 5 && requests[0].target == "/tokens/token")
        let id = "client_id=live_me%3Aand%2Fyou&client_secret=live_pl4nted%20s3cret%2B%2F%26%C3%A9"
        let form = "grant_type=client_credentials&scope=read"
        #expect(requests[0].body == (place == "body" ? "\(form)&\(id)" : form))
        #expect((requests[0].header("authorization") != nil) == (place == "basic"))
        #expect(requests[0].header("accept") == "application/json")
        #expect(requests.dropFirst().allSatisfy { $0.header("authorization") == "Bearer tok3n-1+/7919==" })
        #expect(try run.folder.text("report").contains("\"requests\":5,"))
        #expect(try run.fetch().status == 0)
        #expect(try run.tokenRequests.count == 1, "the next run has it already")
    }

    @Test func `keys that are missing are named together`() throws {
        try run.describe(run.client("read", place: "basic"))
        let names = ["X_ID", "X_SECRET"]
        for set in [[], ["X_ID"], ["X_SECRET"]] {
            let environment = Dictionary(uniqueKeysWithValues: set.map { ($0, "live") })
            let fetched = try Session(
                "fetch-characters", ["--source", "source.json"], environment: environment, folder: run.folder)
            #expect(fetched.status == 77, "\(fetched.errors)")
            for name in names { #expect(fetched.errors.contains(name) == !set.contains(name), "\(fetched.errors)") }
            #expect(fetched.errors.contains("--key-file"))
        }
        #expect(try run.server.requests.isEmpty)
    }

    @Test(arguments: ["body", "form"])
    func `a login gives a token, which is sent where the key says`(kind: String) throws {
        try run.describe(run.login("mick", kind), key: #"{"query": "token"}"#)
        let fetched = try run.fetch()
        #expect(try fetched.status == 0 && fetched.texts("name") == Self.whole, "\(fetched.errors)")
        let requests = try run.server.requests
        let body =
            kind == "body"
            ? #"{"user":"mick","password":"\#(TokenRun.secret)"}"#
            : "user=mick&password=live_pl4nted%20s3cret%2B%2F%26%C3%A9"
        #expect(requests[0].body == body)
        #expect(requests[1].target == "/tokens/list?page=1&size=5&token=tok3n-1%2B%2F7919%3D%3D")
    }

    @Test(arguments: [
        (#"{"body": "$.token"}"#, #""method": "POST", "body": {"a": 1},"#, #"{"a":1,"token":"tok3n-1+/7919=="}"#),
        (#"{"form": "token"}"#, #""method": "POST", "form": {"a": "1"},"#, "a=1&token=tok3n-1%2B%2F7919%3D%3D"),
    ])
    func `a token may be part of a body`(key: String, members: String, body: String) throws {
        try run.describe(run.client(), key: key, members)
        let fetched = try run.fetch(["--explain"])
        #expect(try fetched.status == 0 && fetched.texts("name") == Self.whole, "\(fetched.errors)")
        #expect(try run.server.requests[1].body == body)
        #expect(fetched.errors.contains("\"$TOKEN\""))
    }

    @Test(
        arguments: [
            (#""key": {"basic": true, "env": "X_LOGIN"}"#, true),
            (#""key": {"header": "X-Key", "env": "X_SECRET"}"#, true),
            (#""key": {"query": "key", "env": "X_SECRET"}"#, true),
            (#""query": {"key": {"$env": "X_SECRET"}}"#, true),
            (#""headers": {"X-Key": {"$env": "X_SECRET"}}"#, true), (#""headers": {"X-Key": "none"}"#, false),
        ])
    func `a login may be a GET with a key of its own`(members: String, isLetIn: Bool) throws {
        try run.describe(
            #"{"url": "\#(run.server.url)/tokens/session", "method": "GET", \#(members), "token": "$.token"}"#)
        let environment = ["X_LOGIN": "mick:live_l0gin", "X_SECRET": "live_pl4nted"]
        let fetched = try run.fetch(["--explain"], environment)
        #expect(fetched.status == (isLetIn ? 0 : 77), "\(fetched.errors)")
        #expect(!fetched.errors.contains("l0gin") && !fetched.errors.contains("pl4nted"), "\(fetched.errors)")
        #expect(try run.server.requests[0].method == "GET")
        if isLetIn { #expect(try fetched.texts("name") == Self.whole) }
    }

    @Test(arguments: [("api", Int32(0)), ("other", 76)])
    func `a grant may have further fields`(audience: String, status: Int32) throws {
        try run.describe(String(run.client().dropLast()) + #", "form": {"audience": "\#(audience)"}}"#)
        let fetched = try run.fetch()
        #expect(fetched.status == status, "\(fetched.errors)")
        #expect(try run.server.requests[0].body == "grant_type=client_credentials&audience=\(audience)")
    }

    @Test func `a token and a key are sent together`() throws {
        try run.describe(run.client(), key: #"[{"header": "X-Token"}, {"basic": true, "env": "X_LOGIN"}]"#)
        let fetched = try run.fetch([], ["X_LOGIN": "mick:pässword"])
        #expect(fetched.status == 0, "\(fetched.errors)")
        let request = try run.server.requests[1]
        let login = Data("mick:pässword".utf8).base64EncodedString()
        #expect(
            request.header("x-token") == "tok3n-1+/7919==" && request.header("authorization") == "Basic \(login)")
    }

    // MARK: Renewing

    @Test(arguments: ["uses-3", "uses-3 silent", "uses-1 text"])
    func `a token that is refused in the middle of a list is renewed`(scope: String) throws {
        try run.describe(run.client(scope))
        let fetched = try run.fetch(["--jobs", "1", "--seal"])
        #expect(try fetched.status == 0 && fetched.texts("name") == Self.whole, "\(fetched.errors)")
        #expect(fetched.lines.last == #"{"$seal":{"records":20,"complete":true,"by":"count"}}"#)
        let refused = try run.server.requests.filter { $0.status == 401 }.count
        #expect(try refused > 0 && run.tokenRequests.count == refused + 1)
    }

    @Test func `the requests under way with the old token are sent again with one new one`() throws {
        // The refusal of page 2 comes when the token has been renewed.
        let run = try TokenRun(["path=/tokens/list,page=2,delay=300ms"])
        try run.describe(run.client("uses-4"))
        #expect(try run.fetch(["--limit", "15"]).status == 0)
        let before = try run.tokenRequests.count
        let fetched = try run.fetch(["--jobs", "4"])
        #expect(try fetched.status == 0 && fetched.texts("name") == Self.whole, "\(fetched.errors)")
        #expect(try run.tokenRequests.count == before + 1)
    }

    @Test func `a second refusal ends the run`() throws {
        let run = try TokenRun(["path=/tokens/list,status=401"])
        try run.describe(run.client())
        let fetched = try run.fetch(["--jobs", "1"])
        #expect(
            fetched.status == 77 && fetched.output.isEmpty && fetched.errors.contains("401"), "\(fetched.errors)")
        #expect(try run.tokenRequests.count == 2)
        #expect(try run.server.requests.filter { $0.target.hasPrefix("/tokens/list") }.count == 2)
    }

    @Test func `a token of a short life is used to the end of the run, and renewed by the next`() throws {
        try run.describe(run.client("seconds-30"))
        for count in 1...2 {
            #expect(try run.fetch(["--jobs", "1"]).status == 0)
            #expect(try run.tokenRequests.count == count)
        }
    }

    @Test(arguments: [-40, 120]) func `a kept token is renewed before its end, and if it is from the future`(
        seconds: Int
    ) throws {
        try run.describe(run.client("seconds-64"))
        #expect(try run.fetch().status == 0 && run.fetch().status == 0)
        #expect(try run.tokenRequests.count == 1)
        // As if the run had been half a minute and more ago, or the clock had been set back since.
        let edit = """
            f=home/castline/tokens/*; t=$(head -1 $f | sed "s/\\"got\\":[0-9]*/\\"got\\":$(($(date +%s) + \(seconds)))/")
            printf '%s\\n%s\\n' "$t" "$(printf %s "$t" | sha256sum | cut -c1-64)" >new; cat new >$(echo $f)
            """
        #expect(try Session.script(edit, folder: run.folder).status == 0)
        #expect(try run.fetch().status == 0)
        #expect(try run.tokenRequests.count == 2)
    }

    @Test(
        arguments: [
            #""body": {"app": 7, "refreshToken": {"$env": "X_REFRESH"}}, "query": {"scope": "uses-2"}"#,
            #""headers": {"X-Refresh": {"$env": "X_REFRESH"}}, "body": {"app": 7}, "query": {"scope": "uses-2"}"#,
            #""method": "GET", "headers": {"X-Refresh": {"$env": "X_REFRESH"}}, "query": {"scope": "uses-2"}"#,
            #""method": "GET", "query": {"refresh": {"$env": "X_REFRESH"}, "scope": "uses-2"}"#,
            #""method": "GET", "key": {"header": "X-Refresh", "env": "X_REFRESH"}, "query": {"scope": "uses-2"}"#,
            #""body": {}, "key": {"body": "$.refreshToken", "env": "X_REFRESH"}, "query": {"scope": "uses-2"}"#,
        ])
    func `a refresh token is renewed by JSON, a query or a header, each time with the latest one`(
        members: String
    ) throws {
        try run.describe(
            #"{"url": "\#(run.server.url)/tokens/renew", "grant": "refresh-token", "#
                + #""refresh": {"env": "X_REFRESH", "path": "$.session.next"}, "token": "$.session.token", "#
                + members + "}")
        for _ in 1...2 {
            let fetched = try run.fetch(["--jobs", "1", "--explain", "--seal"])
            #expect(
                try fetched.status == 0 && fetched.texts("name").prefix(20) == Self.whole[...], "\(fetched.errors)")
            let shown = [fetched.errors, fetched.text].filter { $0.contains("refr3sh") || $0.contains("tok3n") }
            #expect(shown == [])
        }
        let renewals = try run.server.requests.filter { $0.target.hasPrefix("/tokens/renew") }
        let sent = renewals.map { "\($0.target) \($0.header("x-refresh") ?? "") \($0.body ?? "")" }
        // Two uses a token: two and a half for each list.
        #expect(renewals.allSatisfy { $0.status == 201 } && sent.count == 4, "\(sent)")
        #expect(sent[0].contains("live_first-refr3sh") && Set(sent).count == sent.count)
        if members.contains("app\": 7") { #expect(renewals.allSatisfy { $0.body?.contains("\"app\":7") == true }) }
    }

    @Test func `the latest refresh token is used though the description reads its token in another way`() throws {
        func renewing(_ members: String) -> String {
            #"{"url": "\#(run.server.url)/tokens/renew", "grant": "refresh-token", "token": "$.session.token", "#
                + #""refresh": {"env": "X_REFRESH", "path": "$.session.next"}, "#
                + #""body": {"refreshToken": {"$env": "X_REFRESH"}}\#(members)}"#
        }
        try run.describe(renewing(""))
        #expect(try run.fetch(["--cache", "none"]).status == 0)
        try run.describe(renewing(#", "lifetime": "1h""#))
        let fetched = try run.fetch(["--cache", "none"])
        #expect(fetched.status == 0, "\(fetched.errors)")
        let sent = try run.tokenRequests.map { $0.body ?? "" }
        #expect(sent.count == 2 && Set(sent).count == 2)
        #expect(try run.fetch(["--plan"]).errors.contains("got with X_REFRESH\n"))
    }

    @Test func `a refresh token that the service has spent is 77, and names its variable`() throws {
        try run.describe(
            #"{"url": "\#(run.server.url)/tokens/renew", "grant": "refresh-token", "refresh": {"env": "X_REFRESH"}, "#
                + #""body": {"refreshToken": {"$env": "X_REFRESH"}}, "token": "$.session.token"}"#)
        let fetched = try run.fetch([], ["X_REFRESH": "sp3nt"])
        #expect(fetched.status == 77 && fetched.errors.contains("X_REFRESH"), "\(fetched.errors)")
        #expect(!fetched.errors.contains("sp3nt"))
    }

    // MARK: Without a request

    @Test func `a run that sends nothing asks for no token`() throws {
        try run.describe(run.client())
        let plan = try run.fetch(["--plan", "--explain"], ["X_SECRET": ""])
        #expect(plan.status == 0 && plan.errors.contains("\"$TOKEN\""), "\(plan.errors)")
        #expect(try run.server.requests.isEmpty)
        let cached = try run.fetch()
        #expect(cached.status == 0)
        #expect(try Session.script("rm -r home/castline/tokens", folder: run.folder).status == 0)
        for options in [["--offline"], ["--max-age", "1h"]] {
            let again = try run.fetch(options)
            #expect(again.status == 0 && again.output == cached.output, "\(again.errors)")
        }
        #expect(try run.server.requests.count == 5)
        #expect(try run.fetch(["--record", "r"]).output == cached.output)
        let count = try run.server.requests.count
        let replayed = try run.fetch(["--replay", "r"], ["X_SECRET": "", "X_ID": ""])
        #expect(replayed.status == 0 && replayed.output == cached.output, "\(replayed.errors)")
        #expect(try run.server.requests.count == count)
    }

    @Test func `a recording of a renewed token plays back`() throws {
        try run.describe(run.client("uses-3"))
        let made = try run.fetch(["--jobs", "1", "--record", "r"])
        let replayed = try run.fetch(["--jobs", "1", "--replay", "r"])
        #expect(made.status == 0 && replayed.status == 0 && made.output == replayed.output, "\(replayed.errors)")
    }

    // MARK: Failures

    @Test(
        arguments: [
            (["status=503"], Int32(69), "503"), (["status=429"], 75, "limits the rate"),
            (["status=403"], 77, "403"),
            (["status=404"], 76, "404"), (["reset"], 69, "before it answered"),
            (["body=oops"], 76, "sent no token: its response isn't JSON"), (["body={}"], 76, "sent no token"),
            ([#"body={"access_token":""}"#], 76, "sent no token"),
            ([#"body={"access_token":7}"#], 76, "sent no token"),
            ([#"body={"access_token":"a\\nb"}"#], 76, "can't be one"), (["truncate"], 69, "cut short"),
            (["redirect=@ELSEWHERE@/tokens/token"], 77, "redirects to another scheme, host or port"),
            (["redirect=@ELSEWHERE@/tokens/token,status=307"], 77, "redirects to another scheme, host or port"),
        ] as [([String], Int32, String)])
    func `a service that gives no token ends the run`(fault: [String], status: Int32, message: String) throws {
        let run = try TokenRun(fault.map { "path=/tokens/token,\($0)" })
        try run.describe(run.client())
        let fetched = try run.fetch()
        #expect(fetched.status == status && fetched.errors.contains(message), "\(fetched.errors)")
        #expect(fetched.output.isEmpty && !fetched.errors.contains("pl4nted"))
        #expect(try run.server.requests.allSatisfy { $0.target == "/tokens/token" })
    }

    @Test(arguments: [
        ("client", "X_SECRET", "401, invalid_client; check X_ID and X_SECRET"),
        ("refresh", "X_REFRESH", "400, invalid_grant; log in again and set X_REFRESH"),
        ("login", "X_SECRET", "401; check X_SECRET"),
    ])
    func `a refusal names the variables`(kind: String, variable: String, message: String) throws {
        let token = kind == "client" ? run.client() : kind == "login" ? run.login() : run.refresh()
        try run.describe(token)
        let fetched = try run.fetch([], [variable: "wr0ng"])
        #expect(fetched.status == 77 && fetched.errors.contains(message), "\(fetched.errors)")
        #expect(!fetched.errors.contains("wr0ng"))
        let missing = try run.fetch([], [variable: ""])
        #expect(missing.status == 77 && missing.errors.contains("set the environment variable \(variable)"))
    }

    @Test func `a scope that there isn't is the description's fault`() throws {
        try run.describe(run.client("none"))
        let fetched = try run.fetch()
        #expect(fetched.status == 76 && fetched.errors.contains("400, invalid_scope"), "\(fetched.errors)")
    }

    @Test func `a file may hold the one variable that is missing`() throws {
        try run.describe(run.client())
        try run.folder.write(Array("\(TokenRun.secret)\n".utf8), to: "key")
        #expect(try run.fetch(["--key-file", "key"], ["X_SECRET": ""]).status == 0)
        let unclear = try run.fetch(["--key-file", "key"])
        #expect(unclear.status == 64 && unclear.errors.contains("X_ID, X_SECRET"), "\(unclear.errors)")
        #expect(try run.fetch(["--key-file", "key"], ["X_SECRET": "", "X_ID": ""]).status == 64)
    }
}
