// Runs of fetch-characters on the model that demands a token, with a home of their own that several can share.

import TestSupport
import Testing

/// Runs that share a home, and so their tokens.
struct TokenRun {
    static let secret = "live_pl4nted s3cret+/&é"
    static let environment = [
        "X_ID": "live_me:and/you", "X_SECRET": secret, "X_REFRESH": "live_first-refr3sh", "X_USER": "mick",
    ]

    let server: LocalServer
    let folder: ScratchFolder
    let tokenServer: LocalServer

    init(_ faults: [String] = [], tokenServer: LocalServer? = nil) throws {
        server = try LocalServer(faults: faults)
        self.tokenServer = tokenServer ?? server
        folder = try ScratchFolder()
    }

    // MARK: Descriptions

    func client(_ scope: String = "", place: String = "basic") -> String {
        #"{"url": "\#(tokenServer.url)/tokens/token", "grant": "client-credentials", "id": {"env": "X_ID"}, "secret": "#
            + #"{"env": "X_SECRET"}, "client": "\#(place)"\#(scope.isEmpty ? "" : #", "scope": "\#(scope)""#)}"#
    }

    func refresh(_ scope: String = "", place: String = "body") -> String {
        #"{"url": "\#(tokenServer.url)/tokens/token", "grant": "refresh-token", "id": {"env": "X_ID"}, "refresh": "#
            + #"{"env": "X_REFRESH"}\#(scope.isEmpty ? "" : #", "scope": "\#(scope)""#)}"#
    }

    func login(_ user: String = "mick", _ kind: String = "body", lifetime: String = "") -> String {
        #"{"url": "\#(tokenServer.url)/tokens/login", "\#(kind)": {"user": "\#(user)", "password": {"$env": "#
            + #""X_SECRET"}}, "token": "$.session.token"\#(lifetime)}"#
    }

    static let bearer = #"{"header": "Authorization", "prefix": "Bearer "}"#

    func describe(_ token: String, key: String = bearer, _ members: String = "") throws {
        let description = """
            {"name": "tokens", "baseURL": "\(server.url)/tokens", "path": "/list", "records": "data",
             "pagination": {"type": "page", "parameter": "page", "total": {"path": "total"},
                            "size": {"parameter": "size", "value": 5}},
             "members": {"id": "id", "name": "name"}, \(members)
             "token": \(token), "key": \(key)}
            """
        try folder.write(Array(description.utf8), to: "source.json")
    }

    // MARK: Runs

    static let arguments = ["--source", "source.json", "--rate", "10000/second", "--retries", "1"]

    /// The environment of all runs. Their home isn't removed with any of them.
    func environment(_ added: [String: String] = [:]) -> [String: String] {
        ["HOME": folder.path, "XDG_CACHE_HOME": folder.path("home")].merging(Self.environment) { $1 }
            .merging(added) { $1 }
    }

    func fetch(_ arguments: [String] = [], _ added: [String: String] = [:]) throws -> Session {
        try Session(
            "fetch-characters", Self.arguments + arguments, environment: environment(added), folder: folder)
    }

    var tokenRequests: [LoggedRequest] {
        get throws { try tokenServer.requests.filter { $0.target != "/tokens/list" && $0.method == "POST" } }
    }

    var tokenFiles: [String] {
        get throws { try Session.script("ls -A home/castline/tokens", folder: folder).lines }
    }
}
