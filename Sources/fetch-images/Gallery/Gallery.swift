// `--gallery`: a self-contained page of the records and their pictures. It is written along with the records, so
// only a few of them are in memory. It contains each picture once, however many records show it.
//
//     head, style     settings, case folding tables     script     pictures  records  pictures  records  …  end

import PipelineCore
import PipelineHTTP

struct Gallery: ~Copyable {
    /// The size of one element of records, in bytes: the page shows them once the element is complete.
    private static let chunkBytes = 65_536
    /// The bytes of a picture that are written at a time: whole groups of base64.
    private static let pictureBlock = 3 * 16_384

    private var file: AtomicFile
    /// The page around the records; nil until the first record, whose source may give the title.
    private var page: GalleryPage?
    private let settings: ImagesSettings
    private let path: String
    /// The records not yet written, and their names as a list.
    private var records: [UInt8] = []
    private var names: [UInt8] = []
    private var count = 0
    /// Finds what the page shows as a record's title, as `addRecord` in records.js does.
    private var titles = ImageRecordReader(
        labels: ImageRecordReader.paths(["$.name[?@ > '']", "name", "title", "id"]), added: "")
    private var pictures: Set<String> = []
    private var pictureBytes = 0
    private var withoutRoom = 0
    private let replacesPage: Bool

    init(_ settings: ImagesSettings, _ path: String) throws(ToolFailure) {
        let cure = "choose another --gallery"
        let status = FileLocation.status(ofPath: path)
        if status?.isRegular ?? true {
            try ToolFailure.of(.cannotCreate, orElse: cure, FileLocation(path).removeAbandoned())
        }
        let isOld = status?.isRegular == true && status?.bytes != 0
        if isOld, try ToolFailure.of(.cannotCreate, orElse: cure, Self.holdsData(path)) {
            throw ToolFailure(.cannotCreate, "\(path) holds data, which a web page would replace; \(cure)")
        }
        file = try ToolFailure.of(.cannotCreate, orElse: cure, AtomicFile.begin(path))
        self.settings = settings
        self.path = path
        replacesPage = isOld
    }

    /// Whether the file begins as a store or as JSON does, or under another name not as a page: nobody wants to lose it.
    private static func holdsData(_ path: String) throws(SystemError) -> Bool {
        let file = try Descriptor.reading(path)
        defer { file.closeUnchecked() }
        let start = try file.bytes(StoreFormat.startBytes)
        let text = start.span.text
        let isOther = !text.isEmpty && !path.hasSuffix(".html") && !text.hasPrefix("<")
        return isOther || StoreFormat.of(start: start) != nil || text.hasPrefix("{") || text.hasPrefix("[")
    }

    mutating func add(_ record: ImageRecord, _ member: Span<UInt8>, _ images: [StoredImage]) throws(ToolFailure) {
        let line = record.adding(member, hasData: !images.isEmpty)
        if page == nil { try beginPage(source: (try? JSONTree.read(line.span))?["source"]?.string) }
        for image in images { try add(image) }
        GalleryText.append(json: line.span, to: &records)
        records.append(0x0A)
        count += 1
        names.append(contentsOf: "<li>".utf8)
        let title = (try? titles.read(line.span))?.labels.lazy.compactMap { $0 }.first { $0.contains { $0 > " " } }
        GalleryText.append((title ?? "Record \(count)").utf8Bytes.span, to: &names)
        if records.count >= Self.chunkBytes { try endChunk() }
    }

    /// Completes the page and renames it into place; after a signal the old page stays.
    mutating func finish(_ diagnostics: Diagnostics) throws(ToolFailure) {
        guard !Signals.isRequested else { return file.discard() }
        if page == nil, replacesPage {
            diagnostics.warning("no records arrived; \(path) stays as it is")
            return file.discard()
        }
        if page == nil { try beginPage(source: nil) }
        try endChunk()
        try append(page?.end ?? [])
        try ToolFailure.of(file.commit())
        guard withoutRoom > 0 else { return }
        diagnostics.warning(
            "\(path) has no room for \(withoutRoom) of its pictures, beyond "
                + "\(settings.galleryLimitBytes >> 20) MiB in all; make several of fewer records, or --max-bytes leaves out large ones"
        )
    }

    // MARK: Parts

    /// - Parameter source: the first record's.
    private mutating func beginPage(source: String?) throws(ToolFailure) {
        let title = GalleryTitle(path: path, source: source)
        let page = GalleryPage(title)
        self.page = page
        try append(page.head)
    }

    private mutating func add(_ image: StoredImage) throws(ToolFailure) {
        guard !pictures.contains(image.sha256) else { return }
        guard image.bytes <= settings.galleryLimitBytes - pictureBytes else { return withoutRoom += 1 }
        pictures.insert(image.sha256)
        pictureBytes += image.bytes
        let bytes = try image.contents()
        let type = image.facts.type.mediaType
        try append("<script type=\"text/plain\" class=\"picture\" id=\"p-\(image.sha256)\" data-type=\"\(type)\">")
        for start in stride(from: 0, to: bytes.count, by: Self.pictureBlock) {
            let block = bytes.span.extracting(start..<min(start + Self.pictureBlock, bytes.count))
            try append(Base64.encoded(block))
        }
        try append("</script>\n")
    }

    private mutating func endChunk() throws(ToolFailure) {
        guard !records.isEmpty else { return }
        try append("<script type=\"text/plain\" class=\"records\">")
        try append(records)
        try append("</script>\n<noscript><ul>")
        try append(names)
        try append("</ul></noscript>\n")
        records.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ text: String) throws(ToolFailure) { try append(Array(text.utf8)) }

    private mutating func append(_ bytes: [UInt8]) throws(ToolFailure) {
        try ToolFailure.of(file.append(bytes.span))
    }
}

/// The page: page.html, with the style and the scripts inserted, and with a policy that allows only these, by their
/// digests (CSP Level 3, section 2.3.1). The build embeds the files in Page.
struct GalleryPage {
    /// Markup, style and script, and the data that the script needs.
    private(set) var head: [UInt8] = []
    private(set) var end: [UInt8] = []

    init(_ title: GalleryTitle) {
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
            case "title", "heading": GalleryText.append(Array(title.text.utf8).span, to: &self.end)
            case "data": Self.appendData(title, to: &self.end)
            case "records": swap(&head, &self.end)
            case let name: preconditionFailure("page.html has a mark that nothing replaces: \(name)")
            }
            rest = rest[(end + 2)...]
        }
        end += rest
    }

    /// A digest in the form of a policy.
    private static func source(_ digest: [UInt8]) -> [UInt8] {
        "'sha256-".utf8 + Base64.encoded(digest.span) + "'".utf8
    }

    private static func appendData(_ title: GalleryTitle, to page: inout [UInt8]) {
        let settings = ByteBuffer.object { object in
            if let source = title.source {
                object.addMember("source", source)
                object.addMember("fileName", title.fileName)
            }
            object.addMember("folding") {
                $0.addMember("shift", Int(FoldingTables.blockShift))
                $0.addMember("count", FoldingTables.stageCount)
            }
        }
        page += "<script type=\"application/json\" id=\"settings\">".utf8
        GalleryText.append(json: settings.span, to: &page)
        page += "</script>\n".utf8
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
