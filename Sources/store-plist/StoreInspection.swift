// What can be said of a stored property list without reading all of it.

import PipelineCore

struct StoreInspection {
    enum Content {
        /// There is none, or the file is empty.
        case none
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
    /// Why it can't be read, as it reads after the file's name; nil if no reason is known.
    private(set) var fault: String?

    /// - Throws: `system` only.
    init(_ location: FileLocation?) throws(StoreFailure) {
        let found: Descriptor?
        do throws(SystemError) { found = try location?.reading() } catch {
            guard error.isDenied else { throw .system(error) }
            (content, fault) = (.unreadable, "may not be read")
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

    /// Why the file isn't a store of this layout, and what to do other than to replace it; nil if it is one.
    func fault(in layout: StoreLayout) -> (what: String, cure: String)? {
        if let fault { return (fault, "") }
        let needsDictionary = layout.isKeyed || layout.root != nil
        guard content == .filled, isDictionary != needsDictionary else { return nil }
        return needsDictionary
            ? ("is an array", "leave out \(layout.root == nil ? "--keyed" : "--root") to keep it so, ")
            : ("is a dictionary, not an array of records", "--root or --keyed says where they are, ")
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
