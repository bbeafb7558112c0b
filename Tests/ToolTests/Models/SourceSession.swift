// A run of fetch-characters on a source that is built in, against its model.

import Foundation
import Testing

/// A source, the path of its model on the local server, and its key.
struct ModelledSource: CustomTestStringConvertible, Sendable {
    let name: String
    let path: String
    /// The environment variable of its key, nil where it has none.
    var variable: String?
    var needsKey = false
    /// Its records, all of them, in pages of `pageSize`.
    let count: Int
    var pageSize: Int?

    var testDescription: String { name }

    static let disney = ModelledSource(name: "disney", path: "", count: 120, pageSize: 10)
    static let dogBreeds = ModelledSource(
        name: "dog-breeds", path: "/dogapi/v1", variable: "DOG_API_KEY", count: 39, pageSize: 10)
    static let catBreeds = ModelledSource(
        name: "cat-breeds", path: "/catapi/v1", variable: "CAT_API_KEY", count: 28, pageSize: 10)
    static let catImages = ModelledSource(
        name: "cat-images", path: "/catapi/v1", variable: "CAT_API_KEY", count: 10)
    static let rijksmuseum = ModelledSource(name: "rijksmuseum", path: "/rijksmuseum", count: 216)
    static let rijksmuseumV1 = ModelledSource(
        name: "rijksmuseum-v1", path: "/rijksmuseum-v1/api", variable: "RIJKSMUSEUM_API_KEY", needsKey: true,
        count: 216, pageSize: 30)
    static let dogs = ModelledSource(name: "dogs", path: "/dogs", count: 7)

    static let all = [disney, dogBreeds, catBreeds, catImages, rijksmuseum, rijksmuseumV1, dogs]
    static let keyed = all.filter { $0.variable != nil }

    /// The options that name it, on a server.
    func options(_ server: LocalServer, isList: Bool = true) -> [String] {
        let size = isList ? pageSize.map { ["--page-size", "\($0)"] } ?? [] : []
        return ["--source", name, "--base-url", server.url + path, "--rate", "10000/second"]
            + size
    }

    /// Its key in the environment, where it needs one.
    func environment(key: String? = nil) -> [String: String] {
        guard let variable, let key = key ?? (needsKey ? "live_key" : nil) else { return [:] }
        return [variable: key]
    }

    func fetch(_ server: LocalServer, _ arguments: [String] = [], key: String? = nil) throws -> Session {
        try Session(
            "fetch-characters", options(server, isList: !arguments.contains("--id")) + arguments,
            environment: environment(key: key), limitSeconds: 120)
    }
}

extension Session {
    static func object(_ json: some Sequence<UInt8>) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    func records() throws -> [[String: Any]] { try lines.map { try Self.object($0.utf8) } }

    /// The text of a member in each record that has it.
    func texts(_ member: String) throws -> [String] { try records().compactMap { $0[member] as? String } }
}
