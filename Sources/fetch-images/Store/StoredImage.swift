// A picture that is in the store, and the note by which the cache remembers it.
//
//     ab12… 8211 jpg 320 240        digest, bytes, extension, width and height; nothing behind the extension where an
//                                   SVG doesn't tell

import PipelineCore

/// Where it is and what is known of it.
package struct StoredImage: Equatable, Sendable {
    /// The file's name in the store.
    let name: String
    /// Begins with the store's directory as the user gave it.
    package let path: String
    /// In hexadecimal digits.
    package let sha256: String
    package let bytes: Int
    package let facts: ImageFacts

    package init(directory: String, sha256: String, bytes: Int, facts: ImageFacts) {
        var name = Array(sha256.utf8.prefix(2))
        name.append(UInt8(ascii: "/"))
        name += sha256.utf8
        name.append(UInt8(ascii: "."))
        name += facts.type.fileExtension.utf8
        self.name = String(decoding: name, as: UTF8.self)
        path = ImageStore.joined(directory, self.name)
        self.sha256 = sha256
        self.bytes = bytes
        self.facts = facts
    }

    // MARK: As a note

    /// What the cache keeps in place of the picture.
    package var note: [UInt8] {
        let size = facts.size.map { " \($0.width) \($0.height)" } ?? ""
        return Array("\(sha256) \(bytes) \(facts.type.fileExtension)\(size)".utf8)
    }

    /// Whether the store has it, in its length.
    var isThere: Bool {
        guard let status = FilePlace.status(ofPath: path) else { return false }
        return status.isRegular && status.bytes == bytes
    }

    /// The picture of a note, nil where the note is none.
    package init?(note: [UInt8], in directory: String) {
        let words = note.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3 || words.count == 5, words[0].utf8.count == 64, let bytes = Int(words[1]),
            let type = ImageType.allCases.first(where: { $0.fileExtension == words[2] })
        else { return nil }
        var size: ImageSize?
        if words.count == 5 {
            guard let width = Int(words[3]), let height = Int(words[4]) else { return nil }
            size = ImageSize(width: width, height: height)
        }
        self.init(
            directory: directory, sha256: words[0], bytes: bytes, facts: ImageFacts(type: type, size: size))
    }
}
