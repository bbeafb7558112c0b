// A model of https://api.thedogapi.com/v1 and https://api.thecatapi.com/v1, which are one software, by its own
// documentation, its answers and what its users report.
//
//     GET /v1/breeds?limit=10&page=0      a bare array, pages from 0; the whole list without limit
//     GET /v1/breeds/12   /v1/breeds/search?q=terrier&attach_image=1
//     GET /v1/images/search?breed_ids=abys&limit=10   /v1/images/LhiGDAAAA
//
// How many there are stands in headers, and only where limit was given. A breed's picture may be missing, or `{}` where
// its reference is not found, as one with a line end at its end is not. A picture that isn't there is a 400. The cats'
// whole list begins with a byte order mark, as a stored answer of theirs does.

import Foundation

/// One of the two services.
struct PetAPI: APIModel {
    let prefix: String
    let catalogue: PetCatalogue
    let pictures: Pictures
    /// The origin of the pictures, another one than the API's.
    let elsewhere: String
    let seed: UInt64
    let startsListWithMark: Bool

    func window(of request: Request) -> Window? {
        switch segments(request) {
        case ["v1", "breeds"]: Self.limited(request)
        case ["v1", "images", "search"]: imageWindow(of: request)
        default: nil
        }
    }

    /// The page that limit and page name, nil without a limit.
    static func limited(_ request: Request) -> Window? {
        guard let limit = request.parameter("limit").flatMap({ Int($0) }), limit > 0 else { return nil }
        return .page(1 + min(pageNumber(request), .max - 1), size: limit)
    }

    /// From 0; what is no number is the first.
    static func pageNumber(_ request: Request) -> Int {
        max(0, request.parameter("page").flatMap { Int($0) } ?? 0)
    }

    func response(to request: Request, window: Window?) -> Response {
        let segments = segments(request)
        if segments.first == "cdn" { return file(segments.last ?? "") ?? .text("AccessDenied", status: 403) }
        let key = ModelKey(request, header: "x-api-key", parameter: "api_key")
        if key == .wrong {
            return error(401, "AUTHENTICATION_ERROR - no valid x-api-key in header")
        }
        switch segments {
        case ["v1", "breeds"]: return breedList(window)
        case ["v1", "breeds", "search"]: return search(request)
        case ["v1", "images", "search"]: return imageSearch(request, window, key)
        default: break
        }
        guard segments.count == 3, segments[0] == "v1" else { return .text("NOT_FOUND", status: 404) }
        switch segments[1] {
        case "breeds":
            let found = catalogue.breed(segments[2])
            return found.map { answer(.raw($0.bytes)) } ?? .text("INVALID_DATA", status: 400)
        case "images":
            let found = catalogue.image(segments[2])
            let missing = "Couldn't find an image matching the passed 'id' of \(segments[2])"
            return found.map { answer(single($0)) } ?? error(400, missing)
        default: return .text("NOT_FOUND", status: 404)
        }
    }

    private func breedList(_ window: Window?) -> Response {
        let all = catalogue.breeds
        guard let window else {
            var answer = answer(.array(all.map { withImage($0) }))
            if startsListWithMark { answer.body.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0) }
            return answer
        }
        let page = all[window.range(in: all.count)].map { withImage($0) }
        return answer(.array(page), Self.pagination(window, of: all.count))
    }

    private func search(_ request: Request) -> Response {
        let found = catalogue.breeds(named: request.parameter("q") ?? "")
        let attaches = request.parameter("attach_image") == "1"
        return answer(.array(found.map { attaches ? withImage($0) : .raw($0.bytes) }))
    }

    /// The record with its picture at its end, where it names one: `{}` where no picture has that id to the letter.
    private func withImage(_ breed: ModelRecord) -> ModelJSON {
        guard let reference = breed.text("reference_image_id") else { return .raw(breed.bytes) }
        let image: ModelJSON = catalogue.image(reference).map { facts($0, name: $0.id) } ?? [:]
        return .raw(breed.bytes.dropLast() + ",\"image\":".utf8 + image.bytes + [UInt8(ascii: "}")])
    }

    private func facts(_ image: PetImage, name: String) -> ModelJSON {
        [
            "id": .string(image.id), "width": .number(image.width), "height": .number(image.height),
            "url": .string("\(elsewhere)\(prefix)/cdn/images/\(name).\(image.suffix)"),
        ]
    }

    /// A picture by its id names the file of another size than its breed does.
    private func single(_ image: PetImage) -> ModelJSON {
        let breeds = image.breeds.compactMap { catalogue.breed($0) }
        return .object(
            facts(image, name: image.id + "_1280").members
                + [("breeds", .array(breeds.map { .raw($0.bytes) }))])
    }

    /// As lists of pictures have it: the breeds first, and empty without a key.
    func listed(_ image: PetImage, withBreeds: Bool) -> ModelJSON {
        let breeds = withBreeds ? image.breeds.compactMap { catalogue.breed($0) } : []
        return .object(
            [("breeds", .array(breeds.map { .raw($0.bytes) }))] + facts(image, name: image.id).members)
    }

    private func file(_ name: String) -> Response? {
        let id = name.split(separator: ".").first.map { $0.hasSuffix("_1280") ? $0.dropLast(5) : $0 }
        guard let image = catalogue.image(String(id ?? "")), var answer = pictures.response(image.picture) else {
            return nil
        }
        answer.set(Header("Content-Type", MediaType.ofSuffix(name)))
        return answer
    }

    static func pagination(_ window: Window, of count: Int) -> [Header] {
        [
            Header("Pagination-Count", "\(window.total(count))"), Header("Pagination-Page", "\(window.page - 1)"),
            Header("Pagination-Limit", "\(window.size)"),
        ]
    }

    func answer(_ json: ModelJSON, _ headers: [Header] = []) -> Response {
        .json(json, headers: headers + rateLimit)
    }

    private func error(_ status: Int, _ message: String) -> Response {
        .json(
            ["message": .string(message), "status": .number(status), "level": "info"], status: status,
            headers: rateLimit)
    }

    /// The reset is a date, where others send seconds.
    private var rateLimit: [Header] {
        [
            Header("RateLimit-Limit", "120"), Header("RateLimit-Remaining", "119"),
            Header("RateLimit-Consumed", "1"),
            Header("RateLimit-Reset", Date(timeIntervalSinceNow: 60).formatted(.iso8601)),
        ]
    }
}
