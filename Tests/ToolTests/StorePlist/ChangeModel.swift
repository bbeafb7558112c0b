// What a run must do to a store, and which changes it must tell, from a model of both.

import TestSupport

/// Records with a key, or without one.
struct ModelRow: Hashable {
    var id: ModelValue?
    var body: ModelValue

    var value: ModelValue {
        guard case .object(let members) = body else { return body }
        return .object((id.map { [ModelValue.Member(name: "id", value: $0)] } ?? []) + members)
    }

    /// The key as text, by one path or by two.
    func key(_ paths: [String]) -> String? {
        let values = paths.map { value[$0] }
        guard !values.contains(nil) else { return nil }
        if values.count > 1 { return "[" + values.compactMap { $0?.json }.joined(separator: ",") + "]" }
        if case .text(let text)? = values[0] { return text }
        return values[0]?.json
    }
}

/// A run: its mode, the old records and those that come.
struct ChangeModel {
    let mode: String
    let keys: [String]
    let old: [ModelRow]
    let new: [ModelRow]
    /// Whether 1 and 1.0 are one number, as in JSON Lines.
    var comparesNumbers = false
    var isIgnored: (String) -> Bool = { _ in false }

    /// Each key once, in the place of the first, as the last has it.
    func once(_ rows: [ModelRow]) -> [ModelRow] {
        var result: [ModelRow] = []
        for row in rows {
            if let key = row.key(keys), let index = result.firstIndex(where: { $0.key(keys) == key }) {
                result[index] = row
            } else {
                result.append(row)
            }
        }
        return result
    }

    private func find(_ row: ModelRow, in rows: [ModelRow]) -> ModelRow? {
        row.key(keys).flatMap { key in rows.first { $0.key(keys) == key } }
    }

    private func differences(_ old: ModelRow, _ new: ModelRow) -> [String] {
        guard comparesNumbers else { return old.value.differences(new.value, ignoring: isIgnored) }
        return old.value.numbers.differences(new.value.numbers, ignoring: isIgnored)
    }

    /// What stays of two records with one key.
    private func kept(_ old: ModelRow, _ new: ModelRow) -> ModelRow {
        differences(old, new).isEmpty ? old : new
    }

    /// The new store.
    var result: [ModelRow] {
        let (before, came) = (once(old), once(new))
        switch mode {
        case "append": return old + new
        case "remove": return before.filter { find($0, in: came) == nil }
        case "merge":
            return before.map { row in find(row, in: came).map { kept(row, $0) } ?? row }
                + came.filter { find($0, in: before) == nil }
        default: return came.map { row in find(row, in: before).map { kept($0, row) } ?? row }
        }
    }

    /// The lines of `--changes`.
    var lines: [String] {
        let (before, came) = (once(old), once(new))
        if mode == "append" { return new.map(added) }
        let gone = before.filter { row in (find(row, in: came) != nil) == (mode == "remove") }.map(removed)
        if mode == "remove" { return gone }
        // In the order of the new store: a merge leaves what is stored where it is.
        let stored = mode == "merge" ? before.compactMap { find($0, in: came) } : []
        let order = stored + came.filter { !stored.contains($0) }
        let told = order.compactMap { row -> String? in
            guard let was = find(row, in: before) else { return added(row) }
            let paths = differences(was, row)
            return paths.isEmpty ? nil : changed(row, was, paths)
        }
        return told + (mode == "replace" ? gone : [])
    }

    private func key(_ row: ModelRow) -> String {
        guard let key = row.key(keys) else { return "null" }
        return keys.count > 1 ? key : ModelValue.text(key).json
    }

    private func added(_ row: ModelRow) -> String {
        #"{"change":"added","key":\#(key(row)),"record":\#(row.value.json)}"#
    }

    private func removed(_ row: ModelRow) -> String {
        #"{"change":"removed","key":\#(key(row)),"was":\#(row.value.json)}"#
    }

    private func changed(_ row: ModelRow, _ was: ModelRow, _ paths: [String]) -> String {
        let at = ModelValue.array(paths.prefix(100).map { .text($0) }).json
        let more = paths.count > 100 ? ",\"more\":\(paths.count - 100)" : ""
        return #"{"change":"changed","key":\#(key(row)),"at":\#(at)\#(more),"record":\#(row.value.json),"#
            + #""was":\#(was.value.json)}"#
    }

    /// Few ids, so that many meet, and some records without one.
    static func rows(_ random: inout SplitMix64, like old: [ModelRow], hasKeyless: Bool) -> [ModelRow] {
        (0..<Int.random(in: 0..<12, using: &random)).map { _ in
            let number = Int.random(in: 0..<8, using: &random)
            let id: ModelValue = number.isMultiple(of: 2) ? .integer(number) : .text("k\(number)")
            let body = old.first { $0.id == id }?.body.changed(&random) ?? .object(&random)
            guard hasKeyless, number == 0 else { return ModelRow(id: id, body: body) }
            // A last line without a value is what a tool leaves of a seal.
            let isEmpty = body == .object([])
            return ModelRow(id: nil, body: isEmpty ? .object([.init(name: "a", value: .integer(1))]) : body)
        }
    }
}
