// Where a page of the museum's search begins, as its address carries it: base64 of a JSON object with the last id of the
// page before.
//
//     eyJ0b2tlbiI6ICIxMDA…  =  {"token": "100 200103663", "query": "type=painting"}

import Foundation

/// A place in a list, and what was searched for.
struct LinkedArtToken {
    let offset: Int
    let query: [(name: String, value: String)]

    init(offset: Int, query: [(name: String, value: String)]) {
        self.offset = offset
        self.query = query
    }

    /// Nil for what this server hasn't written.
    init?(_ text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        do {
            let members = try JSONSerialization.jsonObject(with: data) as? [String: String] ?? [:]
            guard let place = members["token"]?.split(separator: " ").first.flatMap({ Int($0) }), place >= 0 else {
                return nil
            }
            let request = Request(
                method: "GET", target: "/?" + (members["query"] ?? ""), isHTTP10: false, headers: [])
            self.init(offset: place, query: request.query)
        } catch {
            return nil
        }
    }

    /// As it stands in an address, its padding escaped.
    /// - Parameter last: the list, of which the token names the last object before the page.
    func text(last list: [Artwork]) -> String {
        let before = offset > 0 && offset <= list.count ? LinkedArtObject.objectID(list[offset - 1]) : "0"
        let json: ModelJSON = ["token": "\(offset) \(before)", "query": .string(Self.text(query))]
        return Data(json.bytes).base64EncodedString().replacing("+", with: "%2B").replacing("/", with: "%2F")
            .replacing("=", with: "%3D")
    }

    /// The parameters as a query.
    static func text(_ query: [(name: String, value: String)]) -> String {
        query.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain || "-._~".utf8.contains(byte)
                ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
