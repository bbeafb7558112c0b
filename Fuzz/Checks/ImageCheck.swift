// The judgement of pictures, and the other readers of foreign text that decide about them.

import PipelineCore
import PipelineHTTP
import fetch_images

enum ImageCheck {
    static func check(_ bytes: [UInt8]) throws {
        _ = NonImageKind(of: bytes.span)
        do {
            let facts = try ImageInfo(of: bytes.span)
            try demand(facts.type == ImageType(of: bytes.span), "another type than the first bytes tell")
            if facts.type != .svg {
                let more = try ImageInfo(of: (bytes + [UInt8](repeating: 0, count: 9)).span)
                try demand(more == facts, "another picture with bytes after it")
            }
            guard let size = facts.size else { return }
            try demand(size.width > 0 && size.height > 0, "a picture of \(size.width) by \(size.height)")
            let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
            try demand(!overflow && pixels <= ImageInfo.defaultPixelLimit, "a picture of \(pixels) pixels")
        } catch let fault as ImageError {
            try demand(!fault.description.isEmpty, "a fault without words")
        }
        let url = String(decoding: bytes, as: UTF8.self)
        if let content = DataURL.content(url) {
            try demand(content.count <= url.utf8.count, "more content than the URL has bytes")
        }
        try isSafe(SafeFileName.name(String(decoding: bytes.prefix(1024), as: UTF8.self)))
    }

    /// A name that every file system takes, and that means nothing to a shell or a system.
    private static func isSafe(_ name: String) throws {
        let bytes = Array(name.utf8)
        try demand((1...255).contains(bytes.count), "a name of \(bytes.count) bytes")
        try demand(!bytes.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C || $0 == 0x7F }, "the name '\(name)'")
        try demand(![0x2D, 0x2E, 0x20].contains(bytes[0]), "a name that begins with a sign: '\(name)'")
        try demand(![0x2E, 0x20].contains(bytes[bytes.count - 1]), "a name that ends with a sign: '\(name)'")
        let again = SafeFileName.name(name)
        try demand(again == name, "the name '\(name)', made safe again, is '\(again)'")
    }
}
