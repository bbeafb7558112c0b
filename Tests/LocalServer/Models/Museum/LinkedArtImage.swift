// A IIIF image service (IIIF Image API 3.0, 4) as far as the museum's data needs it: the whole picture, whatever size is
// asked for, and the facts about it.
//
//     NAME/full/max/0/default.png      NAME/full/!800,800/0/default.png      NAME/info.json

/// The pictures of the museum's objects, by the names of their files without a suffix.
struct LinkedArtImage {
    let pictures: Pictures

    func response(_ path: ArraySlice<String>) -> Response {
        let parts = Array(path)
        let suffixes = ["png", "gif"].map { parts[0] + "." + $0 }
        guard let picture = suffixes.lazy.compactMap({ pictures.response($0) }).first else {
            return .text("Not found", status: 404)
        }
        if parts.count == 2, parts[1] == "info.json" {
            return .json(["protocol": "http://iiif.io/api/image", "width": 96, "height": 96, "profile": "level2"])
        }
        guard parts.count == 5, parts[1] == "full" || parts[1] == "square", Self.isSize(parts[2]),
            parts[3] == "0", parts[4].hasPrefix("default.")
        else { return .text("Invalid region, size, rotation or quality", status: 400) }
        return picture
    }

    private static func isSize(_ text: String) -> Bool {
        if text == "max" { return true }
        let sides = text.drop { $0 == "!" || $0 == "^" }
            .split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        return sides.count == 2 && sides.contains { !$0.isEmpty }
            && sides.allSatisfy { $0.isEmpty || Int($0) ?? 0 > 0 }
    }
}
