// A model of https://api.disneyapi.dev with its oddities, as its server's source has them.
//
//     GET /character?page=2&pageSize=50&name=mick
//     {"info":{"count":50,"totalPages":3,"previousPage":"http://…","nextPage":"http://…"},"data":[…]}
//
// `data` is an array for two records or more, a bare object for one, and [] for none. `count` is of this page. The
// links are `http` whatever the client used, and lose the filter. A filter is a regular expression, unescaped.

import Foundation

/// The service over a catalogue.
struct DisneyAPI: Sendable {
    let catalogue: Catalogue

    /// The answer to a request of the API, nil where the real server throws inside a handler and never answers.
    /// - Parameter shift: so many records were put in front of the list since the client read the page before.
    func response(to request: Request, shift: Int = 0) -> Response? {
        let segments = request.path.split(separator: "/")
        guard request.method == "GET" || request.method == "HEAD" else { return .notFound(request) }
        switch (segments.first, segments.count) {
        case (nil, 0):
            let routes = [
                #""getCharacter":"/character""#, #""getCharacterById":"/character/:id""#,
                #""getCharactersById":"/characters/:id""#,
            ]
            return json(Array("{\(routes.joined(separator: ","))}".utf8))
        case ("character", 1): return list(request, shift)
        case ("character", 2), ("characters", 2): return single(Request.decoded(segments[1]))
        default: return .notFound(request)
        }
    }

    private func single(_ id: String) -> Response {
        let found = Int(id).flatMap { catalogue.record(id: "\($0)") }.map { [$0] } ?? []
        return envelope(found[...], totalPages: "\(found.count)", previous: nil, next: nil)
    }

    private func list(_ request: Request, _ shift: Int) -> Response? {
        var page = 1
        var pageSize = 50
        var filters: [(field: String, pattern: NSRegularExpression)] = []
        for (name, value) in request.query {
            switch name {
            case "page":
                guard let number = Int(value), number > 0 else { return nil }
                page = number
            case "pageSize":
                guard let number = Int(value), number >= 0 else { return nil }
                pageSize = number
            default:
                guard let pattern = Self.pattern(value) else { return nil }
                filters.append((name, pattern))
            }
        }
        let records = filters.isEmpty ? catalogue.records : catalogue.records(matching: filters)
        let total = records.count + shift
        let pages = pageSize == 0 ? (total == 0 ? 0 : Int.max) : (total + pageSize - 1) / pageSize
        let (offset, overflow) = (page - 1).multipliedReportingOverflow(by: pageSize)
        let start = overflow ? records.count : min(max(0, offset - shift), records.count)
        let end = pageSize == 0 ? records.count : start + min(pageSize, records.count - start)
        let address = "http://\(request.header("host") ?? "localhost")/character"
        return envelope(
            records[start..<end],
            totalPages: pageSize == 0 ? "null" : "\(pages)",
            previous: page > 1 ? "\(address)?page=\(page - 1)&pageSize=\(pageSize)" : nil,
            next: page < pages ? "\(address)?page=\(page + 1)&pageSize=\(pageSize)" : nil)
    }

    /// The filter as the server compiles it; an empty one, which Foundation refuses, finds every text.
    private static func pattern(_ text: String) -> NSRegularExpression? {
        do {
            return try NSRegularExpression(pattern: text.isEmpty ? "^" : text, options: .caseInsensitive)
        } catch {
            return nil
        }
    }

    private func envelope(
        _ records: ArraySlice<StoredRecord>, totalPages: String, previous: String?, next: String?
    ) -> Response {
        let quoted: (String?) -> String = { $0.map { "\"\($0)\"" } ?? "null" }
        var info = #"{"info":{"count":\#(records.count),"totalPages":\#(totalPages),"#
        info += #""previousPage":\#(quoted(previous)),"nextPage":\#(quoted(next))},"data":"#
        let data = Array(records.map(\.bytes).joined(separator: [UInt8(ascii: ",")]))
        let (open, close) = records.count == 1 ? ("", "}") : ("[", "]}")
        return json(Array((info + open).utf8) + data + Array(close.utf8))
    }

    private func json(_ body: [UInt8]) -> Response {
        .json(body, headers: [Header("X-Powered-By", "Express"), Header("Access-Control-Allow-Origin", "*")])
    }
}
