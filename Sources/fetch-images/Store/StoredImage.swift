// A picture that is in the store, and the note by which the cache remembers it.
//
//     ab12… 8211 jpg 320 240        digest, bytes, extension, width and height; nothing behind the extension where an
//                                   SVG doesn't tell

import PipelineCore

/// Where it is and what is known of it.
package struct StoredImage: Equatable, Sendable {
    /// Of a path, beside the directory and the digest, at most.
    private static let otherBytes = 16

    /// Begins with the store's directory as the user gave it.
    package let path: String
    /// In hexadecimal digits.
    package let sha256: String
    package let bytes: Int
    package let facts: ImageFacts

    package init(directory: String, sha256: String, bytes: Int, facts: ImageFacts) {
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

    /// The file's name in the store: the folder, the digest and the extension.
    var name: String {
        let count = 4 + sha256.utf8.count + facts.type.fileExtension.utf8.count
        return String(decoding: path.utf8.suffix(count), as: UTF8.self)
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
        let words = note.split(separator: 0x20)
        guard words.count == 3 || words.count == 5, words[0].count == 64, let bytes = Self.number(words[1]),
            let type = Self.type(words[2])
        else { return nil }
        var size: ImageSize?
        if words.count == 5 {
            guard let width = Self.number(words[3]), let height = Self.number(words[4]) else { return nil }
            size = ImageSize(width: width, height: height)
        }
        self.init(
            directory: directory, sha256: String(decoding: words[0], as: UTF8.self), bytes: bytes,
            facts: ImageFacts(type: type, size: size))
    }

    private static let types = ImageType.allCases

    private static func type(_ fileExtension: ArraySlice<UInt8>) -> ImageType? {
        let text = String(decoding: fileExtension, as: UTF8.self)
        return types.first { $0.fileExtension == text }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit), number < Int.max / 16 else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return digits.isEmpty ? nil : number
    }
}
