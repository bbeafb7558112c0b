// The pictures of the pet services by breed and kind, in an order of chance unless a key allows another one.
//
//     GET /v1/images/search?breed_ids=abys,pers&limit=25&page=0&order=ASC&mime_types=png,gif&has_breeds=1&format=src
//
// A parameter with a name that the service doesn't know is ignored, so that a misspelt filter finds any picture. Without
// a key a limit over 10 gives 10, and nothing says so.

import TestSupport

extension PetAPI {
    /// How many there can be in an answer.
    static let keylessLimit = 10
    static let keyedLimit = 25

    func imageWindow(of request: Request) -> Window {
        let hasKey = ModelKey(request, header: "x-api-key", parameter: "api_key") == .right
        let limit = request.parameter("limit").flatMap { Int($0) } ?? 1
        let size = min(max(1, limit), hasKey ? Self.keyedLimit : Self.keylessLimit)
        guard hasKey, Self.order(request) != nil else { return Window(offset: 0, size: size) }
        return .page(1 + min(Self.pageNumber(request), .max - 1), size: size)
    }

    func imageSearch(_ request: Request, _ window: Window?, _ key: ModelKey) -> Response {
        let window = window ?? imageWindow(of: request)
        let found = ordered(catalogue.images.filter { Self.matches($0, request) }, request, key)
        let page = found[window.range(in: found.count)]
        if request.parameter("format") == "src" {
            guard let first = page.first else { return .text("NOT_FOUND", status: 404) }
            return .redirect("\(elsewhere)\(prefix)/cdn/images/\(first.id).\(first.suffix)")
        }
        let images = page.map { listed($0, withBreeds: key == .right) }
        let isPaged = request.parameter("limit") != nil
        return answer(.array(images), isPaged ? Self.pagination(window, of: found.count) : [])
    }

    private static func order(_ request: Request) -> String? {
        request.parameter("order").map { $0.uppercased() }.flatMap { ["ASC", "DESC"].contains($0) ? $0 : nil }
    }

    private func ordered(_ images: [PetImage], _ request: Request, _ key: ModelKey) -> [PetImage] {
        switch key == .right ? Self.order(request) : nil {
        case "ASC": return images
        case "DESC": return images.reversed()
        default:
            var order = SplitMix64(seed: seed, request.rawQuery)
            return images.shuffled(using: &order)
        }
    }

    private static func matches(_ image: PetImage, _ request: Request) -> Bool {
        let wanted = request.parameter("breed_ids") ?? request.parameter("breed_id") ?? ""
        if !wanted.isEmpty, Set(list(wanted)).isDisjoint(with: image.breeds) { return false }
        let types = list(request.parameter("mime_types") ?? "")
        if !types.isEmpty, !types.contains(image.suffix) { return false }
        return request.parameter("has_breeds") != "1" || !image.breeds.isEmpty
    }

    private static func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
}
