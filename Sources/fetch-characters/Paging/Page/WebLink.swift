// Decides what the links in the header of a response lead to (RFC 8288, section 3):
//
//     Link: <https://h/list?page=2>; rel="next last"; title="a, b", </>; rel=index

import PipelineCore

struct WebLink {
    /// As written between the brackets. It may be relative.
    let target: String
    /// In lower case. Empty for a link of another context than this response (section 3.2). Only these say what a link is:
    /// a parameter of a service's own, such as `results="false"`, says nothing.
    let relations: [String]
    /// It says what it leads to, as each link has to.
    let isNamed: Bool

    /// - Throws: `.broken` if there is none, and a field that can't be read to its end may have it.
    static func next(in fields: [String]) throws(Page.Fault) -> String? {
        var unreadable: String?
        for field in fields {
            let (links, isWhole) = links(in: field)
            if let next = links.first(where: { $0.relations.contains("next") }) { return next.target }
            if !isWhole || links.contains(where: { !$0.isNamed }) { unreadable = field }
        }
        if let unreadable { throw .broken("a header Link that can't be read: '\(unreadable.prefix(100))'") }
        return nil
    }

    /// Whether the last page that the fields name is further than the next one: their URLs differ in one number.
    static func namesFurther(in fields: [String]) -> Bool {
        let links = fields.flatMap { Self.links(in: $0).links }
        let targets = ["next", "last"].map { relation in
            links.first { $0.relations.contains(relation) }?.target ?? ""
        }
        let numbers = targets.map { $0.split { !$0.isNumber }.map { Int($0) ?? 0 } }
        let changed = zip(numbers[0], numbers[1]).filter(!=)
        return targets[0].filter { !$0.isNumber } == targets[1].filter { !$0.isNumber } && changed.count == 1
            && changed[0].0 < changed[0].1
    }

    /// The links of one field's value up to what isn't one, and whether that is all of it.
    static func links(in field: String) -> (links: [WebLink], isWhole: Bool) {
        var parser = WebLinkParser(rest: Substring(field).unicodeScalars)
        var links: [WebLink] = []
        while true {
            // List elements may be empty (RFC 9110, section 5.6.1).
            parser.skip(" \t,")
            guard !parser.rest.isEmpty else { return (links, true) }
            guard let link = parser.link() else { return (links, false) }
            links.append(link)
            guard parser.rest.isEmpty || parser.rest.first == "," else { return (links, false) }
        }
    }
}

private struct WebLinkParser {
    var rest: Substring.UnicodeScalarView

    mutating func link() -> WebLink? {
        guard take("<") else { return nil }
        let target = taken(upTo: ">")
        guard take(">") else { return nil }
        // Only the first `rel` counts. It may name several relations, in any case (section 3.3).
        var relations: String?
        var hasAnchor = false
        skip(" \t")
        while take(";") {
            skip(" \t")
            let name = taken(upTo: ";,=\" \t").lowercased()
            guard name.utf8.allSatisfy(\.isTokenByte) else { return nil }
            skip(" \t")
            let value = !name.isEmpty && take("=") ? value() : ""
            if name == "rel" { relations = relations ?? value }
            hasAnchor = hasAnchor || name == "anchor"
            skip(" \t")
        }
        let names = relations?.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init) ?? []
        // `rel=“next”`, and `rel='next` without its end
        guard names.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "'") } }) else { return nil }
        return WebLink(target: target, relations: hasAnchor ? [] : names, isNamed: !names.isEmpty)
    }

    private mutating func value() -> String {
        skip(" \t")
        if take("\"") { return quoted() }
        // Apostrophes are no quotes, but some services take them for such.
        if rest.first == "'", rest.dropFirst().contains("'") {
            rest.removeFirst()
            defer { rest.removeFirst() }
            return taken(upTo: "'")
        }
        return taken(upTo: ";,=\" \t")
    }

    /// The text up to the closing quote. A backslash escapes the next character (RFC 9110, section 5.6.4).
    private mutating func quoted() -> String {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            text.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        return String(text)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skip(_ scalars: String) { rest = rest.drop { scalars.unicodeScalars.contains($0) } }

    private mutating func taken(upTo scalars: String) -> String {
        let text = rest.prefix { !scalars.unicodeScalars.contains($0) }
        rest = rest[text.endIndex...]
        return String(text)
    }
}

extension UInt8 {
    /// RFC 9110, section 5.6.2.
    fileprivate var isTokenByte: Bool { isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
