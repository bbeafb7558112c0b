// Where a page has its pictures, if it links them: relative to the page, so that both can be moved together.
//
//     --gallery cats.html --dir images           images/ab/ab12….jpg
//     --gallery web/cats.html --dir images       ../images/ab/ab12….jpg

import PipelineCore
import PipelineHTTP

package enum GalleryLinks {
    /// The directory as a URL from the page, with a slash at its end.
    package static func directory(_ directory: String, from page: String) -> String {
        let folder = FileLocation.split(page).prefix
        let parts = below(directory, folder) ?? between(directory, folder.isEmpty ? "." : folder)
        guard !parts.isEmpty else { return "./" }
        return parts.map { HTTPURL.percentEncoded($0.fileBytes.dropLast().map { UInt8(bitPattern: $0) }) + "/" }
            .joined()
    }

    /// The names from a page's folder down to the directory, as both are written: a symlink among them stays, as a web server may
    /// follow it. Nil if they don't lead down.
    private static func below(_ directory: String, _ folder: String) -> [String]? {
        let (target, start) = (names(directory), names(folder))
        guard directory.isAbsolutePath == folder.isAbsolutePath, !target.contains(".."), !start.contains(".."),
            target.starts(with: start)
        else { return nil }
        return Array(target.dropFirst(start.count))
    }

    /// The names from a page's folder up and down to the directory, as the file system has them.
    private static func between(_ directory: String, _ folder: String) -> [String] {
        let target = names(Descriptor.absolute(directory) ?? directory)
        let start = names(Descriptor.absolute(folder) ?? folder)
        let common = zip(target, start).prefix { $0 == $1 }.count
        return Array(repeating: "..", count: start.count - common) + target.dropFirst(common)
    }

    private static func names(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    // MARK: Without scripts

    /// A list's item for a record: its name, and links to its pictures.
    /// - Parameters:
    ///   - line: the name, and the files of the pictures, with tabs between.
    ///   - links: the directory of the pictures; nil if the page holds them itself, where only its script finds them.
    static func item(_ line: ArraySlice<UInt8>, _ links: String?) -> [UInt8] {
        let fields = line.split(separator: 0x09)
        let name = fields.first ?? []
        var item = Array("<li>".utf8)
        guard let links, fields.count > 1 else { return item + name }
        for (index, file) in fields.dropFirst().enumerated() {
            item += "\(index == 0 ? "" : " ")<a href=\"\(links)".utf8
            item += file
            item += "\">".utf8
            item += index == 0 ? Array(name) : Array("\(index + 1)".utf8)
            item += "</a>".utf8
        }
        return item
    }
}
