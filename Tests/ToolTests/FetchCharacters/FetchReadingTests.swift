// A list that changes between any two requests, or whose service fails, read again and again over one cache, by two users, by
// each option that reads from the cache. The oracle is the promise: every record that was in the list all the time is there,
// none that was gone before the run, and no user has another's.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Programs.path(["python3"]) != nil)) struct FetchReadingTests {
    /// What the service does from a request on.
    private struct Plan: Codable {
        var ids: [Int]
        /// The list from the request with this number on, counted from 1.
        var steps: [String: [Int]] = [:]
        /// From this request on it answers 503.
        var failsAt = 1_000
        var count = 0
        /// Whose requests count. One that an earlier run has given up may still wait in the service's queue.
        var agent = ""

        /// The lists that there were.
        var lists: [Set<Int>] { [Set(ids)] + steps.filter { Int($0.key) ?? 0 <= count }.map { Set($0.value) } }
        var always: Set<Int> { lists.reduce(lists[0]) { $0.intersection($1) } }
        var ever: Set<Int> { lists.reduce([]) { $0.union($1) } }
    }

    private static let service = """
        import http.server, json, os, urllib.parse
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"
            def log_message(self, *rest): pass
            def do_GET(self):
                with open("plan") as file: plan = json.load(file)
                if self.headers["User-Agent"] != plan["agent"]: return
                plan["count"] += 1
                with open("plan.new", "w") as file: json.dump(plan, file)
                os.replace("plan.new", "plan")
                ids = plan["ids"]
                for number in sorted(map(int, plan["steps"])):
                    if number <= plan["count"]: ids = plan["steps"][str(number)]
                query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
                offset, key = int(query.get("offset", 0)), self.headers.get("X-Key", "")
                part = [{"id": key + str(id), "name": "n"} for id in ids[offset:offset + int(query["limit"])]]
                text = json.dumps({"data": part, "total": len(ids)}).encode()
                self.send_response(503 if plan["count"] >= plan["failsAt"] else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    @Test(arguments: 0..<6) func `no list is made of two readings, or of two users' pages`(seed: Int) throws {
        let folder = try ScratchFolder()
        var random = SplitMix64(seed: UInt64(seed))
        try folder.write(Self.service.utf8, to: "serve.py")
        let python = try #require(Programs.path(["python3"]))
        let server = try ChildProcess(python, ["serve.py"], in: folder)
        let port = try #require(server.line())
        let total = Bool.random(using: &random) ? #","total":{"path":"$.total"}"# : ""
        try folder.write(
            #"""
            {"name":"t","baseURL":"http://127.0.0.1:\#(port)","path":"/list","records":"$.data",
             "key":[{"header":"X-Key","env":"T_KEY"}],"members":{"id":"id","name":"name"},
             "pagination":{"type":"offset","parameter":"offset","size":{"parameter":"limit","value":3}\#(total)}}
            """#.utf8, to: "s.json")
        var ids = Array(1...Int.random(in: 6...12, using: &random))
        var earlier: [String: [Plan]] = [:]
        for number in 0..<12 {
            var plan = Self.plan(ids, &random)
            plan.agent = "run/\(number)"
            try folder.write(JSONEncoder().encode(plan), to: "plan")
            let user = random.pick(["alice", "bob"])
            let option = random.pick([[], [], ["--offline"], ["--max-age", "1h"], ["--stale-if-error", "1h"]])
            let run = try Session(
                "fetch-characters",
                ["--source", "s.json", "--cache", "cache", "--seal", "--retries", "0", "--rate", "100000/s"]
                    + ["--jobs", random.pick(["1", "4"])] + option,
                environment: ["T_KEY": user, "CASTLINE_USER_AGENT": plan.agent], folder: folder)
            plan = try JSONDecoder().decode(Plan.self, from: Data(folder.bytes("plan")))
            let plans = plan.count > 0 && plan.count < plan.failsAt ? [plan] : earlier[user] ?? []
            earlier[user, default: []].append(plan)
            ids = plan.steps.max { Int($0.key) ?? 0 < Int($1.key) ?? 0 }?.value ?? ids
            guard run.status == 0 else {
                #expect([69, 75, 76].contains(run.status), "\(option) \(run.errors)")
                #expect(!run.text.contains("$seal"))
                continue
            }
            let texts = try FetchCharactersTests.ids(run.lines.dropLast())
            let found = Set(texts.compactMap { $0.hasPrefix(user) ? Int($0.dropFirst(user.count)) : nil })
            #expect(found.count == texts.count, "\(option) \(texts)")
            let isOne = plans.contains { $0.always.isSubset(of: found) && found.isSubset(of: $0.ever) }
            #expect(isOne, "\(option) \(found.sorted()) \(plans.map(\.lists)) \(run.errors)")
        }
    }

    /// A list that changes at some requests, and a service that may fail from one on.
    private static func plan(_ ids: [Int], _ random: inout SplitMix64) -> Plan {
        var plan = Plan(ids: ids)
        var now = ids
        for _ in 0..<random.pick([0, 0, 1, 2]) {
            let place = Int.random(in: 0..<now.count, using: &random)
            if now.count > 4, Bool.random(using: &random) {
                now.remove(at: place)
            } else {
                now.insert(Int.random(in: 100..<1_000_000, using: &random), at: place)
            }
            let last = plan.steps.keys.compactMap { Int($0) }.max() ?? 0
            plan.steps["\(last + Int.random(in: 1...6, using: &random))"] = now
        }
        if random.oneIn(3) { plan.failsAt = Int.random(in: 1...8, using: &random) }
        return plan
    }

    @Test(arguments: [["--max-age", "1h"], ["--stale-if-error", "1h"], ["--offline"]])
    func `what is read twice isn't read from the cache`(option: [String]) throws {
        let run = try Session("fetch-characters", ["--twice"] + option)
        #expect(run.status == 64 && run.errors.contains("--twice"), "\(run.errors)")
    }
}
