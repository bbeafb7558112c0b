// The page around the records: markup, style and script, which the build embeds, and the data that the script needs.

import PipelineCore
import PipelineHTTP

/// The page: page.html, with the style and the scripts inserted, and with a policy that allows only these, by their
/// digests (CSP Level 3, section 2.3.1). The build embeds the files in Page.
struct GalleryPage {
    /// Markup, style and script, and the data that the script needs.
    private(set) var head: [UInt8] = []
    private(set) var end: [UInt8] = []

    /// - Parameters:
    ///   - member: the records' member with their pictures.
    ///   - links: the directory of the pictures, as a URL from the page; nil if the page holds them itself.
    init(_ title: GalleryTitle, member: String, links: String?) {
        let style = PackageResources.page_css
        let script =
            PackageResources.folding_js + PackageResources.loose_js + PackageResources.records_js
            + PackageResources.search_js + PackageResources.grid_js + PackageResources.detail_js
            + PackageResources.facts_js + PackageResources.page_js
        var rest = PackageResources.page_html[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")), let end = rest.firstIndex(of: UInt8(ascii: "}")) {
            self.end += rest[..<start]
            switch String(decoding: rest[(start + 2)..<end], as: UTF8.self) {
            case "style": self.end += style
            case "style-hash": self.end += Self.source(SHA256.digest(style.span))
            case "script": self.end += script
            case "script-hash": self.end += Self.source(SHA256.digest(script.span))
            case "without-script":
                self.end += (links == nil ? "Names only: no JavaScript" : "Names and links: no JavaScript").utf8
            case "image-source": self.end += (links == nil ? "data:" : "'self' file: data:").utf8
            case "title", "heading": GalleryText.append(Array(title.text.utf8).span, to: &self.end)
            case "data": Self.appendData(title, member, links, to: &self.end)
            case "records": swap(&head, &self.end)
            case let name: preconditionFailure("page.html has a mark that nothing replaces: \(name)")
            }
            rest = rest[(end + 2)...]
        }
        end += rest
    }

    /// What the script copies for each picture that comes into sight.
    private static let linkedPicture =
        "<template id=\"linked\"><img alt=\"\" loading=\"lazy\" decoding=\"async\"></template>"

    /// A digest in the form of a policy.
    private static func source(_ digest: [UInt8]) -> [UInt8] {
        "'sha256-".utf8 + Base64.encoded(digest.span) + "'".utf8
    }

    private static func appendData(
        _ title: GalleryTitle, _ member: String, _ links: String?, to page: inout [UInt8]
    ) {
        let settings = ByteBuffer.object { object in
            if let source = title.source {
                object.addMember("source", source)
                object.addMember("fileName", title.fileName)
            }
            object.addMember("member", member)
            if let links { object.addMember("pictures", links) }
            object.addMember("folding") {
                $0.addMember("shift", Int(FoldingTables.blockShift))
                $0.addMember("count", FoldingTables.stageCount)
            }
        }
        page += "<script type=\"application/json\" id=\"settings\">".utf8
        GalleryText.append(json: settings.span, to: &page)
        page += "</script>\n".utf8
        if links != nil { page += "\(linkedPicture)\n".utf8 }
        let tables = [
            ("stages", FoldingTables.stages), ("blocks", FoldingTables.blocks), ("atoms", FoldingTables.atoms),
            ("spellings", SpellingTables.spellings),
        ]
        for (name, table) in tables {
            page += "<script type=\"text/plain\" id=\"\(name)\">".utf8
            page.append(table.bytes)
            page += "</script>\n".utf8
        }
    }
}

/// A page's title: the summary of the records' source, or the file's name.
struct GalleryTitle {
    let text: String
    /// The source whose summary the text is.
    let source: String?
    /// The file's name without its extension: the page's script shows it if other sources follow.
    let fileName: String

    init(path: String, source: String?) {
        let name = path.displayedPath.split(separator: "/").last.map(String.init) ?? path
        fileName = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? String(name[..<$0]) : nil } ?? name
        let summary = source.flatMap(Self.summary)
        text = summary ?? fileName
        self.source = summary == nil ? nil : source
    }

    /// A line of summaries.txt has a source's name, a tab, and its summary.
    private static func summary(_ source: String) -> String? {
        let lines = String(decoding: PackageResources.summaries_txt, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(source + "\t") }.map { String($0.dropFirst(source.count + 1)) }
    }
}

/// Escapes untrusted text for a page, so that none of it can become markup.
enum GalleryText {
    /// Appends text for a position where markup is allowed, or for a quoted attribute.
    static func append(_ text: Span<UInt8>, to page: inout [UInt8]) {
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "&"): page.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): page.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): page.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): page.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): page.append(contentsOf: "&#39;".utf8)
            case 0..<0x20: page.append(UInt8(ascii: " "))
            case let byte: page.append(byte)
            }
        }
    }

    /// Appends JSON text inside a script element, on one line. Only `<` can end the element or begin a comment in
    /// it (HTML, 13.2.5.4), and in JSON it occurs only in strings, where an escape means the same.
    static func append(json: Span<UInt8>, to page: inout [UInt8]) {
        var start = 0
        for index in json.indices {
            let byte = json[index]
            guard byte == UInt8(ascii: "<") || byte == 0x0D else { continue }
            page.append(json.extracting(start..<index))
            // A carriage return is white space here, and HTML would turn it into a line end.
            page.append(contentsOf: byte == 0x0D ? " ".utf8 : "\\u003c".utf8)
            start = index + 1
        }
        page.append(json.extracting(start...))
    }
}
