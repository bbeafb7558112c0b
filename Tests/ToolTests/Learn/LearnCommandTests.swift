// The command line of --learn: what it is combined with, what it plans, records and reports.

import Foundation
import TestSupport
import Testing

@Suite("The command --learn")
struct LearnCommandTests {
    @Test(arguments: [
        (["--base-url", "http://127.0.0.1/?a"], "--base-url: "), (["--limit", "3"], "leave out --limit"),
        (["--retries", "4"], "leave out --retries"), (["--list-sources"], "each say what to do"),
        (["--key-file", "k"], "--key-file needs --learn-key"),
        (["--learn-key", "cookie:x"], "header:NAME or query:NAME"),
        (["--learn-key", "header:"], "header:NAME or query:NAME"),
        (["--learn-key", "header:a b"], "--learn-key: $.key"),
        (["--learn-key", "header:Content-Length"], "--learn-key: $.key"),
    ])
    func `takes no options of a run that fetches`(_ options: [String], _ words: String) throws {
        let run = try Session("fetch-characters", ["--learn", "http://127.0.0.1:9/list"] + options)
        #expect(run.status == 64 && run.errors.contains(words) && run.output.isEmpty, "\(run.errors)")
    }

    @Test(arguments: [
        ("", "--learn"), ("list", "--learn: not a URL"), ("ftp://127.0.0.1/", "ftp"),
        ("file:///etc/passwd", "file"),
        ("http://u:p@127.0.0.1:9/", "without a user and a password"),
        ("http://127.0.0.1:9/?api_key=s3cret", "use --learn-key query:api_key"),
        ("http://127.0.0.1:9/?a=1&a=2&Access-Token=s3cret", "query:Access-Token"),
        ("http://127.0.0.1:9/?private_token=s3cret", "query:private_token"),
    ])
    func `takes a URL without secrets`(_ url: String, _ words: String) throws {
        let run = try Session("fetch-characters", ["--learn", url])
        #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
        #expect(!run.errors.contains("s3cret") && run.output.isEmpty)
    }

    @Test(arguments: [
        "authorization", "client_key", "user_key", "api_secret_key", "X-Amz-Signature", "X-Amz-Credential",
        "passphrase",
        "pass", "jwt", "bearer", "licence_key", "hmac", "session", "apikey", "apiKey", "hapikey", "sharedsecret",
        "PHPSESSID", "sig", "pwd", "passwd", "x.auth.token", "accessToken", "clientID_secret", "key", "api-key-v2",
    ])
    func `knows a secret by the words of its name`(name: String) throws {
        let run = try Session("fetch-characters", ["--learn", "http://127.0.0.1:9/list?\(name)=s3cret&sort=a"])
        #expect(run.status == 64 && run.errors.contains("--learn-key query:\(name)"), "\(run.errors)")
        #expect(!run.errors.contains("s3cret") && run.output.isEmpty)
    }

    @Test(arguments: [
        "sort_key", "sortKey", "orderkey", "group-key", "partition_key", "primaryKey", "foreign_key", "author",
        "keyword",
        "keywords", "design", "assignee", "monkey", "pagetoken", "nextToken", "continuation", "page_token",
        "authors",
        "passenger", "compass", "signed",
    ])
    func `takes no other name for a secret's`(name: String) throws {
        let run = try Session("fetch-characters", ["--learn", "http://127.0.0.1:9/list?\(name)=7", "--plan"])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test
    func `has a key only where it is said where that goes`() throws {
        let run = try Session("fetch-characters", ["--learn-key", "query:key", "--limit", "1"])
        #expect(run.status == 64 && run.errors.contains("--learn-key needs --learn URL"))
        let missing = try Session(
            "fetch-characters", ["--learn", "http://127.0.0.1:9/v2/cards", "--learn-key", "header:x-api-key"])
        #expect(missing.status == 77 && missing.errors.contains("the environment variable CARDS_KEY"))
    }

    @Test
    func `plans eight requests and sends none`() throws {
        let run = try Session(
            "fetch-characters",
            ["--learn", "http://127.0.0.1:9/v2/cards?q=a", "--plan", "--rate", "1/second", "--explain"])
        #expect(run.status == 0 && run.errors.contains("curl -sSL -A castline"), "\(run.errors)")
        let records = try run.records()
        #expect(records.count == 9 && records[0]["url"] as? String == "http://127.0.0.1:9/v2/cards?q=a")
        #expect(records.dropLast().allSatisfy { $0["for"] is String && $0["method"] as? String == "GET" })
        #expect(records[8]["requests"] as? Int == 8 && records[8]["seconds"] as? Double == 7)
    }

    @Test
    func `asks a mirror for the list of another address`() throws {
        let server = try LocalServer()
        let url = "https://api.scryfall.com/cards/search?q=type:legendary"
        let run = try Session(
            "fetch-characters", ["--learn", url, "--base-url", server.url + "/scryfall-cards"],
            environment: LearnSession.environment)
        #expect(run.status == 0 && run.text.contains(#""baseURL": "https://api.scryfall.com","#), "\(run.errors)")
        #expect(run.text.contains(#""path": "/cards/search","#) && run.text.contains(#""name": "scryfall-cards","#))
    }

    @Test
    func `says nothing under --quiet but what went wrong`() throws {
        let server = try LocalServer()
        let learnt = try LearnSession(server, "/learning/pages", ["-q"])
        #expect(learnt.run.status == 0 && learnt.run.errors.isEmpty && !learnt.run.output.isEmpty)
        let unlearnt = try LearnSession(server, "/learning/hidden", ["-q"])
        #expect(unlearnt.run.status == 76 && unlearnt.run.errors.split(separator: "\n").count == 1)
    }

    @Test
    func `learns the same from a recording, with no network`() throws {
        let folder = try ScratchFolder()
        let server = try LocalServer()
        let learnt = try LearnSession(server, "/character?page=2", ["--record", "tape"], folder: folder)
        #expect(
            learnt.run.status == 0 && learnt.run.text.contains(#""imageURL": "imageUrl""#), "\(learnt.run.errors)")
        let url = server.url + "/character?page=2"
        server.stop()
        let replayed = try Session("fetch-characters", ["--learn", url, "--replay", "tape"], folder: folder)
        #expect(replayed.status == 0 && replayed.text == learnt.run.text, "\(replayed.errors)")
        let other = try Session("fetch-characters", ["--learn", url + "1", "--replay", "tape"], folder: folder)
        #expect(other.status == 66 && other.output.isEmpty, "\(other.errors)")
    }

    @Test
    func `reports its requests`() throws {
        let folder = try ScratchFolder()
        let server = try LocalServer()
        let learnt = try LearnSession(server, "/learning/pages", ["--report", "r.json"], folder: folder)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(try folder.bytes("r.json"))) as? [String: Any])
        #expect(report["requests"] as? Int == learnt.requests.count && report["complete"] as? Bool == true)
        #expect(report["recordsOut"] as? Int == 0 && report["bytesOut"] as? Int == learnt.run.output.count)
    }

    @Test
    func `writes to a full disk what it can, and says so`() throws {
        let server = try LocalServer()
        let run = try Session.script(
            "fetch-characters --learn $URL/learning/pages >/dev/full", environment: ["URL": server.url])
        #expect(run.status == 74, "\(run.errors)")
    }

    @Test
    func `is written as a person writes a description, and ready to be used`() throws {
        let server = try LocalServer()
        let learnt = try LearnSession(server, "/character?page=2&pageSize=20")
        #expect(
            learnt.text(server) == """
                {
                  "name": "character",
                  "baseURL": "http://h",
                  "path": "/character",
                  "records": "$.data",
                  "pagination": {
                    "type": "next-url",
                    "next": "$.info.nextPage",
                    "size": {"parameter": "pageSize", "value": 20},
                    "pages": {"path": "$.info.totalPages"}
                  },
                  "item": "/characters/{id}",
                  "members": {"id": "_id", "name": "name", "imageURL": "imageUrl"}
                }

                """)
        #expect(try learnt.records(["--id", "31"]).texts("id") == ["31"])
        #expect(try learnt.records(["--plan"]).status == 0)
    }
}
