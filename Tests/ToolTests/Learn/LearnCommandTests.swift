// The command line of --learn: what it is combined with, what it plans, records and reports.

import Foundation
import TestSupport
import Testing

@Suite("The command --learn")
struct LearnCommandTests {
    @Test func `plans eight requests and sends none`() throws {
        let run = try Session(
            "fetch-characters",
            ["--learn", "http://127.0.0.1:9/v2/cards?q=a", "--plan", "--rate", "1/second", "--explain"])
        #expect(run.status == 0 && run.errors.contains("curl -sSL -A castline"), "\(run.errors)")
        let records = try run.records()
        #expect(records.count == 9 && records[0]["url"] as? String == "http://127.0.0.1:9/v2/cards?q=a")
        #expect(records.dropLast().allSatisfy { $0["for"] is String && $0["method"] as? String == "GET" })
        #expect(records[8]["requests"] as? Int == 8 && records[8]["seconds"] as? Double == 7)
    }

    @Test func `asks a mirror for the list of another address`() throws {
        let server = try LocalServer()
        let url = "https://api.scryfall.com/cards/search?q=type:legendary"
        let run = try Session(
            "fetch-characters", ["--learn", url, "--base-url", server.url + "/scryfall-cards"],
            environment: LearnSession.environment)
        #expect(run.status == 0 && run.text.contains(#""baseURL": "https://api.scryfall.com","#), "\(run.errors)")
        #expect(run.text.contains(#""path": "/cards/search","#) && run.text.contains(#""name": "scryfall-cards","#))
    }

    @Test func `learns the same from a recording, with no network`() throws {
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

    @Test func `reports its requests`() throws {
        let folder = try ScratchFolder()
        let server = try LocalServer()
        let learnt = try LearnSession(server, "/learning/pages", ["--report", "r.json"], folder: folder)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(try folder.bytes("r.json"))) as? [String: Any])
        #expect(report["requests"] as? Int == learnt.requests.count && report["complete"] as? Bool == true)
        #expect(report["recordsOut"] as? Int == 0 && report["bytesOut"] as? Int == learnt.run.output.count)
    }

    @Test func `is written as a person writes a description, and ready to be used`() throws {
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
