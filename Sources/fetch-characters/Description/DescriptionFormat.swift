// The vocabulary that says what a description may have: objects, their members, and the kind of each value. Descriptions
// are checked against it, and castline-source.schema.json is made from it, so both know the same members.

import PipelineCore

struct DescriptionObject: Sendable {
    /// By which the schema refers to it.
    let name: String
    let help: String
    let members: [DescriptionMember]
    /// What a member with any other name is, named for readers of the manual. Nil if there is none.
    let others: DescriptionMember?
    /// It has just one of these, or at least one if it takes several.
    let oneOf: [String]
    let takesSeveral: Bool
    let mayBeEmpty: Bool

    init(
        _ name: String, _ help: String, _ members: [DescriptionMember] = [], others: DescriptionMember? = nil,
        oneOf: [String] = [], takesSeveral: Bool = false, mayBeEmpty: Bool = true
    ) {
        self.name = name
        self.help = help
        self.members = members
        self.others = others
        self.oneOf = oneOf
        self.takesSeveral = takesSeveral
        self.mayBeEmpty = mayBeEmpty
    }

    var names: [String] { members.map(\.name) }
}

struct DescriptionMember: Sendable {
    let name: String
    let value: DescriptionValue
    let isRequired: Bool
    /// The member, with its value, that makes it needless.
    let exemption: (name: String, value: JSONTree)?
    /// A sentence that an editor shows.
    let help: String

    static func optional(_ name: String, _ value: DescriptionValue, _ help: String) -> Self {
        Self(name: name, value: value, isRequired: false, exemption: nil, help: help)
    }

    static func required(
        _ name: String, _ value: DescriptionValue, _ help: String,
        unless exemption: (name: String, value: JSONTree)? = nil
    ) -> Self {
        Self(name: name, value: value, isRequired: true, exemption: exemption, help: help)
    }
}

enum DescriptionValue: Sendable {
    /// What a text has to be.
    enum Rule: Sendable {
        case any, orEmpty
        case path
        /// A JSONPath, or a text composed of what such paths find.
        case composed
        /// The scheme, the host and maybe a path of a URL, and a URL's path and query.
        case base, target, targetOrEmpty
        /// A whole URL, of which its origin counts.
        case origin
        case header, placeholder, variable, duration, rate
    }

    case string(Rule)
    case integer(ClosedRange<Int>)
    case boolean
    case word([String])
    /// A text, an integer, true or false.
    case scalar
    case json
    indirect case object(DescriptionObject)
    indirect case list(DescriptionValue, least: Int)
    case anyOf([DescriptionValue])
    /// A name that is known, but has no place here, for this reason.
    case nothing(String)

    static let text = Self.string(.any)
    static let textOrEmpty = Self.string(.orEmpty)
    static let path = Self.string(.path)
    static let composedText = Self.string(.composed)

    static func word<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> Self where Word.RawValue == String {
        .word(Word.allCases.map(\.rawValue))
    }

    static func oneOrMore(_ value: Self) -> Self { .anyOf([value, .list(value, least: 1)]) }
}
