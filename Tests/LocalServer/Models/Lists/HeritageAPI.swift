// A model of an API with an opaque cursor in its answers, in the shape of Europeana's search
// (https://api.europeana.eu/record/v2/search.json).
//
//     GET /record/v2/search.json?wskey=live_1&query=*&rows=12&cursor=*
//     {"apikey":"live_1","success":true,"itemsCount":12,"totalResults":66,"nextCursor":"++8AAAwA=","items":[…]}
//
// The first cursor is `*`, and the others hold letters that must be escaped in a query. A full page has a next one, be it
// empty; the last has none. Ids are paths, titles and pictures stand in arrays, and the answer repeats the key.

import Foundation

/// The search.
struct HeritageAPI: APIModel {
    static let works = Artwork.all.prefix(66)

    let prefix = "/europeana"
    /// The origin of the pictures.
    let elsewhere: String

    func window(of request: Request) -> Window? {
        guard segments(request) == ["record", "v2", "search.json"] else { return nil }
        let rows = request.parameter("rows").flatMap { Int($0) } ?? 12
        let offset = Self.offset(request.parameter("cursor") ?? "*") ?? 0
        return Window(offset: offset, size: min(max(1, rows), 100))
    }

    func response(to request: Request, window: Window?) -> Response {
        guard let window else { return .error(404) }
        let key = request.parameter("wskey") ?? ""
        guard ModelKey(request, parameter: "wskey") == .right else {
            return failure(401, key.isEmpty ? "No API key" : "API key doesn't exist")
        }
        guard let query = request.parameter("query"), !query.isEmpty else {
            return failure(400, "Empty query parameter")
        }
        let cursors = request.query.filter { $0.name == "cursor" }
        let cursor = cursors.first?.value
        guard cursors.count < 2, Self.offset(cursor ?? "*") != nil else { return failure(400, "Invalid cursor") }
        let wanted = query.lowercased()
        let found = Self.works.filter { wanted == "*" || $0.title.lowercased().contains(wanted) }
        let page = found[window.range(in: found.count)]
        var members: [(name: String, value: ModelJSON)] = [
            ("apikey", .string(key)), ("success", true), ("requestNumber", 999),
            ("itemsCount", .number(page.count)),
            ("totalResults", .number(window.total(found.count))),
        ]
        if cursor != nil, page.count == window.size {
            members.append(("nextCursor", .string(Self.cursor(window.end))))
        }
        members.append(("items", .array(page.map { item($0) })))
        return .json(.object(members))
    }

    private func failure(_ status: Int, _ message: String) -> Response {
        .json(["success": false, "error": .string(message)], status: status)
    }

    private func item(_ work: Artwork) -> ModelJSON {
        let id = "/2021618/lighthouse_\(work.index + 1)"
        var members: [(name: String, value: ModelJSON)] = [
            ("id", .string(id)), ("type", "IMAGE"), ("title", [.string(work.title)]),
            ("dcCreator", [.string(work.maker.english)]),
            ("dcDescription", [.string("By \(work.maker.english)")]), ("year", ["\(work.year)"]),
            ("guid", "https://www.europeana.example/item\(id)?utm_source=api"),
        ]
        if work.index % 3 > 0 {
            members.append(("dcDescription", ["\(work.title) by \(work.maker.english), \(work.year)"]))
        }
        if work.picture == .whole { members.append(("edmPreview", ["\(elsewhere)/images/\(work.pictureFile)"])) }
        return .object(members)
    }

    /// `++8` and the offset in base64.
    private static func cursor(_ offset: Int) -> String {
        Data([0xFB, 0xEF, UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF), 0xFF]).base64EncodedString()
    }

    private static func offset(_ cursor: String) -> Int? {
        if cursor == "*" { return 0 }
        guard let data = Data(base64Encoded: cursor), data.count == 5, data[0] == 0xFB, data[1] == 0xEF else {
            return nil
        }
        return Int(data[2]) << 8 | Int(data[3])
    }
}
