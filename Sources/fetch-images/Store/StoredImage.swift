// A picture in the store, and the note by which the cache remembers it.
//
//     ab12… 8211 jpg 320 240        digest, bytes, extension, width and height; an SVG may have no size

import PipelineCore
package import PipelineHTTP

package struct StoredImage: Equatable, Sendable {
    private static let usualNoteBytes = 128
    /// The most bytes of a path besides the directory and the digest.
    private static let otherBytes = 16

    /// Begins with the store's directory as the user gave it.
    package let path: String
    /// In hexadecimal digits.
    package let sha256: String
    package let bytes: Int
    package let facts: ImageInfo
    /// The damaged file that it replaced.
    var replaced: FileLocation.Status?

    package init(directory: String, sha256: String, bytes: Int, facts: ImageInfo) {
        var path: [UInt8] = []
        path.reserveCapacity(directory.utf8.count + sha256.utf8.count + Self.otherBytes)
        path.append(contentsOf: directory.utf8)
        if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
        path.append(contentsOf: sha256.utf8.prefix(2))
        path.append(UInt8(ascii: "/"))
        path.append(contentsOf: sha256.utf8)
        path.append(UInt8(ascii: "."))
        path.append(contentsOf: facts.type.fileExtension.utf8)
        self.path = String(decoding: path, as: UTF8.self)
        self.sha256 = sha256
        self.bytes = bytes
        self.facts = facts
    }

    /// The file's name in the store: the directory, the digest and the extension.
    var name: String {
        let count = 4 + sha256.utf8.count + facts.type.fileExtension.utf8.count
        return String(decoding: path.utf8.suffix(count), as: UTF8.self)
    }

    /// The digest in the name of a picture's file, such as `ab12….jpg`; nil for another name.
    static func digest(ofFile name: String) -> Substring? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 2 * SHA256.count, SHA256.isHexadecimal(parts[0].utf8),
            ImageType(fileExtension: String(parts[1]).utf8Bytes.span) != nil
        else { return nil }
        return parts[0]
    }

    // MARK: As a note

    /// What the cache keeps instead of the picture.
    package var note: [UInt8] {
        var note = ByteBuffer(capacity: Self.usualNoteBytes)
        note.append(sha256.utf8Bytes.span)
        note.append(0x20)
        note.appendDecimal(UInt64(bytes))
        note.append(0x20)
        note.append(facts.type.fileExtension.utf8Bytes.span)
        for side in [facts.size?.width, facts.size?.height] {
            guard let side else { break }
            note.append(0x20)
            note.appendDecimal(UInt64(side))
        }
        return note.span.array
    }

    /// The picture of a note; nil if the note is invalid.
    package init?(note: [UInt8], in directory: String) {
        var words = FieldReader(note.span)
        guard let digest = words.word(), digest.count == 2 * SHA256.count, let bytes = words.number(),
            let ending = words.word(), let type = ImageType(fileExtension: note.span.extracting(ending))
        else { return nil }
        var size: ImageSize?
        if !words.isAtEnd {
            guard let width = words.number(), let height = words.number(), words.isAtEnd else { return nil }
            size = ImageSize(width: width, height: height)
        }
        self.init(
            directory: directory, sha256: note.span.extracting(digest).text, bytes: bytes,
            facts: ImageInfo(type: type, size: size))
    }
}
