// `--describe`: the shape of a whole store, collected in one pass over its records.

/// What a store's records, and the members beside them, have in common.
package struct StoreShape {
    /// How deep records may be nested, and how many names they may have, to be described: more than anybody reads.
    package static let depthLimit = 64
    package static let nameLimit = 10_000
    /// Bytes of all names.
    static let nameBytesLimit = 1 << 20
    /// Bytes of memory for the names while a record is read.
    private static let memoryLimit = 64 << 20

    let arrangement: StoredRecordReader.Arrangement
    let record: Shape
    /// The name of the member that holds the records.
    let root: String?
    /// The members beside it, of a dictionary that counts as one object; `rootPosition` of them come before it.
    let beside: Shape
    private(set) var rootPosition = 0
    package private(set) var records = 0
    /// Whether a record's key is `$null`, which Foundation can't decode.
    private(set) var hasNullKey = false

    /// Reads a store to its end.
    /// - Parameter file: must allow reads at any offset, so not a pipe.
    /// - Throws: `unfit` for a store that isn't laid out as records, and for records beyond the limits.
    package static func collected(
        _ file: Descriptor, layout: StoreLayout
    ) throws(StoreReadError) -> StoreShape {
        var reader = try StoredRecordReader.opened(file, layout: layout)
        var shape = StoreShape(arrangement: reader.arrangement, root: layout.root)
        var collector = ShapeCollector()
        while try reader.advance() {
            collector.begin(shape.record)
            do throws(StoreReader.CopyError) {
                try reader.copy(to: &collector, levels: depthLimit, limitBytes: memoryLimit)
            } catch {
                throw fault(error, path: reader.path)
            }
            try shape.limitNames(&collector, path: reader.path)
            if reader.key == Shape.nullText { shape.hasNullKey = true }
            shape.records += 1
        }
        if let root = layout.root { try shape.collectBeside(root, file, &collector) }
        shape.record.findDictionaries(collector.hash)
        shape.beside.findDictionaries(collector.hash)
        return shape
    }

    private init(arrangement: StoredRecordReader.Arrangement, root: String?) {
        self.arrangement = arrangement
        self.root = root
        record = Shape(isRecord: true)
        beside = Shape(isRecord: true)
    }

    /// Adds the members of the root dictionary that don't hold the records.
    private mutating func collectBeside(
        _ root: String, _ file: Descriptor, _ collector: inout ShapeCollector
    ) throws(StoreReadError) {
        let name = Array(root.utf8)
        var store = try StoreReader.opened(file)
        _ = try store.next()
        beside.objects = 1
        while try store.next() == .key {
            let isRoot = store.text.equals(name.span)
            var position = 0
            if isRoot {
                rootPosition = beside.members.count
            } else {
                position = beside.position(of: store.text, collector.hash.hash(store.text)).0
                beside.members[position].count = 1
                collector.begin(beside.members[position].shape)
            }
            guard let value = try store.next() else { return }
            if isRoot {
                try store.skip(value)
                continue
            }
            let path = "$." + beside.members[position].text
            do throws(StoreReader.CopyError) {
                try store.copy(value, to: &collector, levels: Self.depthLimit, limitBytes: Self.memoryLimit)
            } catch {
                throw Self.fault(error, path: path)
            }
            try limitNames(&collector, path: path)
        }
    }

    /// Where there are too many names, objects with many of them count as dictionaries at once.
    private func limitNames(_ collector: inout ShapeCollector, path: @autoclosure () -> String)
        throws(StoreReadError)
    {
        func isTooMuch() -> Bool {
            collector.names.count > Self.nameLimit || collector.names.bytes > Self.nameBytesLimit
        }
        guard isTooMuch() else { return }
        record.forgetKeys(collector.hash)
        beside.forgetKeys(collector.hash)
        collector.recount([record, beside])
        if isTooMuch() { throw Self.tooManyNames(path: path()) }
    }

    private static func tooManyNames(path: String) -> StoreReadError {
        .unfit("expected at most \(nameLimit) names of members, of 1 MiB in all, to describe", path: path)
    }

    private static func fault(_ error: StoreReader.CopyError, path: String) -> StoreReadError {
        switch error {
        case .read(let error): error
        case .value(.tooLarge): tooManyNames(path: path)
        case .value(.tooDeep): .unfit("expected at most \(depthLimit) levels of nesting to describe", path: path)
        case .value(let reason): .unfit(reason.message, path: path)
        }
    }
}

// The shape of a store as Swift types, for PropertyListDecoder.

extension StoreShape {
    /// What the record's type is called if nothing else is asked for.
    package static let defaultTypeName = "Record"

    /// A Swift file whose types decode the whole store.
    /// - Parameter typeName: of the record's type; `SwiftName.isFree` for it.
    /// - Throws: `unfit` if Swift can't tell two names apart.
    package func swift(typeName: String) throws(StoreReadError) -> String {
        if hasNullKey { throw SwiftName.nullName(path: self.root.map { "$." + $0 } ?? "$") }
        var root =
            switch arrangement {
            case .array: "[\(typeName)]"
            case .keyed: "[String: \(typeName)]"
            case .single: typeName
            }
        var wrapper: [String] = []
        if let member = self.root {
            if beside.members.isEmpty {
                root = "[String: \(root)]"
            } else {
                wrapper = [""] + (try self.wrapper(typeName, member, root))
                root = typeName + "Store"
            }
        }
        let recordType = try SwiftStructure.lines(typeName, record.swiftProperties, enclosing: [], path: "$")
        let head = [
            "// The types of a property list: try PropertyListDecoder().decode(\(root).self, from: data)", "",
            "import Foundation", "",
        ]
        return (head + recordType + wrapper).joined(separator: "\n")
    }

    /// The type of the dictionary that has the records in one of its members.
    private func wrapper(
        _ typeName: String, _ member: String, _ type: String
    ) throws(StoreReadError) -> [String] {
        var properties = beside.swiftProperties
        properties.insert(.init(name: member, isOptional: false, content: .type(type)), at: rootPosition)
        return try SwiftStructure.lines(typeName + "Store", properties, enclosing: [typeName], path: "$")
    }
}

// The shape of a record as JSON Schema: https://json-schema.org/draft/2020-12/json-schema-core and -validation.

extension StoreShape {
    /// The JSON Schema of one record as `--load` writes it, in lines. Every record of the store passes it.
    package var schema: String {
        let dialect = (name: "$schema", value: JSONTree.string("https://json-schema.org/draft/2020-12/schema"))
        return JSONTree.object([dialect] + (records == 0 ? [("type", .string("object"))] : record.schema)).lines
    }
}

extension Shape {
    /// The keywords of its schema; none for the elements of arrays that are all empty.
    fileprivate var schema: [(name: String, value: JSONTree)] {
        var keywords: [(name: String, value: JSONTree)] = []
        let types = schemaTypes.map(JSONTree.string)
        if let type = types.first { keywords.append(("type", types.count == 1 ? type : .array(types))) }
        if hasDates, !hasText, !hasData { keywords.append(("format", .string("date-time"))) }
        if hasData, !hasText, !hasDates { keywords.append(("contentEncoding", .string("base64"))) }
        if !members.isEmpty {
            keywords.append(("properties", .object(members.map { ($0.text, .object($0.shape.schema)) })))
        }
        let required = members.filter { $0.count == objects }.map { JSONTree.string($0.text) }
        if !required.isEmpty { keywords.append(("required", .array(required))) }
        if let value { keywords.append(("additionalProperties", .object(value.schema))) }
        if let items = element?.schema, !items.isEmpty { keywords.append(("items", .object(items))) }
        return keywords
    }

    /// JSON's names of the kinds.
    private var schemaTypes: [String] {
        var types: [String] = []
        if objects > 0 { types.append("object") }
        if arrays > 0 { types.append("array") }
        if hasText || hasDates || hasData { types.append("string") }
        if hasFiniteReals { types.append("number") } else if integers.areAny { types.append("integer") }
        if hasBooleans { types.append("boolean") }
        return types
    }

    /// Whether any is a text in JSON that may be any text. `--nonfinite=text` makes texts of NaN and infinity.
    private var hasText: Bool { hasTexts || hasNullTexts || hasOtherReals }
}
