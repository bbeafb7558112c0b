// Every option that takes no file and no word, with numbers that no program was written for: the tool says what is wrong,
// or does its job.

import PipelineCore
import TestSupport
import Testing

@testable import fetch_characters
@testable import fetch_images
@testable import filter_search
@testable import store_plist

@Suite("Numbers of options") struct NumericOptionTests {
    /// A call to which the option is added.
    struct Call: Sendable, CustomTestStringConvertible {
        let tool: String
        let option: String
        let arguments: String
        /// The numbers that the parser takes, and the first that it refuses.
        let numbers: [String]

        var testDescription: String { "\(tool) --\(option)" }
    }

    private static let numbers =
        [
            "", "-1", "0", "1", "0.5", "2147483647", "2147483648", "4294967296", "9007199254740992",
            "9223372036854775806", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e308",
            "nan",
            "inf", "-inf", "0x10", String(repeating: "9", count: 300), String(repeating: "9", count: 400),
        ]
        + ["k", "M", "G", "ms", "s", "m", "h", "d", "/second", "/hour"].flatMap { unit in
            ["0", "9223372036854775807", String(repeating: "9", count: 300)].map { $0 + unit }
        }

    /// The options of a command whose values aren't files, directories or a few words.
    private static func calls<Settings>(
        _ command: Command<Settings>, _ settings: Settings, _ arguments: String
    ) -> [Call] {
        let line = arguments.prefix { $0 != "<" }.replacing("$url", with: "http://127.0.0.1")
        let words = line.split(separator: " ").map(String.init)
        return command.options.filter { option in
            guard let kind = option.valueKind else { return false }
            return kind.words.isEmpty && !kind.hasFiles && !kind.hasDirectories
        }.map { option in
            let takes = { (number: String) in
                var settings = settings
                do throws(UsageError) {
                    _ = try command.parse(words + ["--\(option.name)=\(number)"], into: &settings)
                    return true
                } catch {
                    return false
                }
            }
            let refused = numbers.first { !takes($0) }.map { [$0] } ?? []
            return Call(
                tool: command.name, option: option.name, arguments: arguments,
                numbers: numbers.filter(takes) + refused)
        }
    }

    private static let calls =
        calls(
            .fetchCharacters, FetchSettings(),
            "--base-url $url --limit 100 --rate 1000000/second --retries 0 --cache none")
        + calls(.fetchImages, ImagesSettings(), "--allow-private --retries 0 --cache none <pictures")
        + calls(.filterSearch, FilterSettings(), "mick <records")
        + calls(.storePlist, StoreSettings(), "store.plist <records")

    @Test func `are looked for in all tools`() {
        for (tool, option) in [
            ("fetch-characters", "limit"), ("fetch-images", "max-bytes"), ("filter-search", "limit"),
            ("store-plist", "wait"),
        ] {
            #expect(Self.calls.contains { $0.tool == tool && $0.option == option })
        }
        #expect(Self.calls.count > 30 && Self.calls.count { $0.numbers.count > 2 } > 25)
    }

    @Test(arguments: calls) func `end with a message or with what was asked for`(_ call: Call) throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        try folder.write(call.numbers.map { $0 + "\n" }.joined().utf8, to: "numbers")
        try folder.write("{\"name\":\"Mick\",\"n\":1}\n{\"name\":\"Mickey\"}\n".utf8, to: "records")
        try folder.write(
            "{\"imageURL\":\"\(server.url)/images/cat.png\"}\n{\"imageURL\":\"data:,<svg/>\"}\n{\"name\":1}\n".utf8,
            to: "pictures")
        let script = """
            url=\(server.url)
            while IFS= read -r number; do
                \(call.tool) \(call.arguments) --\(call.option)="$number" >out 2>errors
                printf '%s %s %s\\n' $? "$(wc -l <errors)" "$number"
            done <numbers
            """
        let run = try Session.script(script, folder: folder, limitSeconds: 300)
        #expect(run.lines.count == call.numbers.count, "\(run.errors)")
        for line in run.lines {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            let status = try #require(Int(parts[0]))
            #expect(status < 128 && status != 70, "\(line)")
            #expect(status != 64 || parts[1] == "1", "\(line)")
        }
    }
}
