// The parameters of the museum's search, all of which an object must meet.

/// What is searched for.
struct LinkedArtSearch {
    private static let names: Set<String> = [
        "title", "objectNumber", "creator", "creationDate", "type", "technique", "material", "aboutActor",
        "description", "imageAvailable",
    ]

    private let terms: [(name: String, value: String)]

    /// Nil where a parameter has another name than these.
    init?(_ query: [(name: String, value: String)]) {
        guard query.allSatisfy({ Self.names.contains($0.name) }) else { return nil }
        terms = query
    }

    func matches(_ work: Artwork) -> Bool {
        terms.allSatisfy { Self.matches(work, $0.name, $0.value) }
    }

    private static func matches(_ work: Artwork, _ name: String, _ value: String) -> Bool {
        switch name {
        case "imageAvailable": value != "true" || work.picture == .whole
        case "objectNumber": isLike(work.objectNumber, value)
        case "creationDate": isLike("\(work.year)", value)
        case "title": contains(work.englishTitle ?? "", value) || contains(work.dutchTitle, value)
        case "description": contains(work.description, value)
        case "creator": isIn(work.maker, value)
        case "type": isIn(work.type, value)
        case "technique": isIn(work.technique, value)
        case "material": isIn(work.material, value)
        default: false
        }
    }

    private static func isIn(_ text: Bilingual, _ value: String) -> Bool {
        isLike(text.english, value) || isLike(text.dutch, value)
    }

    /// A text is searched for words, and a pattern must be met somewhere in it.
    private static func contains(_ text: String, _ value: String) -> Bool { isLike(text, "*\(value)*") }

    /// Whether the whole text is what a pattern with `?` and `*` says, in any case.
    private static func isLike(_ text: String, _ pattern: String) -> Bool {
        isLike(Array(text.lowercased())[...], Array(pattern.lowercased())[...])
    }

    private static func isLike(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return (text.startIndex...text.endIndex).contains { isLike(text[$0...], pattern.dropFirst()) }
        }
        guard let letter = text.first, first == "?" || first == letter else { return false }
        return isLike(text.dropFirst(), pattern.dropFirst())
    }
}
