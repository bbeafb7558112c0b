// `--gallery`: a page of the records and their pictures. Records are gathered in a spill file, as only the last one shows
// whether the page holds its pictures itself, each once, or links them.
//
//     head, style     settings, case folding tables     script     pictures     records  …  end

import PipelineCore
import PipelineHTTP

struct Gallery: ~Copyable {
    /// The size of one element of records, in bytes: the page shows them once the element is complete.
    private static let chunkBytes = 65_536
    /// The bytes of a picture that are written at a time: whole groups of base64.
    private static let pictureBlock = 3 * 16_384
    /// About what the page has around a picture that it holds.
    private static let elementBytes = 192

    private var file: AtomicFile
    private let settings: ImagesSettings
    private let path: String
    private let replacesPage: Bool
    /// Nil until the first record, whose source may give the title.
    private var title: GalleryTitle?
    /// The chunks that are gathered, each its records and then its names, and how long both are.
    private var gathered: SpillFile
    private var chunks: [(records: Int, names: Int)] = []
    /// The records not yet gathered, and for each a line of its name and the files of its pictures, with tabs between.
    private var records: [UInt8] = []
    private var names: [UInt8] = []
    private var count = 0
    /// Finds what the page shows as a record's title, as `addRecord` in records.js does.
    private var titles = ImageRecordReader(
        labels: ImageRecordReader.paths(["$.name[?@ > '']", "name", "title", "id"]))
    /// The pictures that the page is to hold; none if it links them.
    private var held: [StoredImage] = []
    private var heldNames: Set<String> = []
    private var heldBytes = 0
    private var isLinked: Bool

    init(_ settings: ImagesSettings, _ path: String) throws(ToolFailure) {
        let cure = "choose another --gallery"
        let status = FileLocation.status(ofPath: path)
        var location: FileLocation?
        if status?.isRegular ?? true {
            location = try ToolFailure.of(.cannotCreate, orElse: cure, FileLocation(path))
            location?.removeAbandoned()
        }
        let isOld = status?.isRegular == true && status?.bytes != 0
        if isOld, try ToolFailure.of(.cannotCreate, orElse: cure, Self.holdsData(path)) {
            throw ToolFailure(.cannotCreate, "\(path) holds data, which a web page would replace; \(cure)")
        }
        file = try ToolFailure.of(.cannotCreate, orElse: cure, AtomicFile.begin(path))
        gathered = SpillFile(beside: location)
        self.settings = settings
        self.path = path
        isLinked = settings.linksPictures
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
        if title == nil {
            title = GalleryTitle(path: path, source: (try? JSONTree.read(line.span))?["source"]?.string)
        }
        for image in images { hold(image) }
        GalleryText.append(json: line.span, to: &records)
        records.append(0x0A)
        count += 1
        let labels = (try? titles.read(line.span))?.record.labels ?? []
        let name = labels.lazy.compactMap { $0 }.first { $0.contains { $0 > " " } } ?? "Record \(count)"
        GalleryText.append(name.utf8Bytes.span, to: &names)
        for image in images { names += "\t\(image.name)".utf8 }
        names.append(0x0A)
        if records.count >= Self.chunkBytes { try endChunk() }
    }

    /// Notes a picture for the page to hold. With too many bytes of them it links all.
    private mutating func hold(_ image: StoredImage) {
        guard !isLinked, heldNames.insert(image.sha256).inserted else { return }
        heldBytes += image.bytes + Self.elementBytes
        held.append(image)
        guard heldBytes > settings.galleryLimitBytes else { return }
        isLinked = true
        held = []
        heldNames = []
    }

    private mutating func endChunk() throws(ToolFailure) {
        guard !records.isEmpty else { return }
        chunks.append((records.count, names.count))
        let (chunk, lines) = (records, names)
        gathered.append(chunk.span)
        gathered.append(lines.span)
        (records, names) = ([], [])
        try ToolFailure.of(gathered.settle())
    }

    // MARK: The page

    /// Writes the page and renames it into place; after a signal the old page stays.
    mutating func finish(_ diagnostics: Diagnostics) throws(ToolFailure) {
        guard !Signals.isRequested else { return file.discard() }
        if title == nil, replacesPage {
            diagnostics.warning("no records arrived; \(path) stays as it is")
            return file.discard()
        }
        try endChunk()
        let links = isLinked ? GalleryLinks.directory(settings.directory, from: path) : nil
        let page = GalleryPage(
            title ?? GalleryTitle(path: path, source: nil), member: settings.pictures.memberName, links: links)
        try append(page.head)
        for image in held where !Signals.isRequested { try write(image) }
        var offset = 0
        for chunk in chunks where !Signals.isRequested {
            try write(chunk, at: offset, links)
            offset += chunk.records + chunk.names
        }
        guard !Signals.isRequested else { return file.discard() }
        try append(page.end)
        try ToolFailure.of(file.commit())
    }

    private mutating func write(_ image: StoredImage) throws(ToolFailure) {
        let bytes = try image.contents()
        let type = image.facts.type.mediaType
        try append("<script type=\"text/plain\" class=\"picture\" id=\"p-\(image.sha256)\" data-type=\"\(type)\">")
        for start in stride(from: 0, to: bytes.count, by: Self.pictureBlock) {
            let block = bytes.span.extracting(start..<min(start + Self.pictureBlock, bytes.count))
            try append(Base64.encoded(block))
        }
        try append("</script>\n")
    }

    private mutating func write(_ chunk: (records: Int, names: Int), at offset: Int, _ links: String?)
        throws(ToolFailure)
    {
        try append("<script type=\"text/plain\" class=\"records\">")
        try append(try gathered(chunk.records, at: offset))
        try append("</script>\n<noscript><ul>")
        for line in try gathered(chunk.names, at: offset + chunk.records).split(separator: 0x0A) {
            try append(GalleryLinks.item(line, links))
        }
        try append("</ul></noscript>\n")
    }

    private func gathered(_ count: Int, at offset: Int) throws(ToolFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try ToolFailure.of(gathered.read(into: &bytes, at: offset))
        guard filled == count else {
            throw ToolFailure(.inputOutput, "a temporary file of \(path) was cut short; check the disk")
        }
        return bytes
    }

    private mutating func append(_ text: String) throws(ToolFailure) { try append(Array(text.utf8)) }

    private mutating func append(_ bytes: [UInt8]) throws(ToolFailure) {
        try ToolFailure.of(file.append(bytes.span))
    }
}
