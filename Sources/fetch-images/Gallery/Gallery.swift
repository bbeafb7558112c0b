// `--gallery`: a self-contained page of the records and their pictures. It is written along with the records, so
// only a few of them are in memory. Each picture is in it once, however many records show it.
//
//     head, style     settings, case folding tables     script     pictures  records  pictures  records  …  end

import PipelineCore
import PipelineHTTP

/// An unfinished page.
struct Gallery: ~Copyable {
    /// The size of one element of records, in bytes: the page shows them once the element is complete.
    private static let chunkBytes = 65_536
    /// The bytes of a picture that are written at a time: whole groups of base64.
    private static let pictureBlock = 3 * 16_384

    private var file: AtomicFile
    private let page: GalleryPage
    private let path: String
    private let limitBytes: Int
    /// The records not yet written, and their names as a list.
    private var records: [UInt8] = []
    private var names: [UInt8] = []
    /// Digests of the pictures in the page.
    private var pictures: Set<String> = []
    private var pictureBytes = 0
    /// Records whose picture didn't fit.
    private var withoutRoom = 0

    private init(_ file: consuming AtomicFile, _ page: GalleryPage, _ path: String, limitBytes: Int) {
        self.file = file
        self.page = page
        self.path = path
        self.limitBytes = limitBytes
    }

    /// Begins the page, if one is requested.
    /// - Throws: status 73 if the file can't be created.
    static func begin(_ settings: ImagesSettings) throws(ToolFailure) -> Gallery? {
        guard let path = settings.galleryPath else { return nil }
        let page = try GalleryPage()
        let file: AtomicFile
        do throws(SystemError) {
            if FileLocation.status(ofPath: path)?.isRegular ?? true { try FileLocation(path).removeAbandoned() }
            file = try AtomicFile.begin(path)
        } catch {
            throw ToolFailure(.cannotCreate, error.advice(orElse: "choose another --gallery"))
        }
        var gallery = Gallery(file, page, path, limitBytes: settings.galleryLimitBytes)
        let title = settings.galleryTitle ?? GalleryHead.title(path)
        try gallery.append(GalleryHead.text(page, title: title, settings.memberName).span)
        return gallery
    }

    /// Adds a record.
    /// - Parameter member: the member that describes its picture.
    mutating func add(_ record: ImageRecord, _ member: Span<UInt8>, _ image: StoredImage?) throws(ToolFailure) {
        if let image { try add(image) }
        let line = record.adding(member, hasData: image != nil)
        GalleryText.append(json: line.span, to: &records)
        records.append(0x0A)
        if let name = GalleryName.text(of: line.span) {
            names.append(contentsOf: "<li>".utf8)
            GalleryText.append(name.span, to: &names)
        }
        if records.count >= Self.chunkBytes { try endChunk() }
    }

    /// Ends the page and gives it its name; a run that a signal ended keeps the old page.
    mutating func finish(_ diagnostics: Diagnostics) throws(ToolFailure) {
        guard !Signals.isRequested else { return file.discard() }
        try endChunk()
        try append(page.end.span)
        do throws(SystemError) { try file.commit() } catch { throw ToolFailure(error) }
        guard withoutRoom > 0 else { return }
        diagnostics.warning(
            "\(path) has no room for the pictures of \(withoutRoom) of its records, beyond "
                + "\(limitBytes >> 20) MiB in all; make several of fewer records, or --max-bytes leaves out large ones"
        )
    }

    // MARK: Parts

    /// Writes a picture that isn't yet in the page, if there is room.
    private mutating func add(_ image: StoredImage) throws(ToolFailure) {
        guard !pictures.contains(image.sha256) else { return }
        guard image.bytes <= limitBytes - pictureBytes else {
            withoutRoom += 1
            return
        }
        pictures.insert(image.sha256)
        pictureBytes += image.bytes
        let bytes = try ImageStore.bytes(of: image)
        let type = image.facts.type.mediaType
        try append("<script type=\"text/plain\" class=\"picture\" id=\"p-\(image.sha256)\" data-type=\"\(type)\">")
        var text: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Self.pictureBlock)
            text.removeAll(keepingCapacity: true)
            Base64.append(bytes.span.extracting(start..<end), to: &text)
            try append(text)
            start = end
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

    // MARK: Output

    private mutating func append(_ text: String) throws(ToolFailure) { try append(Array(text.utf8)) }

    private mutating func append(_ bytes: [UInt8]) throws(ToolFailure) { try append(bytes.span) }

    private mutating func append(_ bytes: Span<UInt8>) throws(ToolFailure) {
        do throws(SystemError) { try file.append(bytes) } catch { throw ToolFailure(error) }
    }
}
