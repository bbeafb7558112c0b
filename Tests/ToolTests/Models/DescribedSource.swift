// A description of Documentation/sources with the model of its API, both as their files say.

import Foundation
import Testing

/// A description that isn't built in.
struct DescribedSource: CustomTestStringConvertible, Sendable {
    private static let folder = Fixtures.checkout + "/Documentation/sources"

    let name: String
    let summary: String?
    let note: String?
    /// The path of its model on the local server.
    let path: String
    let count: Int
    /// The common members that it describes.
    let members: [String]
    let hasSearch: Bool
    let hasItem: Bool
    /// The environment variable of its key, nil where it needs none.
    let variable: String?

    var testDescription: String { name }

    static let all: [DescribedSource] = {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                .filter { $0.hasSuffix(".json") }.map { try DescribedSource(String($0.dropLast(".json".count))) }
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private init(_ name: String) throws {
        let description = try Self.object("\(Self.folder)/\(name).json")
        self.name = name
        summary = description["summary"] as? String
        note = description["note"] as? String
        members = (description["members"] as? [String: Any] ?? [:]).keys.sorted()
        hasSearch = description["search"] != nil
        hasItem = description["item"] != nil
        let key = description["key"] as? [String: Any]
        variable = key?["required"] as? Bool == true ? key?["env"] as? String : nil
        let base = (description["baseURL"] as? String ?? "").split(separator: "//", maxSplits: 1)
        let parts = base.dropFirst().flatMap { $0.split(separator: "/").dropFirst() }
        path = "/" + ([name] + parts.map(String.init)).joined(separator: "/")
        count = try Self.count(Self.object("\(Fixtures.records)/apis/\(name).json"))
    }

    private static func object(_ path: String) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
    }

    /// The records of a model that the local server makes by its file: places less empty ones.
    private static func count(_ model: [String: Any]) -> Int {
        let holes = model["holes"] as? [String: Int] ?? [:]
        let row = holes["from"].flatMap { from in holes["to"].map { from...$0 } }
        return (1...(model["count"] as? Int ?? 0)).count { place in
            !(holes["every"].map { place % $0 == 0 } ?? false) && !(row?.contains(place) ?? false)
        }
    }

    func fetch(_ server: LocalServer, _ arguments: [String] = []) throws -> Session {
        let options = ["--source", "\(Self.folder)/\(name).json", "--base-url", server.url + path]
        return try Session(
            "fetch-characters", options + ["--rate", "10000/second"] + arguments,
            environment: variable.map { [$0: "live_key"] } ?? [:], limitSeconds: 120)
    }
}
