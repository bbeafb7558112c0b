// What can be said of a stored property list without reading all of it.

import PipelineCore

/// The property list that a new one will replace.
struct StoreInspection {
    enum Content {
        /// There is none, or the file is empty.
        case none
        /// A list whose root is empty.
        case empty
        case filled
        /// A file that isn't a property list of records.
        case unreadable
    }

    /// The bytes at the end of an XML list that have its last tag.
    private static let tailBytes = 4096
    private static let damaged = "is damaged or cut off"

    private(set) var content = Content.none
    private(set) var format: PropertyListFormat?
    /// The root is a dictionary, not an array.
    private(set) var isDictionary = false
    /// The user may not read it, so its content counts as unreadable.
    private(set) var isDenied = false
    /// Why it can't be read, as it reads after the file's name; nil if no reason is known.
    private(set) var fault: String?

    /// - Parameter location: nil for no file.
    /// - Throws: `system` only.
    init(_ location: FileLocation?) throws(StoreFailure) {
        let found: Descriptor?
        do throws(SystemError) { found = try location?.reading() } catch {
            guard error.isDenied else { throw .system(error) }
            (content, fault, isDenied) = (.unreadable, "may not be read", true)
            return
        }
        guard let file = found else { return }
        defer { file.closeUnchecked() }
        let size = try StoreFailure.of(file.status().bytes)
        guard size > 0 else { return }
        do throws(StoreFailure) { try readStart(of: file) } catch {
            if case .system = error { throw error }
            let isCut = try Self.text(of: file, at: 0, count: 7) == "bplist0" && size > Self.tailBytes
            (content, format, fault) = (.unreadable, nil, isCut ? Self.damaged : "isn't a property list")
        }
        guard format == .xml, content == .filled else { return }
        let tail = try Self.text(of: file, at: max(size - Self.tailBytes, 0), count: Self.tailBytes)
        if !tail.contains("</plist"), try !Self.isReadable(file) { fault = Self.damaged }
    }

    private mutating func readStart(of file: Descriptor) throws(StoreFailure) {
        var reader = try StoreReader.opened(file)
        let root = try reader.next()
        format = reader.format
        isDictionary = root == .beginDictionary
        let first = isDictionary || root == .beginArray ? try reader.next() : nil
        // An array of anything else is not one of records.
        let holdsRecords = isDictionary || first == .endArray || first == .beginDictionary
        content = !holdsRecords ? .unreadable : first == .endArray || first == .endDictionary ? .empty : .filled
        if !holdsRecords { fault = "is a property list without records" }
    }

    /// The first record of an array as JSON; nil if there is none.
    static func firstRecord(in file: Descriptor) throws(StoreFailure) -> [UInt8]? {
        var store = try StoredRecords.opened(file, layout: StoreLayout())
        var writer = JSONLineWriter(writesNonfiniteAsText: true)
        return try store.next(into: &writer) ? writer.line.array : nil
    }

    /// How many records an array has. In XML the tags of dictionaries are counted, which takes a tenth of the time; if it has
    /// comments or CDATA sections, which may contain any text, elements.
    static func records(in file: Descriptor) throws(StoreFailure) -> Int {
        var reader = try StoreReader.opened(file)
        guard try reader.next() == .beginArray else { return 0 }
        if let count = reader.elements { return count }
        if let count = try outerDictionaries(in: file) { return count }
        var count = 0
        while let part = try reader.next(), part != .endArray {
            count += 1
            try reader.skip(part)
        }
        return count
    }

    /// The number of dictionaries in no other one, by their tags; nil if text may contain such tags.
    private static func outerDictionaries(in file: Descriptor) throws(StoreFailure) -> Int? {
        var tags = DictionaryTags()
        var block = [UInt8](repeating: 0, count: 1 << 18)
        var (offset, kept) = (0, 0)
        while true {
            let filled = try StoreFailure.of(file.read(into: &block, kept..<block.count, at: offset))
            guard filled > 0 else { return tags.depth == 0 ? tags.outer : nil }
            let end = kept + filled
            guard tags.take(block.span.extracting(..<end)) else { return nil }
            offset += filled
            // The end of the block may cut a tag.
            kept = min(DictionaryTags.overlap, end)
            for index in 0..<kept { block[index] = block[end - kept + index] }
        }
    }

    /// Whether all of a list can be read: after its end a comment may stand.
    private static func isReadable(_ file: Descriptor) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            var reader = try StoreReader.opened(file)
            while try reader.next() != nil {}
            return true
        } catch {
            if case .system = error { throw error }
            return false
        }
    }

    private static func text(of file: Descriptor, at offset: Int, count: Int) throws(StoreFailure) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try StoreFailure.of(file.read(into: &bytes, at: offset))
        return String(decoding: bytes.prefix(filled), as: UTF8.self)
    }
}

/// The tags of dictionaries in XML without comments or CDATA sections.
private struct DictionaryTags {
    private static let name = Needle(Array("dict".utf8))
    private static let declaration = Needle(Array("<!".utf8))
    /// Bytes that are read before and after a name.
    private static let around = 2
    /// How much of a block the next one has to begin with.
    static let overlap = name.count + 2 * around - 1

    private(set) var outer = 0
    private(set) var depth = 0

    /// - Returns: false if text may contain such tags, or a tag is written in an unusual way.
    mutating func take(_ block: Span<UInt8>) -> Bool {
        guard block.count > Self.overlap else { return true }
        let names = block.extracting(..<(block.count - Self.around))
        var start = Self.around
        while let index = Self.name.firstIndex(in: names, from: start) {
            start = index + Self.name.count
            if block[index - 1] == UInt8(ascii: "<") {
                guard takeStart(block[start], block[start + 1]) else { return false }
            } else if block[index - 1] == UInt8(ascii: "/"), block[index - 2] == UInt8(ascii: "<") {
                depth -= 1
            }
        }
        start = 0
        while let index = Self.declaration.firstIndex(in: names, from: start) {
            start = index + Self.declaration.count
            let isDocumentType = block[start] == UInt8(ascii: "D")
            guard isDocumentType else { return false }
        }
        return true
    }

    /// - Parameters: the bytes after the name of a tag.
    private mutating func takeStart(_ next: UInt8, _ last: UInt8) -> Bool {
        let isEmpty = next == UInt8(ascii: "/") && last == UInt8(ascii: ">")
        guard isEmpty || next == UInt8(ascii: ">") else { return false }
        if depth == 0 { outer += 1 }
        if !isEmpty { depth += 1 }
        return true
    }
}
