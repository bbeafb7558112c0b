// A model of the Rijksmuseum's first API, https://www.rijksmuseum.nl/api, by its recorded answers and what its users
// report. The service itself is gone; keys and mirrors of it are not.
//
//     GET /api/en/collection?key=live_1&format=json&p=1&ps=10&q=whale
//     GET /api/nl/collection/SK-A-1?key=live_1
//     {"elapsedMilliseconds":0,"count":216,"countFacets":{…},"artObjects":[…],"facets":[…]}
//
// Pages 0 and 1 are the same, no answer names the next, and behind p·ps = 10,000 there is nothing. Links are http. A
// picture may be null where hasImage says that there is one, and there where it says that there is none.

/// The service.
struct MuseumAPI: APIModel {
    static let reach = 10_000

    let prefix = "/rijksmuseum-v1"
    /// The origin of the pictures.
    let elsewhere: String

    func window(of request: Request) -> Window? {
        let segments = segments(request)
        guard segments.count == 3, segments[0] == "api", segments[2] == "collection" else { return nil }
        let size = request.parameter("ps").flatMap { Int($0) } ?? 10
        let number = request.parameter("p").flatMap { Int($0) } ?? 0
        return .page(max(1, number), size: min(max(1, size), 100))
    }

    func response(to request: Request, window: Window?) -> Response {
        guard request.method == "GET" || request.method == "HEAD" else { return .error(405) }
        let segments = segments(request)
        guard segments.count >= 3, segments[0] == "api", ["nl", "en"].contains(segments[1]),
            segments[2] == "collection"
        else { return .error(404) }
        guard ModelKey(request, parameter: "key") == .right else { return .text("Invalid key", status: 401) }
        let isDutch = segments[1] == "nl"
        if let window { return list(request, window, isDutch: isDutch) }
        guard segments.count == 4, let work = Artwork.all.first(where: { $0.objectNumber == segments[3] }) else {
            return .error(404)
        }
        return .json(["elapsedMilliseconds": 7, "artObject": record(isDutch, request).detail(work)])
    }

    private func record(_ isDutch: Bool, _ request: Request) -> MuseumRecord {
        MuseumRecord(isDutch: isDutch, base: address("", request), elsewhere: elsewhere)
    }

    private func list(_ request: Request, _ window: Window, isDutch: Bool) -> Response {
        let found = Artwork.all.filter { Self.matches($0, request, isDutch) }
        let ordered = Self.ordered(found, request.parameter("s"))
        let isInReach = window.end <= Self.reach
        let page = isInReach ? ordered[window.range(in: ordered.count)] : []
        let writer = record(isDutch, request)
        return .json([
            "elapsedMilliseconds": 0, "count": .number(window.total(found.count)),
            "countFacets": ["hasimage": .number(found.count { $0.picture == .whole }), "ondisplay": 1],
            "artObjects": .array(page.map { writer.listed($0) }), "facets": [],
        ])
    }

    private static func matches(_ work: Artwork, _ request: Request, _ isDutch: Bool) -> Bool {
        let contains = { (text: String, part: String) in text.lowercased().contains(part.lowercased()) }
        let maker = isDutch ? work.maker.dutch : work.maker.english
        return request.query.allSatisfy { name, value in
            switch name {
            case "q": value.isEmpty || [work.title, work.dutchTitle, maker].contains { contains($0, value) }
            case "involvedMaker": value == maker
            case "type": value == (isDutch ? work.type.dutch : work.type.english)
            case "imgonly": value != "True" || work.picture == .whole
            default: true
            }
        }
    }

    private static func ordered(_ works: [Artwork], _ order: String?) -> [Artwork] {
        switch order {
        case "chronologic": works.sorted { ($0.year, $0.index) < ($1.year, $1.index) }
        case "achronologic": works.sorted { ($0.year, $0.index) > ($1.year, $1.index) }
        default: works
        }
    }
}
