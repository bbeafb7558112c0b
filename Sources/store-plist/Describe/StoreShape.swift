// `--describe`: the shape of a whole store, collected in one pass over its records, and its Swift types.

import PipelineCore

struct StoreShape {
    static let defaultTypeName = "Record"
    /// More names than anybody reads, and their bytes.
    private static let limits = (names: 10_000, bytes: 1 << 20)
    static let tooManyNames: Message =
        "expected at most \(limits.names) names of members, of 1 MiB in all, to describe"

    private let format: StoreFormat
    private let arrangement: StoredRecords.Arrangement
    private let record = Shape(isRecord: true)
    private let root: String?
    /// That member and those beside it, of a dictionary that counts as one object.
    private let outer = Shape(isRecord: true)
    private(set) var records = 0
    /// The keys of the records, as Foundation tells them apart.
    private var keys: Set<String> = []

    /// - Parameter file: must allow reads at any offset, so not a pipe.
    /// - Throws: `unfit` for records beyond the limits.
    init(_ file: Descriptor, layout: StoreLayout) throws(StoreFailure) {
        var reader = try StoredRecords.opened(file, layout: layout)
        arrangement = reader.arrangement
        root = layout.root
        format = reader.format
        var collector = ShapeCollector(format)
        collector.shape = record
        while try reader.next(into: &collector) {
            if isTooMuch(&collector) { throw .unfit(Self.tooManyNames, path: reader.path) }
            records += 1
            guard arrangement == .keyed else { continue }
            let key = reader.key.span.text
            if !keys.insert(key).inserted { throw SwiftName.alike(key, path: Self.path(of: root)) }
        }
        if let root = layout.root { try collectOuter(root, file, &collector) }
        record.findDictionaries()
        outer.findDictionaries()
    }

    private static func path(of root: String?) -> String { root.map { "$." + $0 } ?? "$" }

    /// Adds the members of the root dictionary. Of the one that holds the records only the name.
    private mutating func collectOuter(
        _ root: String, _ file: Descriptor, _ collector: inout ShapeCollector
    ) throws(StoreFailure) {
        let rootName = Array(root.utf8)
        var store = try StoreFormat.decoder(of: file)
        _ = try store.next()
        outer.objects = 1
        while try store.next() == .key {
            let name = store.text.array
            guard let value = try store.next() else { return }
            let position = outer.position(of: name).0
            outer.members[position].count = 1
            if name == rootName {
                try store.skip(value)
                continue
            }
            collector.shape = outer.members[position].shape
            collector.beginValue()
            let path = "$." + name.span.text
            do throws(StoreFailure) { try store.copy(value, to: &collector) } catch { throw error.inside(path) }
            if isTooMuch(&collector) { throw .unfit(Self.tooManyNames, path: path) }
        }
    }

    /// Even where objects with many names count as dictionaries.
    private func isTooMuch(_ collector: inout ShapeCollector) -> Bool {
        func exceeds(_ names: (count: Int, bytes: Int)) -> Bool {
            names.count > Self.limits.names || names.bytes > Self.limits.bytes
        }
        guard exceeds(collector.names) else { return false }
        record.findDictionaries(forgetsNames: true)
        outer.findDictionaries(forgetsNames: true)
        collector.recount([record, outer])
        return exceeds(collector.names)
    }

    /// How to decode the store.
    private func usage(_ root: String) -> String {
        guard format.keepsLines else {
            return "The types of a property list: try PropertyListDecoder().decode(\(root).self, from: data)"
        }
        return "The types of JSON Lines: "
            + "try data.split(separator: 0x0A).map { try JSONDecoder().decode(\(root.dropFirst().dropLast()).self, from: $0) }"
    }

    /// A Swift file whose types decode the whole store with PropertyListDecoder, or each line of it with JSONDecoder.
    /// - Parameter typeName: of the record's type; `SwiftName.isFree` for it.
    func swift(typeName: String) throws(StoreFailure) -> String {
        if keys.contains("$null") { throw SwiftName.nullName(path: Self.path(of: self.root)) }
        var root =
            switch arrangement {
            case .array, .none: "[\(typeName)]"
            case .keyed: "[String: \(typeName)]"
            case .single: typeName
            }
        let recordType = try SwiftStructure.lines(typeName, record, enclosing: [], path: "$")
        var wrapper: [String] = []
        if let member = self.root {
            if outer.members.count == 1 {
                root = "[String: \(root)]"
            } else {
                let position = outer.position(of: Array(member.utf8)).0
                outer.members[position].shape.declaredType = root
                root = typeName + "Store"
                wrapper = [""] + (try SwiftStructure.lines(root, outer, enclosing: [typeName], path: "$"))
            }
        }
        let head = ["// " + usage(root), "", "import Foundation", ""]
        return (head + recordType + wrapper).joined(separator: "\n")
    }
}
