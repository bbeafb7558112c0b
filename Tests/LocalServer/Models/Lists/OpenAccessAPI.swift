// A model of an API that counts records from an offset and nests them deep, in the shape of the Smithsonian's Open Access
// (https://api.si.edu/openaccess/api/v1.0/search).
//
//     GET /openaccess/api/v1.0/search?api_key=live_1&q=online_visual_material:true&start=0&rows=10
//     {"status":200,"responseCode":1,"response":{"rows":[…],"rowCount":57,"message":"content found"}}
//
// A picture is at content.descriptiveNonRepeating.online_media.media[0].content, where there is one. The key is one of
// api.data.gov's: missing or wrong, it is a 403.

/// The search.
struct OpenAccessAPI: APIModel {
    static let works = Artwork.all.prefix(57)

    let prefix = "/smithsonian"
    /// The origin of the pictures.
    let elsewhere: String

    func window(of request: Request) -> Window? {
        guard segments(request) == ["openaccess", "api", "v1.0", "search"] else { return nil }
        let rows = request.parameter("rows").flatMap { Int($0) } ?? 10
        let start = request.parameter("start").flatMap { Int($0) } ?? 0
        return Window(offset: max(0, start), size: min(max(1, rows), 1000))
    }

    func response(to request: Request, window: Window?) -> Response {
        switch ModelKey(request, header: "x-api-key", parameter: "api_key") {
        case .none: return refusal("API_KEY_MISSING", "No api_key was supplied.")
        case .wrong: return refusal("API_KEY_INVALID", "An invalid api_key was supplied.")
        case .right: break
        }
        let segments = segments(request)
        if let window { return search(request, window) }
        guard segments.count == 5, segments[3] == "content",
            let work = Self.works.first(where: { Self.id($0) == segments[4] })
        else { return .json(["status": 404, "responseCode": 0, "response": "not found"], status: 404) }
        return .json(["status": 200, "responseCode": 1, "response": row(work)])
    }

    private func refusal(_ code: String, _ message: String) -> Response {
        .json(["error": ["code": .string(code), "message": .string(message)]], status: 403)
    }

    private func search(_ request: Request, _ window: Window) -> Response {
        let wanted = (request.parameter("q") ?? "*:*").lowercased()
        let found = Self.works.filter { work in
            switch wanted {
            case "*:*": true
            case "online_visual_material:true": work.picture == .whole
            default: work.title.lowercased().contains(wanted)
            }
        }
        let rows = found[window.range(in: found.count)].map { row($0) }
        return .json([
            "status": 200, "responseCode": 1,
            "response": [
                "rows": .array(rows), "rowCount": .number(window.total(found.count)),
                "message": rows.isEmpty ? "no content" : "content found",
            ],
        ])
    }

    private static func id(_ work: Artwork) -> String { "edanmdm-lighthouse_\(work.index + 1)" }

    private func row(_ work: Artwork) -> ModelJSON {
        var facts: [(name: String, value: ModelJSON)] = [
            ("record_link", "https://n2t.example/\(Self.id(work))"),
            ("title", ["label": "Title", "content": .string(work.title)]),
        ]
        if work.picture == .whole {
            let address = "\(elsewhere)/images/\(work.pictureFile)"
            let media: ModelJSON = [
                "thumbnail": "\(address)?max=300", "type": "Images", "content": .string(address),
            ]
            facts.append(("online_media", ["mediaCount": 1, "media": [media]]))
        }
        return [
            "id": .string(Self.id(work)), "title": .string(work.title), "unitCode": "PELLOW", "type": "edanmdm",
            "url": "edanmdm:lighthouse_\(work.index + 1)",
            "content": [
                "descriptiveNonRepeating": .object(facts),
                "indexedStructured": ["date": ["\(work.year / 10 * 10)s"]],
                "freetext": [
                    "name": [["label": "Maker", "content": .string(work.maker.english)]],
                    "notes": [["label": "Note", "content": .string("Made in \(work.year)")]],
                ],
            ],
            "timestamp": "1700000000",
        ]
    }
}
