// What an answer says beside its records.

import PipelineCore
import PipelineHTTP

extension JSONTree {
    /// The members of an object, none for anything else.
    var members: [(name: String, value: JSONTree)] { if case .object(let members) = self { members } else { [] } }

    var isObject: Bool { if case .object = self { true } else { false } }

    /// The text, nil for anything but a text that isn't empty.
    var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

    /// A text or a number as it is written.
    var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .integer(let number): "\(number)"
        case .object, .array, .boolean, .null: nil
        }
    }

    /// A whole number, also as a text of digits, as a total may be.
    var wholeNumber: Int? {
        switch self {
        case .integer(let number): number
        case .number(let text): Double(text).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
        case .string(let text) where text.utf8.count <= 18 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }:
            Int(text)
        default: nil
        }
    }
}

/// The values of an answer beside its records, where it says what leads on and how many there are: those of its body, its
/// header fields, and what those hold as JSON.
///
///     {"info":{"count":900,"next":"https://…"},"data":[…]}      X-Pagination: {"total":900}
///     $.info.count, $.info.next                                 the header X-Pagination at $.total
struct EnvelopeValue {
    /// What leads to it; for a header field its name first.
    let names: [String]
    /// The last name, by which it is judged.
    let plain: String
    let value: JSONTree
    /// A path to the value where names alone don't lead to it. Nil for the whole of a header field.
    private let ownPath: String?
    let header: String?
    /// It is in an array, where nothing but a link to the next page is meant.
    let isElement: Bool

    private init(
        _ names: [String], _ value: JSONTree, path: String? = nil, header: String? = nil, isElement: Bool = false
    ) {
        self.names = names
        plain = LearntNames.plain(names.last ?? "")
        let isLong = value.string.map { $0.utf8.count > Self.textLimit } ?? false
        self.value = isLong ? .string("") : value
        self.header = header
        self.isElement = isElement
        ownPath = path
    }

    var name: String { names.last ?? "" }

    var path: String { ownPath ?? JSONLocation.path(of: names.map { .name($0) }, style: .rooted) }

    /// As messages call it.
    var text: String {
        guard let header else { return path }
        return "the header \(header)" + (ownPath.map { " at \($0)" } ?? "")
    }

    /// A description has paths into the body, and whole header fields.
    var isDescribable: Bool { header == nil || ownPath == nil }

    /// As a description has it.
    var location: JSONTree {
        let header = header.map { [(name: "header", value: JSONTree.string($0))] } ?? []
        let path = self.header == nil || ownPath != nil ? [(name: "path", value: JSONTree.string(path))] : []
        return .object(header + path)
    }

    private static let depthLimit = 6
    /// A longer text is no name, no cursor and no URL, and stands for an empty one. In bytes.
    private static let textLimit = 16_384
    /// More would be data.
    static let countLimit = 2000

    /// All of them in the answer's order, without those of the records, then those of the header.
    static func all(in answer: JSONTree, beside place: RecordsPlace, _ headers: HTTPHeaders) -> [EnvelopeValue] {
        var values: [EnvelopeValue] = []
        collect(answer, [], place.names, &values)
        for field in headers.fields {
            guard field.value.hasPrefix("{") else {
                values.append(EnvelopeValue([field.name], .string(field.value), header: field.name))
                continue
            }
            var own: [EnvelopeValue] = []
            if let value = try? JSONTree.read(Array(field.value.utf8).span) { collect(value, [], [""], &own) }
            values += own.map {
                EnvelopeValue([field.name] + $0.names, $0.value, path: $0.path, header: field.name)
            }
        }
        return values
    }

    private static func collect(
        _ value: JSONTree, _ names: [String], _ records: [String], _ values: inout [EnvelopeValue]
    ) {
        guard values.count < countLimit, names != records else { return }
        switch value {
        case .object(let members):
            guard names.count < depthLimit else { return }
            for member in members { collect(member.value, names + [member.name], records, &values) }
        case .array(let elements):
            for (index, element) in elements.prefix(RecordsPlace.elementLimit).enumerated() {
                if case .string = element {
                    let path = JSONLocation.path(of: names.map { .name($0) } + [.index(index)], style: .rooted)
                    values.append(EnvelopeValue(names, element, path: path, isElement: true))
                } else if let link = link(element, names) {
                    values.append(link)
                }
            }
        case .string, .integer, .number, .boolean, .null: values.append(EnvelopeValue(names, value))
        }
    }

    /// `{"rel":"next","href":"https://…"}`, an element of the array that the names lead to.
    private static func link(_ element: JSONTree, _ names: [String]) -> EnvelopeValue? {
        for kind in ["rel", "relation", "name", "type", "label"] {
            if case .array(let all)? = element[kind], all.contains(where: { $0.text?.lowercased() == "next" }) {
                // No path tells it from the others, but it says that the list goes on.
                return EnvelopeValue(names + ["next"], .boolean(true))
            }
            guard let relation = element[kind]?.text, relation.lowercased() == "next",
                let target = ["href", "url", "uri", "link", "target"].first(where: { element[$0]?.text != nil }),
                let link = element[target]
            else { continue }
            let array = JSONLocation.path(of: names.map { .name($0) }, style: .rooted)
            let path = "\(array)[?@.\(kind) == '\(relation)'].\(target)"
            return EnvelopeValue(names + ["next"], link, path: path)
        }
        return nil
    }
}
