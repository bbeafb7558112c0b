// What can be told of a stored property list without reading all of it.

extension StoredFile {
    /// A file's content and its form.
    package struct Found: Equatable, Sendable {
        package var content = StoredFile.none
        package var format: PropertyListFormat?

        package init() {}
    }
}

/// The property list that stands where a new one shall go.
package enum StoredFile: Equatable, Sendable {
    /// There is none, or a file without a byte.
    case none
    /// One whose root has nothing in it.
    case empty
    case filled
    /// A file that isn't a property list.
    case unreadable

    /// A list without records is smaller; in bytes.
    private static let emptyLimit = 4096

    /// Looks at the file.
    package static func at(_ place: FilePlace) throws(SystemError) -> Found {
        var found = Found()
        guard let file = try place.reading() else { return found }
        var bytes = [UInt8](repeating: 0, count: emptyLimit)
        let result: Result<Int, SystemError>
        do throws(SystemError) {
            result = .success(try file.read(into: &bytes, at: 0))
        } catch {
            result = .failure(error)
        }
        try file.close()
        let count = try result.get()
        if count == 0 { return found }
        bytes.removeLast(bytes.count - count)
        let isWhole = count < emptyLimit
        if bytes.starts(with: Array("bplist0".utf8)) {
            found.content = isWhole ? binary(bytes) : .filled
            found.format = .binary
        } else {
            found.content = xml(String(decoding: bytes, as: UTF8.self), isWhole: isWhole)
            found.format = found.content == .unreadable ? nil : .xml
        }
        return found
    }

    /// The trailer tells where the top object is; its marker has the count.
    private static func binary(_ bytes: [UInt8]) -> StoredFile {
        guard bytes.count > 40 else { return .unreadable }
        let trailer = bytes.suffix(32)
        func number(_ offset: Int) -> UInt64 {
            trailer.dropFirst(offset).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let offsetSize = UInt64(trailer[trailer.startIndex + 6])
        let (entry, overflow) = number(16).multipliedReportingOverflow(by: offsetSize)
        let (start, carry) = entry.addingReportingOverflow(number(24))
        let end = UInt64(bytes.count - 32)
        guard !overflow, !carry, (1...8).contains(offsetSize), start <= end - offsetSize else { return .unreadable }
        let offset = bytes[Int(start)..<Int(start + offsetSize)].reduce(0) { $0 << 8 | UInt64($1) }
        guard offset < end else { return .unreadable }
        return bytes[Int(offset)] == 0xA0 || bytes[Int(offset)] == 0xD0 ? .empty : .filled
    }

    private static func xml(_ text: String, isWhole: Bool) -> StoredFile {
        guard let start = text.firstRange(of: "<plist") else { return .unreadable }
        let rest = text[start.upperBound...]
        guard isWhole, let end = rest.firstIndex(of: ">") else { return .filled }
        let root = rest[rest.index(after: end)...].filter { !$0.isWhitespace }
        let forms = ["<array/>", "<array></array>", "<dict/>", "<dict></dict>"]
        return forms.contains { root == $0 + "</plist>" } ? .empty : .filled
    }
}
