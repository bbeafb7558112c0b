// What a tool tells its user.

/// What happened; what to do about it. A literal has both, with `; ` between them: its last one, as what happened may have
/// some too. What a literal quotes is never divided, but a message that it quotes keeps its cure.
///
///     "cannot open \(path); check the path"       "\(name): \(message)"
package struct Message: Equatable, Sendable, CustomStringConvertible {
    package let what: String
    package let cure: String?

    package init(_ what: String, cure: String?) { (self.what, self.cure) = (what, cure) }

    package var description: String { cure.map { "\(what); \($0)" } ?? what }

    package static func + (first: Message, second: Message) -> Message {
        guard let cure = first.cure, second.cure == nil else {
            return Message(first.description + second.what, cure: second.cure)
        }
        return Message(first.what, cure: cure + second.what)
    }
}

extension Message: ExpressibleByStringInterpolation, StringInterpolationProtocol {
    package init(stringLiteral text: String) {
        let sign = text.ranges(of: "; ").last
        what = sign.map { String(text[..<$0.lowerBound]) } ?? text
        cure = sign.map { String(text[$0.upperBound...]) }
    }

    package init(stringInterpolation message: Message) { self = message }
    package init(literalCapacity: Int, interpolationCount: Int) { self.init("", cure: nil) }
    package mutating func appendLiteral(_ text: String) { self = self + Message(stringLiteral: text) }
    package mutating func appendInterpolation(_ value: some Any) { self = self + Message("\(value)", cure: nil) }
    package mutating func appendInterpolation(_ message: Message) { self = self + message }
}

extension SystemError {
    package var advice: Message { Message(description, cure: cure) }

    /// What happened, with the caller's advice, unless the cause is a shortage: then another file doesn't help.
    package func advice(orElse other: String) -> Message { isShortage ? advice : Message(description, cure: other) }

    /// What happened where a file is to be made, with the caller's advice unless a directory is missing, or the file's name.
    package func advice(toCreateOr other: String) -> Message {
        if isNotFound, subject.hasSuffix("/") { return "\(self); name a file, not a directory" }
        let folder = FileLocation.split(subject).prefix
        let isMissing = isNotFound && !folder.isEmpty && FileLocation.status(ofPath: folder) == nil
        return isMissing
            ? "\(self); run mkdir -p \(ShellWord.path(String(folder.dropLast()))) first" : advice(orElse: other)
    }
}
