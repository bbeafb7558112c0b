// What can be said of a stored property list without reading all of it.

import PipelineCore

/// The property list that a new one will replace.
struct StoreInspection: Equatable {
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

    private(set) var content = Content.none
    private(set) var format: PropertyListFormat?
    /// It starts as a property list and doesn't end as one, or is a binary one that can't be read.
    private(set) var isCutOff = false
    /// The user may not read it, so its content counts as unreadable.
    private(set) var isDenied = false
    /// It is a property list whose root can't hold records.
    private var isOther = false
    /// The root is a dictionary, not an array.
    private(set) var isDictionary = false

    /// Of no file.
    init() {}

    init(_ location: FileLocation) throws(SystemError) {
        let file: Descriptor?
        do throws(SystemError) {
            file = try location.reading()
        } catch {
            guard error.isDenied else { throw error }
            (content, isDenied) = (.unreadable, true)
            return
        }
        guard let file else { return }
        let result = Result { () throws(SystemError) in try inspect(file) }
        try file.close()
        try result.get()
    }

    /// Why it can't be read, as it reads after the file's name; nil if no reason is known.
    var fault: String? {
        if isDenied { return "may not be read" }
        if isOther { return "is a property list without records" }
        return isCutOff ? "is damaged or cut off" : content == .unreadable ? "isn't a property list" : nil
    }

    private mutating func inspect(_ file: Descriptor) throws(SystemError) {
        let size = try file.status().bytes
        guard size > 0 else { return }
        do throws(StoreFailure) {
            try readStart(of: file)
        } catch {
            if case .system(let error) = error { throw error }
            (content, format) = (.unreadable, nil)
            if size > Self.tailBytes { isCutOff = try Self.isBinary(file) }
        }
        guard format == .xml, content == .filled else { return }
        var tail = [UInt8](repeating: 0, count: min(size, Self.tailBytes))
        let count = try file.read(into: &tail, at: size - tail.count)
        if String(decoding: tail.prefix(count), as: UTF8.self).contains("</plist") { return }
        isCutOff = try !Self.isReadable(file)
    }

    private mutating func readStart(of file: Descriptor) throws(StoreFailure) {
        var reader = try StoreReader.opened(file)
        let root = try reader.next()
        format = reader.format
        isDictionary = root == .beginDictionary
        isOther = root != .beginArray && root != .beginDictionary
        if !isOther {
            let first = try reader.next()
            content = first == .endArray || first == .endDictionary ? .empty : .filled
            // An array of anything else is not one of records.
            isOther = root == .beginArray && first != .endArray && first != .beginDictionary
        }
        if isOther { content = .unreadable }
    }

    /// Whether all of a list can be read: after its end a comment may stand.
    private static func isReadable(_ file: Descriptor) throws(SystemError) -> Bool {
        do throws(StoreFailure) {
            var reader = try StoreReader.opened(file)
            while try reader.next() != nil {}
            return true
        } catch {
            if case .system(let error) = error { throw error }
            return false
        }
    }

    private static func isBinary(_ file: Descriptor) throws(SystemError) -> Bool {
        var head = [UInt8](repeating: 0, count: 7)
        _ = try file.read(into: &head, at: 0)
        return head == Array("bplist0".utf8)
    }
}
