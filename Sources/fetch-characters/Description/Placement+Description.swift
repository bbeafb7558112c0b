// Where a value goes, as a description says it: a text is a parameter of the query, an object anything else.

import PipelineCore
import PipelineHTTP

extension Placement {
    /// More elements than a body has before the one that is set.
    private static let bodyIndexes = 1000

    /// The members of the object form, of which it has one.
    static let members = DescriptionObject.placement.names

    /// The placement in the member of this name.
    init?(in object: DescriptionReader, _ name: String, isRequired: Bool = false) {
        guard let value = object.value(name) else {
            if isRequired { object.mistake(name, "is missing") }
            return nil
        }
        self.init(value, at: object.location(of: name), object.mistakes)
    }

    init?(_ value: JSONTree, at location: String, _ mistakes: DescriptionErrors) {
        if case .string(let text) = value {
            guard !text.isEmpty else {
                mistakes.add(location, "is empty")
                return nil
            }
            self = .query(text)
            return
        }
        guard case .object = value else {
            mistakes.add(location, "takes the name of a query parameter or an object, not \(value.kind)")
            return nil
        }
        guard let object = DescriptionReader(value, at: location, as: .placement, mistakes),
            let placement = Self(of: object)
        else { return nil }
        self = placement
    }

    /// The placement that an object says by one of its members. It may have others.
    init?(of object: DescriptionReader) {
        let said = object.members.map(\.name).filter { Self.members.contains($0) }
        guard said.count == 1, let member = said.first else {
            let members = Self.members.joined(separator: ", ")
            object.mistakes.add(object.location, "says by one of \(members) where the value goes")
            return nil
        }
        guard let text = object.text(member) else { return nil }
        switch member {
        case "query": self = .query(text)
        case "header":
            guard Source.canBeSent(Source.Parameter(text, "")) else {
                object.mistake(member, "can't be sent as a header")
                return nil
            }
            self = .header(text)
        case "path":
            guard Placeholders.isName(text) else {
                object.mistake(member, "takes the name of a placeholder: letters, digits, - and _")
                return nil
            }
            self = .path(text)
        case "body":
            guard let steps = object.path(member)?.location, case .name? = steps.first,
                steps.allSatisfy({ if case .index(let index) = $0 { index < Self.bodyIndexes } else { true } })
            else {
                object.mistake(
                    member, "takes a path of names and indexes below \(Self.bodyIndexes), such as $.variables.page")
                return nil
            }
            self = .body(steps)
        default: self = .form(text)
        }
    }
}
