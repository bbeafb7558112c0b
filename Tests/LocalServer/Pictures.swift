// The files of one folder under /images/, with what a client needs to ask for them again.

import Foundation

struct Pictures: Sendable {
    /// Nil serves none.
    let folder: String?

    /// The picture of that name, nil where there is none. Names of files only: nothing above or below the folder.
    func response(_ name: String) -> Response? {
        guard let folder, !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.contains("\0") else {
            return nil
        }
        let path = folder + "/" + name
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let changed = attributes?[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
        let stamp = UInt64(changed.timeIntervalSince1970 * 1_000_000)
        return Response(
            type: MediaType.ofSuffix(name), body: [UInt8](data),
            headers: [
                Header("ETag", "\"\(String(stamp, radix: 16))-\(String(data.count, radix: 16))\""),
                Header("Last-Modified", HTTPDate.text(changed)),
            ])
    }
}

/// The media type that a server gives a file by the end of its name, right or wrong.
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
