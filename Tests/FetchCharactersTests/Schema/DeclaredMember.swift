// Every member that the schema of descriptions declares, each in the smallest description that has it.

import PipelineCore

@testable import fetch_characters

/// A declared member, at one of its places.
struct DeclaredMember {
    /// As declared. Nil for a member that may have any name.
    let name: String?
    let value: DescriptionSchema
    let object: DescriptionSchema
    /// Of the object, as messages write it.
    let objectLocation: String
    /// The whole description, with this in the object's place.
    private let description: (JSONTree) -> JSONTree

    private var usedName: String { name ?? "x" }

    var location: String {
        let isPlain = usedName.unicodeScalars.allSatisfy { $0.properties.isAlphabetic }
        return objectLocation + (isPlain ? "." + usedName : "['\(usedName)']")
    }

    /// It has a place in this form of the object.
    var isPossible: Bool { value.refusal == nil }

    /// No other member makes it needless.
    var isRequired: Bool { name.map { object.required(beside: []).contains($0) } ?? false }

    /// The description in which it has this value, nil to leave it out.
    func described(as value: JSONTree?) -> JSONTree { description(object.sample(usedName, value)) }

    /// A description in which it has a value of the declared kind.
    var sample: JSONTree { described(as: value.sample) }

    /// The description in which the object has a member that isn't declared.
    var withUnknown: JSONTree {
        description(.object(object.sample(usedName, value.sample).members + [("unknown", .integer(1))]))
    }

    /// The members of an object and of those that it leads to.
    static func all(
        in object: DescriptionSchema = .source, at location: String = "$",
        _ description: @escaping (JSONTree) -> JSONTree = { $0 }
    ) -> [Self] {
        let named = object.members.map { (name: String?.some($0.name), value: $0.value) }
        return (named + [object.others].compactMap { $0.map { (nil, $0) } }).flatMap { name, value in
            let own = Self(
                name: name, value: value, object: object, objectLocation: location, description: description)
            return [own] + all(ofValue: value, at: own.location) { own.described(as: $0) }
        }
    }

    private static func all(
        ofValue value: DescriptionSchema, at location: String, _ description: @escaping (JSONTree) -> JSONTree
    ) -> [Self] {
        value.alternatives.flatMap { value -> [Self] in
            if let element = value.element {
                return all(ofValue: element, at: location + "[0]") { description(.array([$0])) }
            }
            return value.types == ["object"] ? all(in: value, at: location, description) : []
        }
    }
}

extension DescriptionSchema {
    /// An object with the required members and this one, nil to leave it out.
    fileprivate func sample(_ name: String, _ value: JSONTree?) -> JSONTree {
        var samples: [(name: String, value: JSONTree)] = []
        let (required, places) = (required(beside: []), places.names)
        for member in members where required.contains(member.name) && member.name != name {
            samples.append((member.name, member.value.sample))
        }
        if let value { samples.append((name, value)) }
        if !places.isEmpty, !samples.contains(where: { places.contains($0.name) }),
            let place = members.first(where: { places.contains($0.name) && $0.name != name })
        {
            samples.append((place.name, place.value.sample))
        }
        return .object(samples)
    }

    /// Values that aren't of this kind, the nearest ones too.
    var wrongValues: [JSONTree] {
        guard alternatives.count == 1 else { return alternatives.flatMap(\.wrongValues) }
        if refusal != nil { return [.null] }
        if !words.isEmpty { return [.null, .string("?")] }
        switch types {
        case []: return []
        case ["string"]: return mayBeEmptyText ? [.null] : [.null, .string("")]
        case ["integer"]: return [.null, .integer(numbers.lowerBound - 1), .integer(numbers.upperBound + 1)]
        case ["array"]:
            let elements = element?.wrongValues.map { JSONTree.array([$0]) } ?? []
            return [.null] + (least > 0 ? [.array([])] : []) + elements
        default: return [.null]
        }
    }

    /// The smallest of its kind.
    fileprivate var sample: JSONTree {
        if refusal != nil { return .null }
        if alternatives.count > 1 { return alternatives[0].sample }
        if let word = words.first { return .string(word) }
        switch types.first {
        case "string": return .string(textSample)
        case "integer": return .integer(numbers.lowerBound)
        case "boolean": return .boolean(true)
        case "array": return .array([element?.sample ?? .null])
        default: return sample(others == nil ? "" : "x", least > 0 ? others?.sample : nil)
        }
    }

    private var textSample: String {
        switch format {
        case .path, .composedText: "$.x"
        case .base, .origin: "http://h"
        case .target: "/{id}"
        case .timeSpan: "1s"
        case .time: "%Y"
        case .rate: "1/s"
        case .field, .header, .placeholder, .variable, nil: "x"
        }
    }
}
