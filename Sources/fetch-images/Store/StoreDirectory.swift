// The store as a run looks into it: which pictures of earlier runs are there.
//
// A picture's time says when a run last named it, for --prune: looking for a picture sets it to now. Meanwhile the
// directory is open, which keeps other runs from removing anything.

import PipelineCore
import PipelineHTTP

/// The store's directory, shared by the client and both threads.
final class StoreDirectory: Sendable {
    let files: LazyDirectory
    /// Whether the bytes of pictures go into a record or a page. Then they are verified: a length doesn't show what a
    /// disk has lost.
    private let readsPictures: Bool

    init(_ settings: ImagesSettings) {
        files = LazyDirectory(settings.directory)
        readsPictures = settings.readsPictures
    }

    /// Whether the store has the picture, which a record is going to name.
    func holds(_ image: StoredImage) -> Bool {
        guard let files = files.existing, files.status(of: image.name)?.bytes == image.bytes,
            !readsPictures || isWhole(image)
        else { return false }
        return files.touch(image.name)
    }

    private func isWhole(_ image: StoredImage) -> Bool {
        do throws(ToolFailure) {
            return SHA256.hexadecimal(try SHA256().digest(fileAt: image.path)) == image.sha256
        } catch {
            return false
        }
    }

    /// What has become of the picture that a note of the cache is about.
    func picture(ofNote note: [UInt8]) -> HTTPClient.NotedBody {
        guard let image = StoredImage(note: note, in: files.path) else {
            return ImageFault(note: note) == nil ? .lost : .unusable
        }
        return holds(image) ? .held : .lost
    }
}
