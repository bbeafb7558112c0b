// Every member that the format of descriptions declares, each in the smallest description that has it.

import PipelineCore
import PipelineHTTP

@testable import fetch_characters

/// A declared member, at one of its places.
struct DeclaredMember {
    let member: DescriptionMember
    let object: DescriptionObject
    /// Of the object, as messages write it.
    let objectLocation: String
    /// The whole description, with this in the object's place.
    private let description: (JSONTree) -> JSONTree

    /// Its location, as messages write it.
    var location: String {
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.isAlphabetic }
        return objectLocation + (isPlain ? "." + name : "['\(name)']")
    }

    /// It has a place in this form of the object.
    var isPossible: Bool { member.value.isPossible }

    /// A name for a member that may have any.
    private var name: String { object.others?.name == member.name ? "x" : member.name }

    /// The description in which it has this value, nil to leave it out.
    func described(as value: JSONTree?) -> JSONTree { description(object.sample(name, value)) }

    /// A description in which it has a value of the declared kind.
    var sample: JSONTree { described(as: member.value.sample) }

    /// The description in which the object has a member that isn't declared.
    var withUnknown: JSONTree {
        description(.object(object.sample(name, member.value.sample).members + [("unknown", .integer(1))]))
    }

    /// The members of an object and of those that it leads to.
    static func all(
        in object: DescriptionObject = .source, at location: String = "$",
        _ description: @escaping (JSONTree) -> JSONTree = { $0 }
    ) -> [Self] {
        (object.members + [object.others].compactMap(\.self)).flatMap { member in
            let own = Self(
                member: member, object: object, objectLocation: location, description: description)
            return [own] + all(in: member.value, at: own.location) { own.described(as: $0) }
        }
    }

    private static func all(
        in value: DescriptionValue, at location: String, _ description: @escaping (JSONTree) -> JSONTree
    ) -> [Self] {
        switch value {
        case .object(let object): all(in: object, at: location, description)
        case .list(let element, _): all(in: element, at: location + "[0]") { description(.array([$0])) }
        case .anyOf(let values): values.flatMap { all(in: $0, at: location, description) }
        default: []
        }
    }
}

extension DescriptionObject {
    /// An object with the required members and this one, nil to leave it out.
    fileprivate func sample(_ name: String, _ value: JSONTree?) -> JSONTree {
        var samples: [(name: String, value: JSONTree)] = []
        for member in members where member.isRequired && member.name != name {
            samples.append((member.name, member.value.sample))
        }
        if let value { samples.append((name, value)) }
        if !oneOf.isEmpty, !samples.contains(where: { oneOf.contains($0.name) }),
            let place = members.first(where: { oneOf.contains($0.name) && $0.name != name })
        {
            samples.append((place.name, place.value.sample))
        }
        return .object(samples)
    }

    /// The smallest of its kind.
    fileprivate var sample: JSONTree {
        let least = mayBeEmpty ? nil : others
        return sample(others == nil ? least?.name ?? "" : "x", least?.value.sample)
    }
}

extension DescriptionValue {
    fileprivate var isPossible: Bool { if case .nothing = self { false } else { true } }

    /// Values that aren't of this kind, the nearest ones too.
    var wrongValues: [JSONTree] {
        switch self {
        case .json: []
        case .string(.orEmpty), .string(.targetOrEmpty): [.null]
        case .string: [.null, .string("")]
        case .integer(let range): [.null, .integer(range.lowerBound - 1), .integer(range.upperBound + 1)]
        case .word: [.null, .string("?")]
        case .list(let element, let least):
            [.null] + (least > 0 ? [.array([])] : []) + element.wrongValues.map { .array([$0]) }
        case .anyOf(let values): values.flatMap(\.wrongValues)
        case .boolean, .scalar, .object, .nothing: [.null]
        }
    }

    fileprivate var sample: JSONTree {
        switch self {
        case .scalar: .string("x")
        case .string(let rule):
            switch rule {
            case .path, .composed: .string("$.x")
            case .base, .origin: .string("http://h")
            case .target: .string("/{id}")
            case .targetOrEmpty: .string("/x")
            case .duration: .string("1s")
            case .rate: .string("1/s")
            case .any, .orEmpty, .header, .placeholder, .variable: .string("x")
            }
        case .integer(let range): .integer(range.lowerBound)
        case .boolean: .boolean(true)
        case .word(let words): .string(words.first ?? "")
        case .json: .object([])
        case .object(let object): object.sample
        case .list(let element, _): .array([element.sample])
        case .anyOf(let values): values.first?.sample ?? .null
        case .nothing: .null
        }
    }
}
