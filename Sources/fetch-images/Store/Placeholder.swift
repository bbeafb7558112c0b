// The picture that replaces one that isn't available.

import PipelineCore
import PipelineHTTP

/// The user's file, or a grey square.
enum Placeholder {
    /// A PNG of 64 by 64 pixels.
    private static let greySquare =
        "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKklEQVR42u3MQREAAAwCIPunMpoh9ttBANKjCAQCgUAgEAgEAoFA"
        + "IPgeDMcLALWWy9nxAAAAAElFTkSuQmCC"

    /// The bytes of the file.
    /// - Parameter path: nil for the grey square.
    /// - Throws: status 66 if it can't be read or is too large.
    static func bytes(_ path: String?, limitBytes: Int) throws(ToolFailure) -> [UInt8] {
        guard let path else { return Base64.decoded(Array(greySquare.utf8).span) ?? [] }
        do throws(SystemError) {
            return try Descriptor.contents(of: path, limitBytes: limitBytes)
        } catch {
            throw ToolFailure(.noInput, error.advice(orElse: "choose another file for --placeholder"))
        }
    }

    /// Puts it in the store.
    /// - Throws: status 65 if it isn't a picture.
    static func stored(
        _ path: String?, in store: inout ImageStore, limitBytes: Int
    ) throws(ToolFailure) -> StoredImage {
        let bytes = try bytes(path, limitBytes: limitBytes)
        switch try store.keep(bytes.span) {
        case .success(let image): return image
        case .failure(let fault):
            let words = fault.description.prefix { $0 != ";" }
            throw ToolFailure(.badData, "--placeholder \(path ?? ""): \(words); name a picture")
        }
    }
}
