// Each catalogue of the local server, learnt from the URL of its list and from one in its middle, against the description
// that a person wrote for it.

import Foundation
import TestSupport
import Testing

@Suite("A learnt description")
struct LearnCatalogueTests {
    /// A description that a person wrote, and where its model is.
    struct Written: CustomTestStringConvertible, Sendable {
        let name: String
        let path: String
        let pageSize: Int?

        var testDescription: String { name }

        static let all: [Written] = {
            let modelled = ModelledSource.all.map { Written(name: $0.name, path: $0.path, pageSize: $0.pageSize) }
            let described = DescribedSource.all.filter { source in !modelled.contains { $0.name == source.name } }
            return modelled + described.map { Written(name: $0.name, path: $0.path, pageSize: nil) }
        }()

        var isInProject: Bool {
            FileManager.default.fileExists(atPath: "\(Fixtures.checkout)/Documentation/sources/\(name).json")
        }
    }

    /// Those that can't be found out, and what is said of them.
    static let unlearnt = [
        "cat-images": "neither page=1 nor page=0 is the page without it", "anilist-characters": "404",
        "kitsu-characters": "400", "met-museum": "texts or numbers",
        // The list comes in one response, and no experiment shows that.
        "amiibo": "60 records are all", "dnd5e-monsters": "records are all", "dogs": "records are all",
        "genshin-characters": "40 records are all", "ghibli-films": "records are all",
        "hp-characters": "40 records are all",
        "itunes-albums": "48 records are all", "superheroes": "records are all",
    ]

    /// The description without what no answer of a list shows: requests for each record, and its members.
    static func written(_ source: Written, _ folder: ScratchFolder) throws -> [String: Any] {
        let file = Fixtures.checkout + "/Documentation/sources/\(source.name).json"
        let bytes =
            source.isInProject
            ? try Data(contentsOf: URL(fileURLWithPath: file))
            : Data(try Session("fetch-characters", ["--show-source", source.name]).output)
        var object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        for name in ["expand", "members", "merge", "each", "search", "since"] { object[name] = nil }
        try folder.write(try JSONSerialization.data(withJSONObject: object), to: "written.json")
        let texts = Fixtures.checkout + "/Documentation/sources/\(source.name).graphql"
        if let text = FileManager.default.contents(atPath: texts) {
            try folder.write(text, to: "\(source.name).graphql")
        }
        return object
    }

    /// The key of a description in a curl command, and the environment for the written and the learnt one.
    static func key(
        _ description: [String: Any]
    ) throws -> (header: String?, query: String?, written: [String: String], text: String) {
        let key = (description["key"] as? [[String: Any]])?.first ?? description["key"] as? [String: Any]
        guard let key, key["required"] as? Bool == true, let variable = key["env"] as? String else {
            return (nil, nil, [:], "")
        }
        let text = (key["prefix"] as? String ?? "") + "live_key"
        let environment = [variable: "live_key"]
        if let name = key["header"] as? String { return ("\(name): \(text)", nil, environment, "live_key") }
        return ("", "\(try #require(key["query"] as? String))=\(text)", environment, "live_key")
    }

    @Test(arguments: Written.all)
    func `gives the bytes of the written one, from any page, or isn't given`(_ source: Written) throws {
        let server = try LocalServer()
        let folder = try ScratchFolder()
        let description = try Self.written(source, folder)
        let (header, query, environment, text) = try Self.key(description)
        var arguments = [
            "--source", "written.json", "--base-url", server.url + source.path, "--raw", "--cache", "none",
        ]
        // One request at a time, so that the server's log is in the order of the list.
        arguments += ["--rate", "100000/second", "--jobs", "1"]
        arguments += source.pageSize.map { ["--page-size", "\($0)"] } ?? []
        let written = try Session(
            "fetch-characters", arguments, environment: environment, folder: folder, limitSeconds: 120)
        #expect(written.status == 0, "\(written.errors)")
        let targets = try server.requests.map { Self.withoutKey($0.target) }
        try #require(!targets.isEmpty)
        let list = targets[0].prefix { $0 != "?" }
        for target in [targets[0]] + targets.dropFirst().prefix(1).filter({ $0.prefix { $0 != "?" } == list }) {
            let keyed = query.map { target + (target.contains("?") ? "&" : "?") + $0 } ?? target
            let learnt = try LearnSession(server, keyed, folder: folder, header: header)
            #expect(learnt.requests.count <= (header == nil ? 8 : 12))
            #expect(!learnt.run.errors.contains("live_key") && !learnt.run.text.contains("live_key"))
            if let words = Self.unlearnt[source.name] {
                #expect(learnt.run.status == 76 && learnt.run.errors.contains(words), "\(learnt.run.errors)")
                continue
            }
            #expect(learnt.run.status == 0, "\(learnt.run.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(learnt.run.output)) as? [String: Any]
            let variable = (object?["key"] as? [String: Any])?["env"] as? String
            let run = try learnt.records(key: variable.map { [$0: text] } ?? [:])
            #expect(run.status == 0 && run.text == written.text, "\(run.errors)")
        }
    }

    /// The target without its key.
    private static func withoutKey(_ target: String) -> String {
        target.replacing(/[?&](apikey|api_key|wskey|key)=live_key/, with: "")
            .replacing(/^([^?&]*)&/) { "\($0.1)?" }
    }
}
