// What can be said of a stored property list without reading all of it.

extension StoreInspection {
    /// A file's content and its format.
    package struct Found: Equatable, Sendable {
        package var content = StoreInspection.none
        package var format: PropertyListFormat?
        /// It starts as a property list and doesn't end as one, or is a binary one that can't be read.
        package var isCutOff = false
        /// The user may not read it, so its content counts as unreadable.
        package var isDenied = false
        /// It is a property list whose root can't hold records.
        package var isOther = false
        /// The root is a dictionary, not an array.
        package var isDictionary = false

        package init() {}

        /// Why it can't be read, as it reads after the file's name; nil if no reason is known.
        package var fault: String? {
            if isDenied { return "may not be read" }
            if isOther { return "is a property list without records" }
            return isCutOff ? "is damaged or cut off" : content == .unreadable ? "isn't a property list" : nil
        }
    }
}

/// The property list that a new one will replace.
package enum StoreInspection: Equatable, Sendable {
    /// There is none, or the file is empty.
    case none
    /// A list whose root is empty.
    case empty
    case filled
    /// A file that isn't a property list of records.
    case unreadable

    /// The bytes at the end of an XML list that have its last tag.
    private static let tailBytes = 4096

    /// Looks at the file.
    package static func at(_ location: FileLocation) throws(SystemError) -> Found {
        let opened: Descriptor?
        do throws(SystemError) {
            opened = try location.reading()
        } catch {
            guard error.isDenied else { throw error }
            var found = Found()
            (found.content, found.isDenied) = (.unreadable, true)
            return found
        }
        guard let file = opened else { return Found() }
        let found = Result { () throws(SystemError) in try inspect(file) }
        try file.close()
        return try found.get()
    }

    private static func inspect(_ file: Descriptor) throws(SystemError) -> Found {
        var found = Found()
        let size = try file.status().bytes
        guard size > 0 else { return found }
        do throws(StoreReadError) {
            var reader = try StoreReader.opened(file)
            let root = try reader.next()
            found.format = reader.format
            guard root == .beginArray || root == .beginDictionary else {
                (found.content, found.isOther) = (.unreadable, true)
                return found
            }
            found.isDictionary = root == .beginDictionary
            let first = try reader.next()
            found.content = first == .endArray || first == .endDictionary ? .empty : .filled
            // An array of anything else is not one of records.
            if root == .beginArray, first != .endArray, first != .beginDictionary {
                (found.content, found.isOther) = (.unreadable, true)
                return found
            }
        } catch {
            if case .system(let error) = error { throw error }
            (found.content, found.format) = (.unreadable, nil)
        }
        if found.content == .unreadable, size > tailBytes { found.isCutOff = try isBinary(file) }
        if found.format == .xml, found.content == .filled {
            var tail = [UInt8](repeating: 0, count: min(size, tailBytes))
            let count = try file.read(into: &tail, at: size - tail.count)
            let endsSo = String(decoding: tail.prefix(count), as: UTF8.self).contains("</plist")
            if !endsSo { found.isCutOff = try !isReadable(file) }
        }
        return found
    }

    /// Whether all of a list can be read: after its end a comment may stand.
    private static func isReadable(_ file: Descriptor) throws(SystemError) -> Bool {
        do throws(StoreReadError) {
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
