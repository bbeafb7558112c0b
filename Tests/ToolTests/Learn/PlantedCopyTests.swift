// A copied command with secrets at all places of its request: no byte of them is in what --learn writes, nor in what another
// origin gets to see.

import Foundation
import TestSupport
import Testing

@Suite("Secrets of a copied command")
struct PlantedCopyTests {
    private static let secret = "k9Secret7731xYz"
    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJpZGEifQ.c2lnbmF0dXJlMTIz"

    /// The words of a command behind its URL.
    static let places = [
        "-H 'X-Appkey: \(secret)'", "-H 'X-Lamp: \(token)'", "-b 'sid=\(secret)'", "-u 'ida:\(secret)'",
        "--oauth2-bearer \(secret)", "-G -d 'consumerkey=\(secret)'", "-d 'a=1&authcode=\(secret)'",
        #"--json '{"a":[{"b":{"c":{"d":{"e":{"f":{"g":["x","\#(token)"]}}}}}}]}'"#,
        #"--json '{"query":"{ people { id } }","variables":{"auth":{"list":["\#(secret)"]}}}'"#,
        #"--json '{"text":"{\"apikey1\":\"\#(secret)\"}"}'"#,
    ]

    /// The spellings in which one could stand somewhere.
    private static func finds(_ text: some StringProtocol) -> Bool {
        [secret, token].contains { secret in
            let base64 = Data("ida:\(secret)".utf8).base64EncodedString()
            let percent = secret.utf8.map { "%" + String($0, radix: 16) }.joined()
            return text.contains(secret) || text.contains(base64) || text.lowercased().contains(percent)
        }
    }

    @Test(
        arguments: places,
        ["", "redirect=@ELSEWHERE@/people", "status=308,header=Location: @ELSEWHERE@/people", "status=403"])
    func `are in no output, message, report or recording, and no other origin sees them`(
        words: String, fault: String
    ) throws {
        let answer = FetchCharactersTests.body(#"{"data":[{"id":1,"name":"a"},{"id":2,"name":"b"}],"total":2}"#)
        let elsewhere = try LocalServer(faults: ["path=/people,\(answer)"])
        let fault = fault.replacing("@ELSEWHERE@", with: elsewhere.url)
        let server = try LocalServer(faults: ["path=/people,\(fault.isEmpty ? answer : fault)"])
        let folder = try ScratchFolder()
        let command = "curl '\(server.url)/people' \(words)"
        let learnt = try Session(
            "fetch-characters", ["--learn", "-", "--explain", "--report", "report", "--record", "r"],
            input: command.utf8, environment: LearnSession.environment, folder: folder)
        #expect(!Self.finds(learnt.text) && !Self.finds(learnt.errors), "\(learnt.errors)\(learnt.text)")
        let files = try Session.script("find . -type f -exec cat {} +", folder: folder)
        #expect(!Self.finds(files.text))
        let told = try elsewhere.requests.map { "\($0)" }
        #expect(told.allSatisfy { !Self.finds($0) }, "\(told)")
        let sent = try server.requests
        #expect(!sent.isEmpty, "\(learnt.errors)")
    }

    @Test(arguments: ["--digest", "--ntlm", "--negotiate", "--anyauth", "-E c.pem", "--key k.pem"])
    func `aren't sent at all for a login that only the command's program has`(option: String) throws {
        let server = try LocalServer()
        let command = "curl \(option) -u 'ida:\(Self.secret)' '\(server.url)/learning/pages'"
        for (arguments, status) in [(["--learn", command], 64), (["--learn", "-"], 65)] {
            let run = try Session(
                "fetch-characters", arguments, input: command.utf8, environment: LearnSession.environment)
            let name = String(option.prefix { $0 != " " })
            #expect(run.status == status && run.errors.contains(name) && !Self.finds(run.errors), "\(run.errors)")
        }
        #expect(try server.requests.isEmpty)
    }
}
