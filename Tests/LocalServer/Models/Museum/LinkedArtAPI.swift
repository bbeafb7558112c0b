// A model of the Rijksmuseum's key-less services: the search at https://data.rijksmuseum.nl/search/collection, the
// resolver at https://id.rijksmuseum.nl, and the pictures of https://iiif.micr.io, by their documentation and answers.
//
//     GET /search/collection?type=painting&imageAvailable=true     100 ids a page, and the address of the next
//     GET /id/200100037      303 to /200100037, for a browser to a page
//     GET /200100037         object → shows → /202100037 → digitally_shown_by → /5001… → access_point → picture
//     GET /iiif/NAME/full/max/0/default.png     /iiif/NAME/info.json
//
// Parameters are combined, and one that the service doesn't know is a 400.

import Foundation

/// The three services under one prefix.
struct LinkedArtAPI: APIModel {
    static let pageSize = 100
    static let type = "application/ld+json"

    let prefix = "/rijksmuseum"
    let pictures: Pictures
    /// The origin of the pictures.
    let elsewhere: String

    func window(of request: Request) -> Window? {
        guard segments(request) == ["search", "collection"] else { return nil }
        let start = request.parameter("pageToken").flatMap { LinkedArtSearch.read(token: $0)?.offset } ?? 0
        return Window(offset: start, size: Self.pageSize)
    }

    func response(to request: Request, window: Window?) -> Response {
        let segments = segments(request)
        if let window { return search(request, window) }
        switch (segments.first, segments.count) {
        case ("id", 2): return resolved(segments[1], request)
        case ("iiif", 3...): return LinkedArtImage(pictures: pictures).response(segments.dropFirst())
        case ("collectie", _):
            let page = Response.page(title: "Collectie", text: "<p>\(segments.last ?? "")</p>")
            return Response(type: "text/html; charset=utf-8", body: page)
        case (let number?, 1):
            let writer = LinkedArtObject(base: address("", request), pictures: elsewhere + prefix)
            return writer.entity(number).map { .json($0, type: Self.type) } ?? .text("Not found", status: 404)
        default: return .text("Not found", status: 404)
        }
    }

    /// Programs are sent to the data, browsers to a page.
    private func resolved(_ number: String, _ request: Request) -> Response {
        let isBrowser = request.header("accept")?.contains("text/html") ?? false
        return .redirect(address(isBrowser ? "/collectie/object/\(number)" : "/\(number)", request), status: 303)
    }

    private func search(_ request: Request, _ window: Window) -> Response {
        let search: LinkedArtSearch
        if let token = request.parameter("pageToken") {
            guard let read = LinkedArtSearch.read(token: token) else {
                return .text("Invalid page token", status: 400)
            }
            search = read.search
        } else {
            guard let asked = LinkedArtSearch(query: request.rawQuery) else {
                return .text("Unsupported query parameter", status: 400)
            }
            search = asked
        }
        return .json(answer(request, search, window), type: Self.type)
    }

    private func answer(_ request: Request, _ search: LinkedArtSearch, _ window: Window) -> ModelJSON {
        let list = "/search/collection"
        let found = Artwork.all.filter { search.matches($0) }
        let page = found[window.range(in: found.count)]
        let asked = address(request.path.dropFirst(prefix.count) + "?" + request.rawQuery, request)
        let whole = address(list + "?" + search.text, request)
        let link = { (offset: Int) -> ModelJSON in
            let id = address("\(list)?pageToken=\(search.token(offset: offset))", request)
            return ["id": .string(id), "type": "OrderedCollectionPage"]
        }
        let last = (max(1, found.count) - 1) / window.size * window.size
        var members: [(name: String, value: ModelJSON)] = [
            ("@context", "https://linked.art/ns/v1/search.json"), ("id", .string(asked)),
            ("type", "OrderedCollectionPage"),
            (
                "partOf",
                [
                    "id": .string(whole), "type": "OrderedCollection",
                    "totalItems": .number(window.total(found.count)), "first": link(0), "last": link(last),
                ]
            ),
        ]
        if window.hasNext(found.count) { members.append(("next", link(window.end))) }
        let items = page.map { work -> ModelJSON in
            ["id": .string(address("/id/\(LinkedArtObject.objectID(work))", request)), "type": "HumanMadeObject"]
        }
        members.append(("orderedItems", .array(items)))
        return .object(members)
    }
}
