// Links in the header of a response (RFC 8288, section 3):
//
//     Link: <https://h/list?page=2>; rel="next last"; title="a, b", </>; rel=index
//
// A link that can't be parsed ends its field. The links before it count; if the one that is looked for isn't among them,
// nobody knows whether the field has it.

/// One link.
struct WebLink: Equatable, Sendable {
    /// As written between the brackets. It may be relative.
    let target: String
    /// In order, with names in lower case. A parameter without a value has an empty one.
    let parameters: [(name: String, value: String)]

    /// A field that isn't a list of links.
    struct Unreadable: Error {
        let field: String
    }

    /// The target of the first link with this relation, if there is one. A link with the parameter `anchor` has
    /// another context and doesn't belong to this response (section 3.2).
    /// - Parameter fields: the values of all `Link` headers.
    static func next(in fields: [String]) throws(Unreadable) -> String? {
        var unreadable: String?
        for field in fields {
            let (links, isWhole) = links(in: field)
            let next = links.first { link in
                link.isRelation("next") && !link.parameters.contains { $0.name == "anchor" }
            }
            if let next { return next.target }
            if !isWhole { unreadable = field }
        }
        if let unreadable { throw Unreadable(field: unreadable) }
        return nil
    }

    /// Only the first `rel` counts. It may name several relations, in any case (section 3.3).
    func isRelation(_ name: String) -> Bool {
        guard let relations = parameters.first(where: { $0.name == "rel" })?.value else { return false }
        return relations.split { $0 == " " || $0 == "\t" }.contains { $0.lowercased() == name }
    }

    /// The links of one field's value, and whether that is all of it.
    static func links(in field: String) -> (links: [WebLink], isWhole: Bool) {
        var parser = WebLinkParser(field)
        var links: [WebLink] = []
        while let link = parser.next() { links.append(link) }
        return (links, !parser.isBroken)
    }

    static func == (left: WebLink, right: WebLink) -> Bool {
        left.target == right.target
            && left.parameters.elementsEqual(right.parameters) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// Parses the links of a field in sequence.
struct WebLinkParser {
    private var rest: Substring.UnicodeScalarView
    /// The rest of the field isn't a link.
    private(set) var isBroken = false

    init(_ field: String) { rest = Substring(field).unicodeScalars }

    mutating func next() -> WebLink? {
        // List elements may be empty (RFC 9110, section 5.6.1).
        skip { $0 == " " || $0 == "\t" || $0 == "," }
        guard !rest.isEmpty, !isBroken else { return nil }
        guard take("<"), let end = rest.firstIndex(of: ">") else {
            isBroken = true
            return nil
        }
        let target = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        var parameters: [(name: String, value: String)] = []
        skipSpace()
        while take(";") {
            skipSpace()
            if let parameter = parameter() { parameters.append(parameter) }
            skipSpace()
        }
        isBroken = !rest.isEmpty && rest.first != ","
        return WebLink(target: target, parameters: parameters)
    }

    /// `name`, `name=token` or `name="quoted"`, with optional white space around the `=`. Nil without a name.
    private mutating func parameter() -> (name: String, value: String)? {
        let name = taken { !Self.isDelimiter($0) }
        guard !name.isEmpty else { return nil }
        skipSpace()
        guard take("=") else { return (name.lowercased(), "") }
        skipSpace()
        if take("\"") { return (name.lowercased(), quoted()) }
        // Apostrophes are no quotes, but some services take them for such.
        if rest.first == "'", rest.dropFirst().contains("'") {
            rest.removeFirst()
            defer { rest.removeFirst() }
            return (name.lowercased(), taken { $0 != "'" })
        }
        return (name.lowercased(), taken { !Self.isDelimiter($0) })
    }

    /// The text up to the closing quote. A backslash escapes the next character (RFC 9110, section 5.6.4).
    private mutating func quoted() -> String {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            text.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        return String(text)
    }

    private static func isDelimiter(_ scalar: Unicode.Scalar) -> Bool {
        scalar == ";" || scalar == "," || scalar == "=" || scalar == "\"" || scalar == " " || scalar == "\t"
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() { skip { $0 == " " || $0 == "\t" } }

    private mutating func skip(_ isSkipped: (Unicode.Scalar) -> Bool) { rest = rest.drop { isSkipped($0) } }

    private mutating func taken(_ isTaken: (Unicode.Scalar) -> Bool) -> String {
        let text = rest.prefix { isTaken($0) }
        rest = rest[text.endIndex...]
        return String(text)
    }
}
