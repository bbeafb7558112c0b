// What the example apps do where a service fails: each kind of request of each example is refused in turn, in a folder where
// the example has run before and in an empty one. What was stored stays, and the person is told.

import Foundation
import TestSupport
import Testing

@Suite("An example whose service fails", .enabled(if: Shells.has("jq"), "no jq"))
struct ExampleFailureTests {
    struct Example: CustomTestStringConvertible, Sendable {
        let name: String
        /// The places of its services below the server's address.
        let places: [String]
        /// A list that has nothing in it, as a fault.
        let empty: String

        var testDescription: String { name }

        func command(_ server: LocalServer) -> String {
            let addresses = places.map { "\(server.url)\($0)" }.joined(separator: " ")
            return "\(Fixtures.checkout)/scripts/examples/\(name) \(addresses)"
        }
    }

    static let examples = [
        Example(name: "cats", places: ["/catapi/v1"], empty: "path=/catapi/v1/breeds,body=[]"),
        Example(
            name: "disney", places: [""],
            empty: #"path=/character,body={"info":{"count":0\,"totalPages":0\,"nextPage":null}\,"data":[]}"#),
        Example(name: "dogs-list", places: ["/dogs"], empty: "path=/dogs/,body=[]"),
        Example(name: "pets", places: ["/dogapi/v1"], empty: "path=/dogapi/v1/breeds,body=[]"),
        Example(
            name: "rijksmuseum", places: ["/rijksmuseum", "/rijksmuseum-v1/api"],
            empty:
                #"path=/rijksmuseum/search,body={"type":"OrderedCollectionPage"\,"orderedItems":[]\,"partOf":{"totalItems":0}}"#
        ),
    ]

    /// What an example leaves, each file with its digest.
    private static func files(_ folder: ScratchFolder) throws -> [String] {
        try Session.script("find . -type f ! -path './.home/*' -exec sha256sum {} + | sort -k 2", folder: folder)
            .lines
    }

    private static func run(_ example: Example, _ server: LocalServer, _ folder: ScratchFolder) throws -> Session {
        // The cache is that of the folder, so that pictures can be revalidated, and lists are asked for again.
        let script = """
            mkdir -p .home; export XDG_CACHE_HOME=$PWD/.home/cache RIJKSMUSEUM_SEARCH=teapot
            \(example.command(server))
            """
        return try Session.script(script, folder: folder, limitSeconds: 120)
    }

    /// The kinds of requests of a run: the beginnings of their paths, with the first digits of the number of a record.
    private static func kinds(_ server: LocalServer) throws -> [String] {
        let kinds = try server.requests.map { request in
            var digits = 0
            return String(
                request.target.prefix { sign in
                    if sign.isNumber { digits += 1 }
                    return sign != "?" && digits <= 4
                })
        }
        return Set(kinds).sorted()
    }

    @Test(arguments: examples)
    func `keeps what is stored, and tells, whichever of its requests is refused`(_ example: Example) throws {
        let folder = try ScratchFolder()
        var server = try ExampleRoom.server()
        let first = try Self.run(example, server, folder)
        #expect(first.status == 0, "\(first.errors)")
        let kinds = try Self.kinds(server)
        let stored = try Self.files(folder)
        let port = UInt16(server.port)
        try #require(kinds.count > 1 && !stored.isEmpty)
        let asksForPicture = { (kind: String) in kind.hasPrefix("/images") || kind.contains("/iiif/") }
        // Pictures first, while the cache knows them: for lists it is emptied, so that they are asked for.
        for kind in kinds.filter(asksForPicture) + kinds.filter({ !asksForPicture($0) }) {
            server.stop()
            let isPicture = asksForPicture(kind)
            let path = kind.replacing(",", with: "\\,")
            server = try ExampleRoom.server(faults: ["path=\(path),status=403"], port: port)
            if !isPicture { try? FileManager.default.removeItem(atPath: folder.path(".home")) }
            // The list of dogs is the user's own, and its steps edit it.
            let edits = example.name == "dogs-list"
            let run = try Self.run(example, server, folder)
            // A picture that can't be had stays the stored one, so such a run ends well.
            #expect((run.status == 0) == isPicture, "\(kind): \(run.status) \(run.errors)")
            #expect(isPicture || !run.errors.isEmpty, "\(kind)")
            let after = try Self.files(folder)
            if edits {
                let rows = try Session.script("store-plist --load dogs.plist | wc -l", folder: folder)
                #expect(rows.lines != ["0"] && rows.status == 0, "\(kind): \(rows.errors)")
            } else {
                #expect(Self.isKept(stored, after), "\(kind): \(after)")
            }
        }
    }

    /// Stores and pictures are as they were, and no other files are there; a list and a page may have been written anew.
    private static func isKept(_ stored: [String], _ after: [String]) -> Bool {
        let names = { (lines: [String]) in lines.map { $0.drop { $0 != "." } } }
        let lasting = { (lines: [String]) in lines.filter { $0.hasSuffix(".plist") || $0.contains("/pictures/") } }
        return names(stored) == names(after) && lasting(stored) == lasting(after)
    }

    @Test(arguments: examples)
    func `leaves no store and no half of a file where the first request is refused, and says why`(
        _ example: Example
    ) throws {
        let folder = try ScratchFolder()
        let server = try ExampleRoom.server(faults: ["path=/,status=403"])
        let run = try Self.run(example, server, folder)
        #expect(run.status == 77 && run.errors.contains(" answered 403"), "\(run.status) \(run.errors)")
        #expect(try Self.files(folder) == [])
    }

    @Test(arguments: examples)
    func `says that a list is empty, and keeps what is stored`(_ example: Example) throws {
        let folder = try ScratchFolder()
        let server = try ExampleRoom.server()
        #expect(try Self.run(example, server, folder).status == 0)
        let stored = try Self.files(folder)
        server.stop()
        let empty = try ExampleRoom.server(faults: [example.empty], port: UInt16(server.port))
        try? FileManager.default.removeItem(atPath: folder.path(".home"))
        let run = try Self.run(example, empty, folder)
        #expect(run.status == 1 && run.errors.contains("\(example.name): "), "\(run.status) \(run.errors)")
        if example.name != "dogs-list" { #expect(try Self.files(folder) == stored) }
        let fresh = try ScratchFolder()
        let first = try Self.run(example, empty, fresh)
        #expect(first.status == 1 && first.errors.contains("\(example.name): "), "\(first.errors)")
        #expect(try Self.files(fresh) == [])
    }

    /// Breeds as the service has them: without a picture, without traits, with a description beside them.
    @Test
    func `takes breeds that lack a picture or traits`() throws {
        let breeds = [
            #"{"id":172\,"name":"Quay Terrier"\,"life_span":"12 - 15 years"\,"temperament":"Bold\, Clever"\,"reference_image_id":"Qx1"}"#,
            #"{"id":173\,"name":"Rope Terrier"\,"life_span":"11 years"}"#,
            #"{"id":174\,"name":"Salt Terrier"\,"temperament":"Clever"\,"description":"Sleeps\, mostly."}"#,
        ]
        let server = try ExampleRoom.server(
            faults: ["path=/dogapi/v1/breeds/search,body=[\(breeds.joined(separator: #"\,"#))]"])
        let folder = try ScratchFolder()
        let run = try Self.run(Self.examples[3], server, folder)
        #expect(run.status == 0, "\(run.errors)")
        let members = try Session.script(
            "store-plist --load breeds.plist | jq -c '[.name, .traits, .imageFile.status, .imageFile.error]'",
            folder: folder)
        #expect(
            members.lines == [
                #"["Quay Terrier",["Bold","Clever"],"placeholder","no URL"]"#,
                #"["Rope Terrier",[],"placeholder","no URL"]"#,
                #"["Salt Terrier",["Clever"],"placeholder","no URL"]"#,
            ], "\(members.text)")
        let other = try ExampleRoom.server()
        let none = try Session.script(
            "export PETS_SEARCH='no such dog'; \(Self.examples[3].command(other))",
            folder: folder)
        #expect(
            none.status == 1 && none.errors.contains("no breed has 'no such dog' in its name"), "\(none.errors)")
    }
}
