// One line that isn't a record, or one that a tool can't use.

/// A bad line of an input.
package struct BadLine: Sendable {
    package enum Fault: Equatable, Sendable {
        case json(JSONError)
        /// Longer than the limit, in bytes.
        case tooLong(Int)
        /// A record that the tool can't use, and the offset of what is wrong with it.
        case unusable(String, offset: Int)
        case missing(MissingMember)
    }

    /// A member that a record has to have.
    package struct MissingMember: Equatable, Sendable {
        /// `a string or a number`.
        let value: String
        let path: JSONPath
        /// What asks for it, such as `, which --key names`; may be empty.
        let origin: String

        package init(_ value: String, at path: JSONPath, origin: String = "") {
            self.value = value
            self.path = path
            self.origin = origin
        }

        package static func == (left: MissingMember, right: MissingMember) -> Bool {
            left.path.text == right.path.text && left.value == right.value && left.origin == right.origin
        }
    }

    /// From 1.
    let line: Int
    let fault: Fault
    /// Whether no line before it has anything on it.
    let isFirst: Bool

    /// What is wrong, and where: `<stdin>:17:93: expected a value`.
    /// - Parameter lines: the lines of the input before those that are counted.
    func message(_ name: String, after lines: Int = 0) -> String {
        let location = "\(name):\(lines + line)"
        return switch fault {
        case .json(let error): "\(location):\(error.offset + 1): \(error)"
        case .tooLong(let limitBytes):
            "\(location):\(limitBytes + 1): expected a line of at most \(limitBytes) bytes; --max-line raises the limit"
        case .unusable(let message, let offset): "\(location):\(offset + 1): \(message)"
        case .missing(let member):
            "\(location):1: expected \(member.value) in \(member.path.text)\(member.origin)"
        }
    }
}
