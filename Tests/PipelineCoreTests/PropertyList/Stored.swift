// Stores lines the way the tool does, for tests that look at the result.

import Foundation
import PipelineCore
import TestSupport
import Testing

/// What became of some lines.
struct Stored {
    let data: Data
    let choices: Substitutions

    var text: String { String(decoding: data, as: UTF8.self) }

    /// The root as Foundation reads it.
    func root() throws -> NSArray {
        let root = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        guard let array = root as? NSArray else { throw SystemError(code: 0, operation: "read", subject: "root") }
        return array
    }

    /// What stands within the one record of the array, its indentation taken away.
    var record: String {
        let lines = text.split(separator: "\n").map { String($0.drop { $0 == "\t" }) }
        guard lines.count > 7 else { return lines.dropFirst(3).joined() }
        return lines[5..<(lines.count - 3)].joined()
    }

    /// - Throws: `BadRecord` for the first line that can't be stored.
    init(
        _ lines: [String], format: StoreFormat = .xml, rules: ValueRules = ValueRules(),
        layout: StoreLayout = StoreLayout()
    ) throws {
        let folder = try ScratchFolder()
        var writer = StoreWriter(
            try AtomicFile.begin(folder.path("store.plist")), at: try FileLocation(folder.path("store.plist")),
            format: format, rules: rules, layout: layout, verifies: true)
        try writer.begin()
        for line in lines {
            if let bad = try writer.append(Array(line.utf8).span) { throw bad }
        }
        try writer.finish()
        choices = writer.choices
        // Whatever is stored in a test reads back as what came.
        let isSame = try writer.readsBack()
        #expect(isSame)
        try writer.file.commit()
        data = try folder.data("store.plist")
    }

    /// The reason why the line can't be stored, nil where it can.
    static func fault(_ line: String, rules: ValueRules = ValueRules()) throws -> BadRecord.Reason? {
        do {
            _ = try Stored([line], rules: rules)
            return nil
        } catch let bad as BadRecord {
            return bad.reason
        }
    }
}

extension ValueRules {
    /// With dates in `d` and data in `b`.
    static func typed() throws -> ValueRules {
        var rules = ValueRules()
        rules.dates = [try JSONPath("d")]
        rules.data = [try JSONPath("b")]
        return rules
    }
}
