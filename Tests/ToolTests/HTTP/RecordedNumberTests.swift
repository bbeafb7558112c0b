// A recording that somebody has edited: what its numbers and its failures may decide.

import Foundation
import TestSupport
import Testing

@Suite("Numbers in a recording") struct RecordedNumberTests {
    /// A run whose recording has this for its response, from the line of the status on.
    private func played(_ tool: String, _ response: String) throws -> Session {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let arguments =
            tool == "fetch-characters"
            ? ["--base-url", server.url, "--limit", "50"] : ["--allow-private"]
        let input = tool == "fetch-images" ? "{\"imageURL\":\"\(server.url)/images/cat.png\"}\n" : ""
        _ = try Session(tool, arguments + ["--record", "r"], input: input.utf8, folder: folder)
        server.stop()
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.path("r")).first { $0.hasSuffix(".head") })
        let head = try folder.text("r/\(name)")
        let request = try #require(head.firstRange(of: "\n\n"))
        try folder.write((head[..<request.upperBound] + response).utf8, to: "r/\(name)")
        return try Session(
            tool, arguments + ["--replay", "r", "--retries", "1", "--progress", "always"], input: input.utf8,
            folder: folder)
    }

    @Test(
        arguments: ["fetch-characters", "fetch-images"],
        [
            "HTTP -5\n\n", "HTTP 99\n\n", "HTTP 1000\n\n", "HTTP 9223372036854775807\n\n", "HTTP 1e2\n\n",
            "HTTP nan\n\n", "HTTP none\n\n", "HTTP \n\n", "HTTP none\n\nFAILED idle-timeout nan\n",
            "HTTP none\n\nFAILED idle-timeout -inf\n", "HTTP none\n\nFAILED idle-timeout inf\n",
            "HTTP none\n\nFAILED idle-timeout -1e308\n", "HTTP none\n\nFAILED idle-timeout\n",
            "HTTP 200\n\nFAILED too-large -1\n", "HTTP 200\n\nFAILED too-large 9223372036854775808\n",
            "HTTP none\n\nFAILED libcurl x\n", "HTTP none\n\nFAILED invalid-request x\n",
            "HTTP none\n\nFAILED x\n",
        ])
    func `and words that no service sends are bad data, named by their file`(tool: String, response: String) throws
    {
        let run = try played(tool, response)
        #expect(run.status == 65, "\(run.status) \(run.errors)")
        #expect((run.text + run.errors).contains(".head is not the head of a recorded response; correct it, or"))
    }

    @Test(arguments: [
        ("HTTP none\n\nFAILED idle-timeout 1e308\n", 69), ("HTTP none\n\nFAILED idle-timeout 0\n", 69),
        ("HTTP none\n\nFAILED idle-timeout 1e-308\n", 69), ("HTTP none\n\nFAILED truncated\n", 69),
        ("HTTP 200\n\nFAILED too-large 9223372036854775807\n", 76), ("HTTP 100\n\n", 76), ("HTTP 999\n\n", 76),
    ])
    func `that a network can give are its failures`(response: String, status: Int32) throws {
        for tool in ["fetch-characters", "fetch-images"] {
            let run = try played(tool, response)
            #expect(run.status == status, "\(tool) \(run.errors)")
        }
    }

    @Test(
        arguments: ["Retry-After", "X-RateLimit-Reset", "Age", "Content-Length", "Date", "Cache-Control: max-age"],
        [
            "-1", "0", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e308",
            "nan", "inf", "", String(repeating: "9", count: 400),
        ])
    func `in the fields of an answer are waits, ages and lengths, or nothing`(name: String, number: String) throws {
        let separator = name.hasPrefix("Cache-Control") ? "=" : ": "
        for status in ["200", "429", "503"] {
            let run = try played(
                "fetch-characters", "HTTP \(status)\n\(name)\(separator)\(number)\nX-RateLimit-Remaining: 0\n\n")
            #expect(run.status < 128 && run.status != 70, "\(status) \(run.errors)")
        }
    }
}
