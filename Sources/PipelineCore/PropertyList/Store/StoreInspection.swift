// What can be said of a stored property list without reading all of it.

extension StoreInspection {
    /// A file's content and its format.
    package struct Found: Equatable, Sendable {
        package var content = StoreInspection.none
        package var format: PropertyListFormat?
        /// It starts as a property list and doesn't end as one.
        package var isCutOff = false
        /// The user may not read it, so its content counts as unreadable.
        package var isDenied = false

        package init() {}

        /// Why it can't be read, as it reads after the file's name; nil if no reason is known.
        package var fault: String? {
            if isDenied { return "may not be read" }
            return content == .unreadable ? "isn't a property list" : isCutOff ? "is cut off at its end" : nil
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
    /// A file that isn't a property list.
    case unreadable

    /// A list without records is smaller, in bytes.
    private static let emptyLimit = 4096

    /// Looks at the file.
    package static func at(_ location: FileLocation) throws(SystemError) -> Found {
        var found = Found()
        let opened: Descriptor?
        do throws(SystemError) {
            opened = try location.reading()
        } catch {
            guard error.isDenied else { throw error }
            (found.content, found.isDenied) = (.unreadable, true)
            return found
        }
        guard let file = opened else { return found }
        let size = file.fileSize ?? 0
        let result: Result<(bytes: [UInt8], tail: [UInt8]), SystemError>
        do throws(SystemError) {
            result = .success((try page(of: file, at: 0), try page(of: file, at: max(0, size - emptyLimit))))
        } catch {
            result = .failure(error)
        }
        try file.close()
        let (bytes, tail) = try result.get()
        if bytes.isEmpty { return found }
        let isWhole = bytes.count < emptyLimit
        if bytes.starts(with: Array("bplist0".utf8)) {
            found.content = isWhole ? binary(bytes) : .filled
            found.format = .binary
            found.isCutOff =
                !isWhole && BinaryTrailer(tail.suffix(BinaryTrailer.byteCount), fileSize: size) == nil
        } else {
            found.content = xml(String(decoding: bytes, as: UTF8.self), isWhole: isWhole)
            found.format = found.content == .unreadable ? nil : .xml
            found.isCutOff = found.content == .filled && !String(decoding: tail, as: UTF8.self).contains("</plist")
        }
        return found
    }

    private static func page(of file: Descriptor, at offset: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: emptyLimit)
        let count = try file.read(into: &bytes, at: offset)
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// The trailer has the offset of the top object, whose marker has the count.
    private static func binary(_ bytes: [UInt8]) -> StoreInspection {
        guard let trailer = BinaryTrailer(bytes.suffix(BinaryTrailer.byteCount), fileSize: bytes.count) else {
            return .unreadable
        }
        let entry = trailer.tableOffset + trailer.root * trailer.offsetSize
        let offset = bytes[entry..<entry + trailer.offsetSize].reduce(0) { $0 << 8 | UInt64($1) }
        guard offset < UInt64(trailer.tableOffset) else { return .unreadable }
        return bytes[Int(offset)] == 0xA0 || bytes[Int(offset)] == 0xD0 ? .empty : .filled
    }

    private static func xml(_ text: String, isWhole: Bool) -> StoreInspection {
        guard let start = text.firstRange(of: "<plist") else { return .unreadable }
        let rest = text[start.upperBound...]
        guard isWhole, let end = rest.firstIndex(of: ">") else { return .filled }
        let root = rest[rest.index(after: end)...].filter { !$0.isWhitespace }
        let forms = ["<array/>", "<array></array>", "<dict/>", "<dict></dict>"]
        return forms.contains { root == $0 + "</plist>" } ? .empty : .filled
    }
}
