// The directory of pictures: each named by its content, so that one picture at three URLs is there once, and so that a
// file's name tells whether it is whole.
//
//     images/ab/ab12….jpg        the SHA-256 of its bytes; the extension by its bytes too

package import PipelineCore
import PipelineHTTP

/// Stores pictures. Not for several threads; each has its own.
package struct ImageStore {
    private let directory: String
    private let pixelLimit: Int
    let digest: SHA256
    private let store: LazyDirectory
    /// Made when the first picture comes.
    private var files: AtomicDirectory?

    /// - Parameter pixelLimit: the most pixels of a picture.
    package init(_ store: LazyDirectory, pixelLimit: Int) throws(ToolFailure) {
        self.store = store
        self.pixelLimit = pixelLimit
        directory = store.path
        digest = try SHA256()
    }

    /// Judges the bytes and keeps them.
    /// - Throws: what ends the run; a fault of the picture's own is the result.
    package mutating func keep(_ bytes: Span<UInt8>) throws(ToolFailure) -> Result<StoredImage, ImageError> {
        let facts: ImageInfo
        do throws(ImageError) {
            facts = try ImageInfo(of: bytes, pixelLimit: pixelLimit)
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
        do throws(SystemError) {
            let bytes = try Descriptor.contents(ofRegular: image.path, limitBytes: image.bytes)
            if bytes.count == image.bytes { return bytes }
        } catch {
            guard error.isTooLarge else { throw ToolFailure(error) }
        }
        throw ToolFailure(.inputOutput, "\(image.path) was changed meanwhile; leave the store alone")
    }

    /// A file of that name that was damaged since is replaced.
    /// - Returns: the damaged file.
    private mutating func write(
        _ bytes: Span<UInt8>, _ image: StoredImage
    ) throws(ToolFailure) -> FileLocation.Status? {
        do throws(SystemError) {
            if files == nil { files = try store.directory() }
            return try files?.write(image.name, bytes, ifChanged: true)
        } catch {
            guard files == nil || error.isUnusablePlace else { throw ToolFailure(error) }
            throw ToolFailure(.cannotCreate, error.advice(orElse: "choose another --dir"))
        }
    }

    static func joined(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
}
