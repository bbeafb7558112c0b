// The directory of pictures: each named by its content, so that one picture at three URLs is there once, and so that a
// file's name tells whether it is whole.
//
//     images/ab/ab12….jpg        the SHA-256 of its bytes; the extension by its bytes too

package import PipelineCore
import PipelineHTTP

/// Stores pictures.
package struct ImageStore {
    private let directory: String
    private let pixelLimit: Int
    let digest: SHA256
    /// Made when the first picture comes.
    private var folder: WholeFileFolder?

    /// - Parameters:
    ///   - directory: as the user gave it; made when the first picture comes.
    ///   - pixelLimit: the most pixels of a picture.
    package init(_ directory: String, pixelLimit: Int) throws(ToolFailure) {
        self.directory = directory
        self.pixelLimit = pixelLimit
        digest = try SHA256()
    }

    /// Judges the bytes and keeps them.
    /// - Throws: what ends the run; a fault of the picture's own is the result.
    package mutating func keep(_ bytes: Span<UInt8>) throws(ToolFailure) -> Result<StoredImage, ImageFault> {
        let facts: ImageFacts
        do throws(ImageFault) {
            facts = try ImageFacts(of: bytes, pixelLimit: pixelLimit)
        } catch {
            return .failure(error)
        }
        var image = StoredImage(
            directory: directory, sha256: SHA256.hexadecimal(digest.digest(bytes)), bytes: bytes.count, facts: facts
        )
        image.replaced = try write(bytes, image)
        return .success(image)
    }

    /// The bytes of a picture that was kept.
    package static func bytes(of image: StoredImage) throws(ToolFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: image.bytes)
        let count: Int
        do throws(SystemError) {
            let file = try Descriptor.reading(image.path)
            count = try file.read(into: &bytes, at: 0)
            try file.close()
        } catch {
            throw ToolFailure(error)
        }
        guard count == bytes.count else {
            throw ToolFailure(.inputOutput, "\(image.path) was cut short meanwhile; leave the store alone")
        }
        return bytes
    }

    /// A file of that name that was damaged since is replaced.
    /// - Returns: the damaged file.
    private mutating func write(
        _ bytes: Span<UInt8>, _ image: StoredImage
    ) throws(ToolFailure) -> FilePlace.Status? {
        let folder = try openedFolder()
        if folder.status(of: image.name)?.bytes == bytes.count, let stored = folder.read(image.name),
            stored.bytes.span.equals(bytes)
        {
            return nil
        }
        let damaged = FilePlace.status(ofPath: image.path)
        do throws(SystemError) { try folder.write(image.name, bytes) } catch {
            guard error.isUnusablePlace else { throw ToolFailure(error) }
            throw ToolFailure(.cannotCreate, "\(error); choose another --dir")
        }
        return damaged
    }

    private mutating func openedFolder() throws(ToolFailure) -> WholeFileFolder {
        if let folder { return folder }
        do throws(SystemError) {
            let opened = try WholeFileFolder(directory, isPrivate: false)
            folder = opened
            return opened
        } catch {
            throw ToolFailure(.cannotCreate, "\(error); choose another --dir")
        }
    }

    static func joined(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
}
