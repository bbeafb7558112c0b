// The URLs of a source: base, path and query put together, every parameter on every page.
//
//     https://api.disneyapi.dev/character?page=2&pageSize=50&name=Mr%5C.%20X

/// Builds the URLs that a source is asked with.
package struct SourceURL: Sendable {
    /// A query parameter.
    package struct Parameter: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private let source: Source
    private let base: String
    private let parameters: [Parameter]

    /// - Parameters:
    ///   - base: in place of the source's own, without a query.
    ///   - search: a text to find, unescaped; empty finds everything.
    ///   - parameters: the user's own.
    /// - Throws: `.invalidRequest` or `.refusedScheme` for a base that can't be asked.
    package init(
        _ source: Source, base: String? = nil, search: String = "", parameters: [Parameter] = []
    ) throws(HTTPFailure) {
        let base = base ?? source.baseURL
        guard !base.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw HTTPFailure(.invalidRequest("a base URL has no query and no fragment"))
        }
        _ = try HTTPURL(base)
        self.source = source
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
        let searched = search.isEmpty ? nil : source.search.map { Parameter($0.parameter, $0.escaped(search)) }
        self.parameters = [searched].compactMap { $0 } + parameters
    }

    /// A page of the list.
    package func page(_ number: Int, size: Int) throws(HTTPFailure) -> HTTPURL {
        let paging = source.paging
        let all =
            [Parameter(paging.parameter, "\(number)"), Parameter(paging.sizeParameter, "\(size)")] + parameters
        let query = all.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
        return try HTTPURL(base + source.path + "?" + query)
    }

    /// One record, nil where the source gives none by id.
    package func item(_ id: String) throws(HTTPFailure) -> HTTPURL? {
        guard let item = source.item, let place = item.firstRange(of: "{id}") else { return nil }
        // A segment of dots would climb up the path instead of naming a record.
        let segment = id == "." || id == ".." ? id.map { _ in "%2E" }.joined() : Self.encoded(id)
        return try HTTPURL(base + item.replacingCharacters(of: place, with: segment))
    }

    /// The text with everything but unreserved characters as %XX of its UTF-8 (RFC 3986, section 2.3).
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}

extension Source.Search {
    /// The text as the API wants it: found as it stands, whatever signs it has.
    func escaped(_ text: String) -> String {
        guard escape == .regex else { return text }
        var escaped = ""
        for character in text.unicodeScalars {
            if #"\^$.|?*+()[]{}"#.unicodeScalars.contains(character) { escaped += "\\" }
            escaped.unicodeScalars.append(character)
        }
        return escaped
    }
}

extension String {
    fileprivate func replacingCharacters(of range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
