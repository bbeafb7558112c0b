// What the museum's search is asked for, and where a page of it begins: the address of the next page carries a token
// alone, which is the place and the search in base64.
//
//     ?type=painting&imageAvailable=true        ?pageToken=MTAwIHR5cGU9cGFpbnRpbmc%3D  =  "100 type=painting"

import Foundation

/// Parameters that an object must meet, all of them.
struct LinkedArtSearch {
    private static let names: Set<String> = ["title", "objectNumber", "type", "imageAvailable"]

    let text: String
    private let terms: [(name: String, value: String)]

    /// Nil where a parameter has another name than these.
    init?(query text: some StringProtocol) {
        self.text = String(text)
        terms = Request(method: "GET", target: "/?" + text, isHTTP10: false, headers: []).query
        guard terms.allSatisfy({ Self.names.contains($0.name) }) else { return nil }
    }

    /// The search of a token, and the place at which its page begins; nil for what this server hasn't written.
    static func read(token: String) -> (search: LinkedArtSearch, offset: Int)? {
        let parts = Data(base64Encoded: token).map { String(decoding: $0, as: UTF8.self) }?
            .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let parts, parts.count == 2, let offset = Int(parts[0]), offset >= 0 else { return nil }
        return LinkedArtSearch(query: parts[1]).map { ($0, offset) }
    }

    /// As it stands in an address.
    func token(offset: Int) -> String {
        Data("\(offset) \(text)".utf8).base64EncodedString().replacing("+", with: "%2B").replacing("/", with: "%2F")
            .replacing("=", with: "%3D")
    }

    func matches(_ work: Artwork) -> Bool {
        terms.allSatisfy { name, value in
            switch name {
            case "imageAvailable": value != "true" || work.picture == .whole
            case "objectNumber": value == work.objectNumber
            case "type": value == work.type.english || value == work.type.dutch
            default:
                [work.englishTitle ?? "", work.dutchTitle].contains { $0.lowercased().contains(value.lowercased()) }
            }
        }
    }
}
