// A model of https://api.disneyapi.dev with its oddities, as its server's source has them.
//
//     GET /character?page=2&pageSize=50&name=mick
//     {"info":{"count":50,"totalPages":3,"previousPage":"http://…","nextPage":"http://…"},"data":[…]}
//
// `data` is an array for two records or more, a bare object for one, and [] for none. `count` is of this page. The
// links are `http` whatever the client used, and lose the filter. A filter is a regular expression, unescaped.

import Foundation

/// The service over a catalogue.
struct DisneyAPI: APIModel {
    let catalogue: Catalogue
    let prefix = ""

    func window(of request: Request) -> Window? {
        guard segments(request) == ["character"] else { return nil }
        let number = { (name: String) in request.parameter(name).map { Int($0) ?? -1 } }
        let (page, size) = (number("page") ?? 1, number("pageSize") ?? 50)
        return page > 0 && size >= 0 ? .page(page, size: size) : nil
    }

    func response(to request: Request, window: Window?) -> Response? {
        guard request.method == "GET" || request.method == "HEAD" else { return .notFound(request) }
        let segments = segments(request)
        switch (segments.first, segments.count) {
        case (nil, _):
            let routes = [
                #""getCharacter":"/character""#, #""getCharacterById":"/character/:id""#,
                #""getCharactersById":"/characters/:id""#,
            ]
            return json(Array("{\(routes.joined(separator: ","))}".utf8))
        case ("character", 1): return window.flatMap { list(request, $0) }
        case ("character", 2), ("characters", 2): return single(segments[1])
        default: return .notFound(request)
        }
    }

    private func single(_ id: String) -> Response {
        let found = Int(id).flatMap { catalogue.record(id: "\($0)") }.map { [$0] } ?? []
        return envelope(found[...], totalPages: "\(found.count)", previous: nil, next: nil)
    }

    /// Nil where the real server throws inside a handler and never answers.
    private func list(_ request: Request, _ window: Window) -> Response? {
        var filters: [(field: String, pattern: NSRegularExpression)] = []
        for (name, value) in request.query where name != "page" && name != "pageSize" {
            guard let pattern = Self.pattern(value) else { return nil }
            filters.append((name, pattern))
        }
        let records = filters.isEmpty ? catalogue.records : catalogue.records(matching: filters)
        let link = { (page: Int) in "\(address("/character", request))?page=\(page)&pageSize=\(window.size)" }
        let isWhole = window.size == 0
        let pages = isWhole ? nil : (window.total(records.count) + window.size - 1) / window.size
        return envelope(
            isWhole ? records[...] : records[window.range(in: records.count)],
            totalPages: pages.map { "\($0)" } ?? "null",
            previous: window.page > 1 ? link(window.page - 1) : nil,
            next: window.page < pages ?? .max ? link(window.page + 1) : nil)
    }

    /// The filter as the server compiles it; an empty one, which Foundation refuses, finds every text.
    private static func pattern(_ text: String) -> NSRegularExpression? {
        try? NSRegularExpression(pattern: text.isEmpty ? "^" : text, options: .caseInsensitive)
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
