// Trees as templates: values are put in, and the result is written.

extension JSONTree {
    /// The tree with the value at the end of these steps. What isn't there is added; what isn't an object or an array on
    /// the way becomes one.
    package func setting(_ value: JSONTree, at steps: ArraySlice<JSONLocation.PathStep>) -> JSONTree {
        let name: String
        switch steps.first {
        case nil: return value
        case .name(let text): name = text
        case .index(let index):
            var elements = if case .array(let elements) = self { elements } else { [JSONTree]() }
            while elements.count <= index { elements.append(.null) }
            elements[index] = elements[index].setting(value, at: steps.dropFirst())
            return .array(elements)
        }
        var members = if case .object(let members) = self { members } else { [(name: String, value: JSONTree)]() }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].value = members[index].value.setting(value, at: steps.dropFirst())
        } else {
            members.append((name, JSONTree.object([]).setting(value, at: steps.dropFirst())))
        }
        return .object(members)
    }

    /// The value at the end of these names, nil if there is none.
    package subscript(_ names: [String]) -> JSONTree? {
        names.reduce(self as JSONTree?) { tree, name in tree?[name] }
    }

    /// The tree as JSON without white space.
    package var json: String {
        var bytes = ByteBuffer()
        append(to: &bytes)
        return bytes.text
    }

    private func append(to bytes: inout ByteBuffer) {
        switch self {
        case .null: bytes.append("null")
        case .boolean(let isTrue): bytes.append(text: isTrue ? "true" : "false")
        case .integer(let number): bytes.append(text: "\(number)")
        case .number(let text): bytes.append(text: text)
        case .string(let text): JSONWriter.appendString(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONWriter.appendString(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}
