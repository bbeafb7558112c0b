// Descriptions read, and their mistakes named with their places.

import Foundation
import PipelineCore
import PipelineHTTP
import Testing

@testable import fetch_characters

struct SourceDescriptionTests {
    @Test(arguments: BuiltInSource.all.map(\.name)) func `the built-in descriptions have no mistake`(name: String)
        throws
    {
        #expect(try Source.named(name).name == name)
    }

    @Test func `every built-in description has its line`() throws {
        let checkout = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).joined(separator: "/")
        let files = try FileManager.default.contentsOfDirectory(
            atPath: checkout + "/Sources/fetch-characters/BuiltIn")
        let sources = files.filter { !$0.hasSuffix(".schema.json") }
        #expect(sources.sorted() == BuiltInSource.all.map { "\($0.name).json" }.sorted())
    }

    @Test func `a description says what a source is`() throws {
        let source = try Source.named("disney")
        #expect(source.baseURL == "https://api.disneyapi.dev" && source.path == "/character")
        #expect(
            source.headers == [Source.Parameter("Accept", "application/json")] && source.item == "/character/{id}")
        #expect(source.rate == Rate("5/second") && source.search?.isRegex == true && source.keys.isEmpty)
        #expect(source.members.map(\.name) == [.id, .name, .imageURL, .pageURL])
        #expect(source.members.last?.locations.map(\.place.text) == ["sourceUrl", "url"])
    }

    @Test func `the shortest description has four members`() throws {
        let text = #"{"name":"x","baseURL":"http://h","records":"$","pagination":{"type":"none"}}"#
        #expect(Source.mistakes(text) == [])
    }

    /// A description of which only these members matter.
    private static func described(_ members: String) -> String {
        let usual = [
            ("name", #""x""#), ("baseURL", #""http://h""#), ("path", #""/list""#), ("records", #""$""#),
            ("pagination", #"{"type":"none"}"#),
        ]
        let own = (try? JSONTree.read(Array("{\(members)}".utf8).span))?.members.map(\.name) ?? []
        let others = usual.filter { name, _ in !own.contains(name) && (name != "records" || !own.contains("format"))
        }
        return "{" + (others.map { "\"\($0)\":\($1)" } + [members]).joined(separator: ",") + "}"
    }

    @Test func `mistakes are named with their places`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Mistakes.txt")
        var examples: [(members: String, mistakes: [String])] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#")
        {
            if line.hasPrefix("    ") {
                examples[examples.count - 1].mistakes.append(String(line.dropFirst(4)))
            } else {
                examples.append((String(line), []))
            }
        }
        #expect(examples.count > 140)
        for (members, mistakes) in examples {
            #expect(Source.mistakes(Self.described(members)) == mistakes, "\(members)")
        }
    }

    @Test func `all mistakes are named`() {
        #expect(
            Source.mistakes(#"{"name":"","baseURL":"h","records":"a b","pagination":[]}"#) == [
                "$.name: is empty", "$.baseURL: 'h' isn't an http or https URL",
                "$.records: 'a b': the path is wrong at character 2: expected '.', '[' or the end of the path; a name with "
                    + "spaces or signs is written $['my name']",
                "$.pagination: takes an object, not an array; its type is one of none, page, offset, cursor, next-url, link-header",
            ])
        #expect(
            Source.mistakes("{}") == ["name", "records", "pagination"].map { "$.\($0): is missing" })
        #expect(Source.mistakes("[]") == ["$: takes an object, not an array"])
    }

    @Test(arguments: [
        ("", "1:1: expected a value"), ("{\n  \"name\" 1}", "2:10: expected ':' after a member name"),
        ("{}\n{}", "2:1: expected the end of the line after the record"),
    ])
    func `what isn't JSON is named by line and column`(text: String, fault: String) {
        #expect(Source.mistakes(text) == [fault])
    }
}
