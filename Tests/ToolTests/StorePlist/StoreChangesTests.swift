// `--changes`: the lines are what a model says, and applying them to the old store gives the new one.

import Foundation
import TestSupport
import Testing

@Suite struct StoreChangesTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private struct Counts: Decodable {
        let records, added, changed, same, removed: Int
    }

    /// How many random stores each case tries; more with `CASTLINE_CHANGES=1000`.
    private static let rounds = ProcessInfo.processInfo.environment["CASTLINE_CHANGES"].flatMap { Int($0) } ?? 8

    private func text(_ rows: [ModelRow]) -> String { rows.map { $0.value.json + "\n" }.joined() }

    @Test(
        arguments: ["replace", "append", "merge", "remove"],
        [
            ["--format=xml"], ["--format=binary"], ["--format=xml", "--keyed"], ["--format=binary", "--root=rows"],
            ["--format=jsonl"],
        ])
    func `the lines and the store are those of the model`(mode: String, layout: [String]) throws {
        let isKeyed = layout.contains("--keyed")
        if isKeyed, mode == "append" { return }
        var random = SplitMix64(seed: UInt64(mode.count * 100 + layout.joined().count))
        for round in 0..<Self.rounds {
            let keys = round.isMultiple(of: 3) && !isKeyed ? ["id", "id"] : ["id"]
            let old = ChangeModel.rows(&random, like: [], hasKeyless: !isKeyed)
            let new = ChangeModel.rows(&random, like: old, hasKeyless: false)
            var model = ChangeModel(mode: mode, keys: keys, old: old, new: new)
            model.comparesNumbers = layout.contains("--format=jsonl")
            let folder = try ScratchFolder()
            let place = layout + ["--min-records=0"] + (isKeyed ? ["--key=id"] : [])
            _ = try Session("store-plist", place, input: text(old).utf8, folder: folder)
            try folder.write(folder.bytes("characters.plist"), to: "old.plist")
            let before = isKeyed ? ChangeModel(mode: "replace", keys: keys, old: [], new: old).result : old
            #expect(try folder.loaded(Array(layout.dropFirst())) == before.map(\.value.json))
            let run = try Session(
                "store-plist",
                layout + ["--min-records=0", "--verify", "--mode", mode, "--changes=changes.jsonl"]
                    + keys.map { "--key=" + $0 },
                input: text(new).utf8, folder: folder)
            #expect(run.status == 0, "\(run.errors)")
            if mode == "merge" {
                let isRepeated = model.once(before).count < before.count
                #expect(run.errors.contains("occurs again in the store") == isRepeated)
            }
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
        let options = layout + keys.map { "--key=" + $0 } + ["--min-records=0", "old.plist"]
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

    @Test(arguments: ["xml", "binary", "jsonl"], ["replace", "merge"])
    func `what is ignored makes no change, and the old record stays`(format: String, mode: String) throws {
        var random = SplitMix64(seed: UInt64(format.count * 10 + mode.count))
        for _ in 0..<Self.rounds {
            let old = ChangeModel.rows(&random, like: [], hasKeyless: false)
            let new = ChangeModel.rows(&random, like: old, hasKeyless: false)
            // A name, an index, what a filter finds, and what stands at any depth.
            let options = ["--ignore=a", "--ignore=$.list[0]", "--ignore=$..more", "--ignore=b[?@=='x']"]
            let comparesNumbers = format == "jsonl"
            let model = ChangeModel(
                mode: mode, keys: ["id"], old: old, new: new, comparesNumbers: comparesNumbers
            ) { path in
                path.hasPrefix("$['a']") || path.hasPrefix("$['list'][0]") || path.contains("['more']")
            }
            guard !text(old + new).contains("\"b\":[") else { continue }
            let folder = try ScratchFolder()
            let base = ["--format", format, "--key=id", "--min-records=0"]
            _ = try Session("store-plist", base, input: text(old).utf8, folder: folder)
            let run = try Session(
                "store-plist", base + options + ["--mode", mode, "--changes=changes.jsonl"], input: text(new).utf8,
                folder: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.text("changes.jsonl").split(separator: "\n").map(String.init) == model.lines)
            #expect(try folder.loaded() == model.result.map(\.value.json))
        }
    }

    @Test(arguments: ["xml", "binary", "jsonl"], ["xml", "binary", "jsonl"])
    func `--diff says of two stores, and of a store and records, what --changes would`(old: String, new: String)
        throws
    {
        var random = SplitMix64(seed: UInt64(old.count * 10 + new.count))
        for _ in 0..<Self.rounds {
            let before = ChangeModel.rows(&random, like: [], hasKeyless: true)
            let after = ChangeModel.rows(&random, like: before, hasKeyless: false)
            // They are compared as the new store would hold them: NEW, or one like OLD of the records.
            func lines(comparedIn format: String) -> [String] {
                ChangeModel(
                    mode: "replace", keys: ["id"], old: before, new: after, comparesNumbers: format == "jsonl"
                ).lines
            }
            let folder = try ScratchFolder()
            for (name, format, rows) in [("old", old, before), ("new", new, after)] {
                let made = try Session(
                    "store-plist", ["--format", format, "--min-records=0", name], input: text(rows).utf8,
                    folder: folder)
                #expect(made.status == 0, "\(made.errors)")
            }
            let arguments = ["--key=id", "--diff", "old"]
            let stores = try Session("store-plist", arguments + ["new"], folder: folder)
            let records = try Session("store-plist", arguments, input: text(after).utf8, folder: folder)
            for (run, format) in [(stores, new), (records, old)] {
                let lines = lines(comparedIn: format)
                #expect(run.lines == lines)
                #expect(run.status == (lines.isEmpty ? 0 : 1), "\(run.errors)")
            }
            #expect(try folder.names() == ["new", "old"])
        }
    }

    @Test
    func `of many differences a hundred are named and the rest is counted`() throws {
        func record(_ value: Int) -> String {
            "{\"id\":1,\"l\":[" + Array(repeating: "\(value)", count: 250).joined(separator: ",") + "]}"
        }
        _ = try Session("store-plist", ["--key=id"], input: record(1).utf8, folder: folder)
        let run = try Session(
            "store-plist", ["--key=id", "--diff=characters.plist"], input: record(2).utf8, folder: folder)
        let paths = (0..<100).map { "\"$['l'][\($0)]\"" }.joined(separator: ",")
        #expect(run.text.hasPrefix(#"{"change":"changed","key":"1","at":[\#(paths)],"more":150,"record":"#))
    }

    @Test
    func `objects of many members in another order are the same`() throws {
        let members = (0..<50_000).map { "\"m\($0)\":\($0)" }
        func record(_ members: [String]) -> String { "{\"id\":1,\"o\":{" + members.joined(separator: ",") + "}}" }
        _ = try Session("store-plist", ["--key=id"], input: record(members).utf8, folder: folder)
        let run = try Session(
            "store-plist", ["--key=id", "--diff=characters.plist"], input: record(members.reversed()).utf8,
            folder: folder)
        #expect(run.status == 0 && run.text == "", "\(run.errors)")
    }

    @Test(arguments: [(9, 0, 65), (9, 1, 0), (8, 0, 0), (10, 0, 65)])
    func `--same-shape refuses what nine in ten had and fewer than one in ten have`(
        _ row: (old: Int, new: Int, status: Int)
    ) throws {
        func records(_ count: Int) -> String {
            (0..<10).map { "{\"id\":\($0)\($0 < count ? ",\"image\":1" : "")}\n" }.joined()
        }
        for options in [[], ["--key=id"], ["--key=id", "--mode=merge"], ["--mode=append"]] {
            let folder = try ScratchFolder()
            _ = try Session("store-plist", input: records(row.old).utf8, folder: folder)
            let run = try Session(
                "store-plist", ["--same-shape"] + options, input: records(row.new).utf8, folder: folder)
            #expect(run.status == row.status, "\(run.errors)")
        }
    }

    @Test
    func `what a foreign file holds and JSON doesn't is an error that leaves everything, or text`() throws {
        let foreign =
            "<plist><array><dict><key>id</key><string>a</string><key>x</key><real>nan</real></dict></array></plist>"
        try folder.write(foreign.utf8, to: "characters.plist")
        let input = #"{"id":"b"}"#.utf8
        let bad = try Session("store-plist", ["--key=id", "--changes=c"], input: input, folder: folder)
        #expect(bad.status == 65 && bad.errors.contains("$.was.x: JSON has no number for NaN"), "\(bad.errors)")
        #expect(try folder.text("characters.plist") == foreign)
        #expect(try folder.names() == ["characters.plist"])
        let run = try Session(
            "store-plist", ["--key=id", "--changes=-", "--lossy=text"], input: input, folder: folder)
        #expect(run.lines.last == #"{"change":"removed","key":"a","was":{"id":"a","x":"nan"}}"#, "\(run.errors)")
    }

    @Test
    func `a reader that is gone, or a full disk, leaves the store as it was`() throws {
        let folder = try ScratchFolder.withStore()
        let before = try folder.text("characters.plist")
        for (target, status) in [("> /dev/full", 74), ("| true", 141), (">&-", 74)] {
            let script = "sleep 0.2 && echo '{\"id\":9}' | store-plist --key id --changes - " + target
            let run = try Session.script("set -o pipefail; " + script, folder: folder)
            #expect(run.status == status, "\(target): \(run.errors)")
            #expect(try folder.text("characters.plist") == before)
        }
        let fifo = "mkfifo f; cat f > got & echo '{\"id\":9}' | store-plist --key id --changes f && wait && cat got"
        let run = try Session.script(fifo, folder: folder)
        #expect(
            run.lines.count == 5 && run.lines[1].hasPrefix(#"{"change":"added","key":"9""#),
            "\(run.errors) \(run.text)")
    }

    @Test
    func `paths with long names are bounded, and what is ignored is found below them`() throws {
        let name = String(repeating: "n", count: 300_000)
        func record(_ value: Int) -> String {
            let elements = (0..<50).map { "{\"v\":\(value),\"w\":\($0)}" }.joined(separator: ",")
            return "{\"id\":1,\"\(name)\":[\(elements)]}"
        }
        _ = try Session("store-plist", ["--key=id"], input: record(1).utf8, folder: folder)
        let arguments = ["--key=id", "--diff=characters.plist"]
        let run = try Session("store-plist", arguments, input: record(2).utf8, folder: folder)
        struct Change: Decodable {
            let at: [String]
            let more: Int
        }
        let change = try JSONDecoder().decode(Change.self, from: Data(run.output))
        #expect(change.at.first == "$['\(name)'][0]['v']")
        #expect((1..<6).contains(change.at.count) && change.at.count + change.more == 50)
        for path in ["$..v", "$.*[*].v", "$.*[?@.w >= 0].v"] {
            let none = try Session(
                "store-plist", arguments + ["--ignore", path], input: record(2).utf8, folder: folder)
            #expect(none.status == 0 && none.output.isEmpty)
        }
        let one = try Session(
            "store-plist", arguments + ["--ignore=$.*[1:].v"], input: record(2).utf8, folder: folder)
        #expect(one.text.hasPrefix(#"{"change":"changed","key":"1","at":["$['\#(name)'][0]['v']"],"record":"#))
    }

    @Test(arguments: ["replace", "merge"])
    func `twenty thousand records are told apart`(mode: String) throws {
        func records(_ ids: some Sequence<Int>, _ value: (Int) -> Int) -> String {
            ids.map { "{\"id\":\($0),\"v\":\(value($0))}\n" }.joined()
        }
        _ = try Session("store-plist", ["--key=id"], input: records(0..<20_000) { _ in 0 }.utf8, folder: folder)
        let new = records((5000..<25_000).reversed()) { $0.isMultiple(of: 10) ? 1 : 0 }
        let run = try Session(
            "store-plist", ["--key=id", "--mode", mode, "--changes=c"], input: new.utf8, folder: folder)
        let counts = try JSONDecoder().decode(Counts.self, from: Data(run.output))
        #expect(
            counts.added == 5000 && counts.changed == 1500 && counts.same == (mode == "merge" ? 18_500 : 13_500))
        #expect(counts.removed == (mode == "merge" ? 0 : 5000))
        let lines = try folder.text("c").split(separator: "\n")
        #expect(lines.count == counts.added + counts.changed + counts.removed)
        #expect(
            lines.contains(
                #"{"change":"changed","key":"19990","at":["$['v']"],"record":{"id":19990,"v":1},"was":{"id":19990,"v":0}}"#
            ))
    }
}
