// What a filter finds, once more: an ASCII query in strings of ASCII, by trying every place.

import PipelineCore
import TestSupport

@testable import filter_search

enum PlainFilter {
    /// Whether the record has the query.
    /// - Returns: nil for what isn't a record, for other queries, and where a string isn't ASCII.
    static func finds(_ settings: FilterSettings, in line: [UInt8]) -> Bool? {
        guard settings.kind == .text, !settings.matching.isLoose, settings.placement != .word,
            settings.conditions.isEmpty,
            settings.queries.isEmpty, settings.operands.count == 1,
            settings.fields.allSatisfy({ $0 == "name" || $0 == "films" })
        else { return nil }
        let record: PlainJSON
        do throws(PlainJSON.Fault) { record = try PlainJSON.read(line) } catch { return nil }
        guard record.kind == .object else { return nil }
        let query = Array(settings.operands[0].utf8)
        let texts = texts(record, settings)
        guard (texts + [query]).allSatisfy({ $0.allSatisfy { $0 < 0x80 } }) else { return nil }
        let isCased = settings.strength == .exact
        return texts.contains { text in
            has(isCased ? text : lowered(text), isCased ? query : lowered(query), settings)
        }
    }

    /// All strings in the members that are searched.
    private static func texts(_ record: PlainJSON, _ settings: FilterSettings) -> [[UInt8]] {
        let names = (settings.fields.isEmpty ? ["name"] : settings.fields).map { Array($0.utf8) }
        return stride(from: 1, to: record.children.count, by: 2).flatMap { place in
            let isSearched = settings.matching.searchesAnyField || names.contains(record.children[place - 1].text)
            return isSearched ? strings(record.children[place]) : []
        }
    }

    private static func strings(_ value: PlainJSON) -> [[UInt8]] {
        switch value.kind {
        case .string: [value.text]
        case .array: value.children.flatMap { strings($0) }
        case .object: stride(from: 1, to: value.children.count, by: 2).flatMap { strings(value.children[$0]) }
        default: []
        }
    }

    private static func lowered(_ text: [UInt8]) -> [UInt8] {
        text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func has(_ text: [UInt8], _ query: [UInt8], _ settings: FilterSettings) -> Bool {
        switch settings.placement {
        case .whole: text == query
        case .prefix: text.starts(with: query)
        default: (0...text.count).contains { text[$0...].starts(with: query) }
        }
    }
}
