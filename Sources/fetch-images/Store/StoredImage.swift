// The directory of pictures. Each is named by its content, so a picture with three URLs is stored once, and a
// file's name shows whether it is intact.
//
//     images/ab/ab12….jpg        the SHA-256 of its bytes; the extension depends on its bytes too

import PipelineCore
package import PipelineHTTP
import Synchronization

/// A picture in the store, and the note by which the cache remembers it.
///
///     ab12… 8211 jpg 320 240        digest, bytes, extension, width and height; an SVG may have no size
package struct StoredImage: Equatable, Sendable {
    private let directory: String
    let name: String
    /// In hexadecimal digits.
    package let sha256: String
    package let bytes: Int
    package let facts: ImageInfo
    /// The damaged file that it replaced.
    var replaced: FileLocation.Status?

    package init(directory: String, sha256: String, bytes: Int, facts: ImageInfo) {
        name = "\(sha256.prefix(2))/\(sha256).\(facts.type.fileExtension)"
        self.directory = directory
        self.sha256 = sha256
        self.bytes = bytes
        self.facts = facts
    }

    /// Begins with the store's directory as the user gave it.
    package var path: String { StoreDirectory.joined(directory, name) }

    /// The digest in the name of a picture's file, such as `ab12….jpg`; nil for another name.
    static func digest(ofFile name: String) -> Substring? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 2 * SHA256.count, parts[0].utf8.areHexadecimal,
            ImageType(rawValue: String(parts[1])) != nil
        else { return nil }
        return parts[0]
    }

    /// - Throws: status 66 if the file can't be read.
    static func digest(ofFileAt path: String) throws(ToolFailure) -> String {
        let bytes = try ToolFailure.of(
            .noInput, orElse: "check the store", Descriptor.contents(of: path, limitBytes: .max))
        return SHA256.hexadecimal(SHA256.digest(bytes.span))
    }

    func contents() throws(ToolFailure) -> [UInt8] {
        do throws(SystemError) {
            let contents = try Descriptor.contents(of: path, limitBytes: bytes)
            if contents.count == bytes { return contents }
        } catch {
            guard error.isTooLarge else { throw ToolFailure(error) }
        }
        throw ToolFailure(.inputOutput, "\(path) was changed during the run; leave the store alone")
    }

    /// What the cache keeps instead of the picture.
    package var note: [UInt8] {
        let size = facts.size.map { " \($0.width) \($0.height)" } ?? ""
        return Array("\(sha256) \(bytes) \(facts.type.fileExtension)\(size)".utf8)
    }

    package init?(note: [UInt8], in directory: String) {
        var words = FieldReader(note.span)
        guard let digest = words.word(), digest.count == 2 * SHA256.count, let bytes = words.number(),
            let ending = words.word(), let type = ImageType(rawValue: note.span.extracting(ending).text)
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

/// The store as a run looks into it. A picture's time says when a run last named it, for --prune: looking for a picture sets
/// it to now. Meanwhile the directory is open, which keeps other runs from removing anything.
final class StoreDirectory: Sendable {
    let path: String
    /// For the first picture that is written or looked for; to be read only, where it can't be written to.
    private let opened = Mutex<AtomicDirectory?>(nil)
    /// Pictures that go into a record or a page are verified: a length doesn't show what a disk has lost.
    private let readsPictures: Bool

    init(_ settings: ImagesSettings) {
        path = settings.directory
        readsPictures = settings.readsPictures
    }

    /// The open directory, created if missing; other users may read its files.
    func files() throws(SystemError) -> AtomicDirectory {
        try opened.withLock { (opened) throws(SystemError) in
            if let opened, !opened.isReadOnly { return opened }
            let directory = try AtomicDirectory(path, isPrivate: false)
            opened = directory
            return directory
        }
    }

    /// The directory, if it exists: open to be written where that is possible, as other runs then see that it is used.
    private var existing: AtomicDirectory? {
        if let directory = opened.withLock({ $0 }) { return directory }
        guard FileLocation.status(ofPath: path)?.isDirectory == true else { return nil }
        do throws(SystemError) { return try files() } catch {
            // A run that prunes has it: looking without the lock would be too soon.
            guard !error.isBusy else { return nil }
        }
        return opened.withLock { opened in
            opened = try? AtomicDirectory(reading: path)
            return opened
        }
    }

    /// Whether files in it couldn't be marked as used, as they belong to another user.
    var hasUnmarkedFiles: Bool { opened.withLock { $0?.hasUnmarkedFiles == true } }

    /// For a picture that a record is going to name.
    func holds(_ image: StoredImage) -> Bool {
        guard let files = existing, files.status(of: image.name)?.bytes == image.bytes,
            !readsPictures || (try? StoredImage.digest(ofFileAt: image.path)) == image.sha256
        else { return false }
        return files.touch(image.name)
    }

    static func joined(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    func picture(ofNote note: [UInt8]) -> HTTPClient.NotedBody {
        guard let image = StoredImage(note: note, in: path) else {
            return ImageFault(note: note) == nil ? .lost : .unusable
        }
        return holds(image) ? .held : .lost
    }
}
