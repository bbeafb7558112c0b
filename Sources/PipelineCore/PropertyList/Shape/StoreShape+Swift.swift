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
