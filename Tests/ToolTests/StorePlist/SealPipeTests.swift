// A seal on its way through a pipe: whatever a tool between does to the lines, no cut list replaces a whole one under
// `--sealed`, no rest of a seal becomes a record, and what let the seal pass is stored.

import Foundation
import TestSupport
import Testing

@Suite struct SealPipeTests {
    private static let records = [#"{"id":3,"name":"c"}"#, #"{"id":1,"name":"a"}"#, #"{"id":2,"name":"b"}"#]
    private static let seal = #"{"$seal":{"records":3,"complete":true,"by":"count"}}"#

    enum Outcome: Sendable {
        case stored
        /// Refused under `--sealed` alone.
        case unsealed
        case refused
    }

    /// What a tool makes of the lines, in the words of one that does it.
    private static let pipes: [(tool: String, change: @Sendable ([String]) -> [String], outcome: Outcome)] = [
        ("cat", { $0 }, .stored),
        ("head -n 1, and the seal", { [$0[0], $0[3]] }, .stored),
        ("jq -c 'if has(\"$seal\") then . else {id} end'", { $0.dropLast().map { idOnly($0) } + [$0[3]] }, .stored),
        ("head -n 3", { Array($0.dropLast()) }, .unsealed),
        ("sort", { [$0[3]] + $0.dropLast().sorted() }, .unsealed),
        ("tac", { $0.reversed() }, .unsealed),
        ("sed a record behind it", { $0 + [#"{"id":4}"#] }, .unsealed),
        ("jq -c '{id, name}'", { $0.dropLast() + [#"{"id":null,"name":null}"#] }, .refused),
        ("jq -c '{id}'", { $0.dropLast().map { idOnly($0) } + [#"{"id":null}"#] }, .refused),
        ("jq -c 'del(.\"$seal\")'", { $0.dropLast() + ["{}"] }, .refused),
        ("jq 'del(.\"$seal\")' with spaces", { $0.dropLast() + [" { } \r"] }, .refused),
        ("jq -c '.seen = true'", { $0.map { $0.dropLast() + #","seen":true}"# } }, .refused),
    ]

    private static func idOnly(_ line: String) -> String { String(line.prefix { $0 != "," }) + "}" }

    @Test(arguments: pipes.map(\.tool), ["replace", "append", "merge", "remove", "keyed"])
    func `decides what is stored`(tool: String, mode: String) throws {
        let pipe = try #require(Self.pipes.first { $0.tool == tool })
        let options = mode == "keyed" ? ["--key", "id"] : mode == "replace" ? [] : ["--mode", mode, "--key", "id"]
        for isSealed in [true, false] {
            let folder = try ScratchFolder()
            let old = (1...20).map { "{\"id\":\($0),\"name\":\"old\"}\n" }.joined()
            #expect(try Session("store-plist", ["-q"], input: old.utf8, folder: folder).status == 0)
            let before = try folder.loaded()
            let input = pipe.change(Self.records + [Self.seal]).map { $0 + "\n" }.joined()
            let run = try Session(
                "store-plist", options + (isSealed ? ["--sealed"] : []), input: input.utf8, folder: folder)
            let isRefused = pipe.outcome == .refused || pipe.outcome == .unsealed && isSealed
            #expect(run.status == (isRefused ? 65 : 0), "\(isSealed): \(run.errors)")
            let after = try folder.loaded()
            if isRefused { #expect(after == before) }
            #expect(after.allSatisfy { $0.contains(#""id":"#) && !$0.contains("$seal") })
            if pipe.outcome == .refused {
                #expect(run.errors.contains(#"jq -c 'if has("$seal") then . else … end'"#))
            }
            if tool == "sort" || tool == "tac", isSealed { #expect(run.errors.contains("sort or tac")) }
        }
    }

    @Test(arguments: ["replace", "append", "merge", "remove"])
    func `counts for nothing where a bad line was skipped`(mode: String) throws {
        let folder = try ScratchFolder.withStore()
        let before = try folder.loaded()
        let input = Self.records[0] + "\n{\"id\":\n" + Self.seal + "\n"
        let options =
            ["--sealed", "--on-bad-line=skip", "--mode", mode] + (mode == "replace" ? [] : ["--key", "id"])
        let run = try Session("store-plist", options, input: input.utf8, folder: folder)
        #expect(run.status == 65 && run.errors.contains("so the list isn't whole"))
        #expect(try folder.loaded() == before)
    }

    @Test(arguments: [(1, 2), (3, 2), (3, 3), (9, 3)])
    func `passes --best only with all that matches`(limit: Int, matches: Int) throws {
        let lines = (Self.records + [Self.seal]).map { $0 + "\n" }.joined()
        let arguments = ["--best", "\(limit)", "--where", "id <= \(matches)"]
        let run = try Session("filter-search", arguments, input: lines.utf8)
        #expect(run.status == 0 && run.text.contains("$seal") == (limit >= matches))
        #expect(run.errors.contains("no seal is passed on: --best left out") == (limit < matches))
    }

    @Test(arguments: ["", "{\"$seal\":{\"records\":0,\"complete\":true,\"by\":\"answer\"}}\n"])
    func `no records make no store, unless they may`(input: String) throws {
        for options in [
            [], ["--mode", "append"], ["--mode", "merge", "--key", "id"], ["--key", "id", "--keyed"],
            ["--mode", "remove", "--key", "id"], ["--root", "r"], ["--format", "binary"],
        ] {
            for sealed in input.isEmpty ? [[]] : [[], ["--sealed"]] {
                let folder = try ScratchFolder()
                let refused = try Session(
                    "store-plist", options + sealed + ["new.plist"], input: input.utf8, folder: folder)
                #expect(refused.status == 65 && refused.errors.contains("--min-records 0"))
                #expect(try !folder.names().contains("new.plist"))
                let run = try Session(
                    "store-plist", options + sealed + ["--min-records", "0", "new.plist"], input: input.utf8,
                    folder: folder)
                #expect(run.status == 0, "\(run.errors)")
            }
        }
    }
}
