// `--changes`: the lines are what a model says, and applying them to the old store gives the new one.

import Foundation
import TestSupport
import Testing

@Suite struct StoreChangesTests {
    private struct Counts: Decodable {
        let records, added, changed, same, removed: Int
    }

    /// How many random stores each case tries; more with `CASTLINE_CHANGES=1000`.
    private static let rounds = ProcessInfo.processInfo.environment["CASTLINE_CHANGES"].flatMap { Int($0) } ?? 8

    private func text(_ rows: [ModelRow]) -> String { rows.map { $0.value.json + "\n" }.joined() }

    @Test(
        arguments: ["replace", "append", "merge", "remove"],
        [["--format=xml"], ["--format=binary"], ["--format=xml", "--keyed"], ["--format=binary", "--root=rows"]])
    func `the lines and the store are those of the model`(mode: String, layout: [String]) throws {
        let isKeyed = layout.contains("--keyed")
        if isKeyed, mode == "append" { return }
        var random = SplitMix64(seed: UInt64(mode.count * 100 + layout.joined().count))
        for round in 0..<Self.rounds {
            let keys = round.isMultiple(of: 3) && !isKeyed ? ["id", "id"] : ["id"]
            let old = ChangeModel.rows(&random, like: [], hasKeyless: !isKeyed)
            let new = ChangeModel.rows(&random, like: old, hasKeyless: false)
            let model = ChangeModel(mode: mode, keys: keys, old: old, new: new)
            let folder = try ScratchFolder()
            let place = layout + ["--allow-empty"] + (isKeyed ? ["--key=id"] : [])
            _ = try Session("store-plist", place, input: text(old).utf8, folder: folder)
            try folder.write(folder.bytes("characters.plist"), to: "old.plist")
            let before = isKeyed ? ChangeModel(mode: "replace", keys: keys, old: [], new: old).result : old
            #expect(try folder.loaded(Array(layout.dropFirst())) == before.map(\.value.json))
            let run = try Session(
                "store-plist",
                layout + ["--allow-empty", "--verify", "--mode", mode, "--changes=changes.jsonl"]
                    + keys.map { "--key=" + $0 },
                input: text(new).utf8, folder: folder)
            #expect(run.status == 0, "\(run.errors)")
            let lines = try folder.text("changes.jsonl").split(separator: "\n").map(String.init)
            #expect(lines == model.lines)
            #expect(try folder.loaded(Array(layout.dropFirst())) == model.result.map(\.value.json))
            let counts = try JSONDecoder().decode(Counts.self, from: Data(run.output))
            #expect(counts.added + counts.changed + counts.same == counts.records)
            #expect(counts.added + counts.changed + counts.removed == lines.count)
            if mode != "append" { try expectApplied(lines, keys, layout, folder, model) }
        }
    }

    /// Merges and removes what the lines say, from the old store.
    private func expectApplied(
        _ lines: [String], _ keys: [String], _ layout: [String], _ folder: ScratchFolder, _ model: ChangeModel
    ) throws {
        let options = layout + keys.map { "--key=" + $0 } + ["--allow-empty", "old.plist"]
        for (mode, member) in [("merge", "record"), ("remove", "was")] {
            let records = lines.filter { ($0.hasPrefix(#"{"change":"removed""#)) == (mode == "remove") }
                .filter { !$0.contains(#""key":null"#) }
                .compactMap { line in
                    line.firstRange(of: "\"\(member)\":").map { range in
                        let end = line[range.upperBound...].firstRange(of: #","was":"#)?.lowerBound
                        return String(line[range.upperBound..<(end ?? line.index(before: line.endIndex))])
                    }
                }
            let run = try Session(
                "store-plist", ["--mode", mode] + options, input: records.joined(separator: "\n").utf8,
                folder: folder)
            #expect(run.status == 0, "\(run.errors) \(records)")
        }
        let applied = try Session(
            "store-plist", ["--load"] + layout.dropFirst() + ["old.plist"], folder: folder
        ).lines.filter { $0.contains(#"{"id":"#) }
        let keyed = model.result.filter { $0.key(keys) != nil }
        #expect(applied.sorted() == keyed.map(\.value.json).sorted())
    }

    @Test(arguments: ["xml", "binary"], ["replace", "merge"])
    func `what is ignored makes no change, and the old record stays`(format: String, mode: String) throws {
        var random = SplitMix64(seed: UInt64(format.count * 10 + mode.count))
        for _ in 0..<Self.rounds {
            let old = ChangeModel.rows(&random, like: [], hasKeyless: false)
            let new = ChangeModel.rows(&random, like: old, hasKeyless: false)
            // A name, an index, what a filter finds, and what stands at any depth.
            let options = ["--ignore=a", "--ignore=$.list[0]", "--ignore=$..more", "--ignore=b[?@=='x']"]
            let model = ChangeModel(mode: mode, keys: ["id"], old: old, new: new) { path in
                path.hasPrefix("$['a']") || path.hasPrefix("$['list'][0]") || path.contains("['more']")
            }
            guard !text(old + new).contains("\"b\":[") else { continue }
            let folder = try ScratchFolder()
            let base = ["--format", format, "--key=id", "--allow-empty"]
            _ = try Session("store-plist", base, input: text(old).utf8, folder: folder)
            let run = try Session(
                "store-plist", base + options + ["--mode", mode, "--changes=changes.jsonl"], input: text(new).utf8,
                folder: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.text("changes.jsonl").split(separator: "\n").map(String.init) == model.lines)
            #expect(try folder.loaded() == model.result.map(\.value.json))
        }
    }
}
