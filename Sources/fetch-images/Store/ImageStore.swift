// The directory of pictures: each named by its content, so that one picture at three URLs is there once, and so that a
// file's name tells whether it is whole.
//
//     images/ab/ab12….jpg        the SHA-256 of its bytes; the extension by its bytes too

package import PipelineCore

/// Stores pictures.
package struct ImageStore {
    private let directory: String
    private let pixelLimit: Int
    /// Folders that are known to be there.
    private var folders: Set<String> = []

    /// - Parameters:
    ///   - directory: as the user gave it; made when the first picture comes.
    ///   - pixelLimit: the most pixels of a picture.
    package init(_ directory: String, pixelLimit: Int) {
        self.directory = directory
        self.pixelLimit = pixelLimit
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
        let sha256 = try ImageDigest.sha256(bytes)
        let folder = Self.joined(directory, String(sha256.prefix(2)))
        let path = Self.joined(folder, "\(sha256).\(facts.type.fileExtension)")
        try makeFolder(folder)
        try write(bytes, to: path)
        return .success(StoredImage(path: path, sha256: sha256, bytes: bytes.count, facts: facts))
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

    private mutating func makeFolder(_ path: String) throws(ToolFailure) {
        guard !folders.contains(path) else { return }
        do throws(SystemError) {
            try Directory.make(path)
        } catch {
            throw ToolFailure(.cannotCreate, "\(error); choose another --dir")
        }
        folders.insert(path)
    }

    /// A file of that name and length is the same one. One of another length was damaged since, and is replaced.
    private func write(_ bytes: Span<UInt8>, to path: String) throws(ToolFailure) {
        let existing = FilePlace.status(ofPath: path)
        if let existing, existing.isRegular, existing.bytes == bytes.count { return }
        do throws(SystemError) {
            var file = try AtomicFile.begin(path)
            try file.append(bytes)
            try file.commit(existing == nil ? .keep : .replace)
        } catch {
            throw ToolFailure(error)
        }
    }

    static func joined(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
}
