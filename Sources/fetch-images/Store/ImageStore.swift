// The directory of pictures. Each is named by its content, so a picture with three URLs is stored once, and a
// file's name shows whether it is intact.
//
//     images/ab/ab12….jpg        the SHA-256 of its bytes; the extension depends on its bytes too

package import PipelineCore
package import PipelineHTTP

/// Stores pictures. Not thread-safe; each thread has its own.
package struct ImageStore {
    private let directory: String
    private let pixelLimit: Int
    private let store: LazyDirectory
    // Created for the first picture.
    private var files: AtomicDirectory?
    private var opened: SHA256?

    /// - Parameter pixelLimit: the most pixels of a picture.
    package init(_ store: LazyDirectory, pixelLimit: Int) {
        self.store = store
        self.pixelLimit = pixelLimit
        directory = store.path
    }

    /// - Throws: status 70 if the system refuses it.
    mutating func digest() throws(ToolFailure) -> SHA256 {
        if let opened { return opened }
        let digest = try SHA256()
        opened = digest
        return digest
    }

    /// Judges the bytes and stores them.
    /// - Throws: what ends the run; an error in the picture itself is the result.
    package mutating func keep(_ bytes: Span<UInt8>) throws(ToolFailure) -> Result<StoredImage, ImageError> {
        let facts: ImageInfo
        do throws(ImageError) {
            facts = try ImageInfo(of: bytes, pixelLimit: pixelLimit)
        } catch {
            return .failure(error)
        }
        var image = StoredImage(
            directory: directory, sha256: SHA256.hexadecimal(try digest().digest(bytes)), bytes: bytes.count,
            facts: facts)
        image.replaced = try write(bytes, image)
        return .success(image)
    }

    /// The bytes of a stored picture.
    package static func bytes(of image: StoredImage) throws(ToolFailure) -> [UInt8] {
        do throws(SystemError) {
            let bytes = try Descriptor.contents(ofRegular: image.path, limitBytes: image.bytes)
            if bytes.count == image.bytes { return bytes }
        } catch {
            guard error.isTooLarge else { throw ToolFailure(error) }
        }
        throw ToolFailure(.inputOutput, "\(image.path) was changed meanwhile; leave the store alone")
    }

    /// Writes the file, replacing one of that name that was damaged since.
    /// - Returns: the status of the damaged file.
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
