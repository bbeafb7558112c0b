// The media type that a server gives a file by the end of its name, right or wrong.

/// Names to types.
enum MediaType {
    static func ofSuffix(_ path: String) -> String {
        switch path.split(separator: ".").last?.lowercased() {
        case "png": "image/png"
        case "gif": "image/gif"
        case "jpg", "jpeg": "image/jpeg"
        case "webp": "image/webp"
        case "avif": "image/avif"
        case "heic": "image/heic"
        case "heif": "image/heif"
        case "svg": "image/svg+xml"
        case "bmp": "image/bmp"
        case "ico": "image/vnd.microsoft.icon"
        case "json": "application/json; charset=utf-8"
        case "html": "text/html; charset=utf-8"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
