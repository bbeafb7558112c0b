// A key in the environment goes to the API that it is for, and nowhere else.

import Foundation
import TestSupport
import Testing

@Suite("A key in the environment")
struct PlantedKeyTests {
    static let key = "live_pl4nted-s3cret"

    /// Ways in which a service may try to get at the key, or make a tool tell it.
    static let faults: [[String]] = [
        [], ["page=1,redirect=@ELSEWHERE@/images/fox.png"], ["page=1,times=1,status=500"], ["status=500"],
        ["status=401"], ["garbage"], ["html"], ["path=/images,redirect=@BASE@/images/bear.png"], ["reset"],
        ["page=2,header=Link: <@ELSEWHERE@/dogs>; rel=next"],
        ["page=1,header=Link: <@BASE@/\(key)/x?a=1#\(key)>; rel=next"],
    ]

    /// The spellings in which it could stand somewhere.
    private static let spellings = [key, Data(key.utf8).base64EncodedString(), "live%5Fpl4nted", "pl4nted"]

    private static func finds(_ bytes: [UInt8]) -> Bool {
        spellings.contains { bytes.firstRange(of: Array($0.utf8)) != nil }
    }

    /// The files below a directory that hold it.
    private static func files(in folder: ScratchFolder) throws -> [String] {
        try Session.script("find . -type f", folder: folder).lines.filter { finds(try folder.bytes($0)) }
    }

    @Test(arguments: ModelledSource.keyed, faults)
    func `is in no output, message, report, cache or recording, and in no request to another origin`(
        _ source: ModelledSource, _ faults: [String]
    ) throws {
        try plant(source, faults, [], environment: source.environment(key: Self.key))
    }

    @Test(arguments: ModelledSource.keyed)
    func `nor is one that --key-file names`(_ source: ModelledSource) throws {
        let folder = try ScratchFolder()
        try folder.write(Array("\(Self.key)\n".utf8), to: "key")
        try plant(
            source, ["page=1,times=1,redirect=@ELSEWHERE@/images/fox.png", "page=2,status=404"],
            ["--key-file", folder.path("key")], environment: [:])
    }

    private func plant(
        _ source: ModelledSource, _ faults: [String], _ keyOptions: [String], environment: [String: String]
    ) throws {
        let server = try LocalServer(faults: faults)
        let folder = try ScratchFolder()
        let common = source.options(server) + ["--retries", "1", "--report", "report", "--explain"] + keyOptions
        for options in [
            ["--cache", "cache"], ["--cache", "cache", "--max-age", "1d"], ["--record", "recording"],
            ["--replay", "recording"], ["--cache", "none", "--state", "state"],
        ] {
            let run = try Session("fetch-characters", common + options, environment: environment, folder: folder)
            #expect(!Self.finds(run.output) && !Self.finds(Array(run.errors.utf8)), "\(run.errors)")
            // What stands in the place of a run that failed on its way is looked through below.
            // A list of one response has no place to go on from.
            if options.contains("state"), run.status != 0, !run.output.isEmpty, source.name != "cat-images" {
                #expect(try folder.names().contains("state"))
            }
            let images = try Session(
                "fetch-images",
                ["--allow-private", "--retries", "0", "--cache", "cache", "--report", "images.json"],
                input: run.output, environment: environment, folder: folder)
            #expect(!Self.finds(images.output) && !Self.finds(Array(images.errors.utf8)))
        }
        let plan = try Session(
            "fetch-characters", source.options(server) + ["--plan", "--explain"] + keyOptions,
            environment: environment)
        #expect(!Self.finds(plan.output) && !Self.finds(Array(plan.errors.utf8)))
        #expect(try Self.files(in: folder) == [])
        #expect(try folder.names().contains("report"))
        let told = try server.requests.filter { request in
            Self.finds(Array(request.target.utf8)) || request.headers.contains { Self.finds(Array($0[1].utf8)) }
        }
        #expect(!told.isEmpty && told.allSatisfy { $0.header("host") == "127.0.0.1:\(server.port)" })
        let place = "/" + source.path.split(separator: "/")[0]
        #expect(told.allSatisfy { $0.target.hasPrefix(place + "/") })
    }
}
