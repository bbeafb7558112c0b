// The outcome of a record's picture, and the member that reports it.
//
//     "imageFile":{"path":"images/ab/ab12….jpg","url":"https://…","sha256":"ab12…","bytes":8211,"type":"image/jpeg",
//                  "width":320,"height":240,"status":"fetched","http":200,"attempts":1}

package import PipelineCore

/// The outcome of one picture.
package struct ImageOutcome: Equatable, Sendable {
    package enum Status: String, Sendable {
        case fetched
        /// The store has it, and no request was sent.
        case cached
        /// The store has it, and the service says that it is still current.
        case revalidated
        /// The store has it, and the service failed.
        case stale
        case placeholder
        case none
        case failed
    }

    package var status: Status
    package var image: StoredImage?
    /// The HTTP status, if there was a response.
    package var http: Int?
    /// How often the URL was requested, not counting redirects; 0 if nothing was sent.
    package var attempts = 0
    /// Why there is no picture.
    package var error: String?
    /// The status that a run ends with because of it.
    package var exitStatus = ExitStatus.done

    package init(_ status: Status) { self.status = status }

    static func having(_ image: StoredImage) -> ImageOutcome {
        var outcome = ImageOutcome(.fetched)
        outcome.image = image
        return outcome
    }

    static func failed(_ error: String, _ exitStatus: ExitStatus) -> ImageOutcome {
        var outcome = ImageOutcome(.failed)
        outcome.error = error
        outcome.exitStatus = exitStatus
        return outcome
    }

    /// The same outcome with another picture instead of the missing one; it is no longer a failure.
    func standingIn(_ image: StoredImage) -> ImageOutcome {
        var outcome = self
        outcome.status = .placeholder
        outcome.image = image
        return outcome
    }

    /// Writes the member: its name, a colon and its value. What doesn't apply is left out.
    /// - Parameter url: as it was requested.
    package func write(_ name: String, url: String?, to bytes: inout ByteBuffer) {
        JSONWriter.appendString(name.utf8Span.span, to: &bytes)
        bytes.append(":{")
        if let image { bytes.addMember("path", image.path) }
        if let url { bytes.addMember("url", url) }
        if let image {
            bytes.addMember("sha256", image.sha256)
            bytes.addMember("bytes", image.bytes)
            bytes.addMember("type", image.facts.type.mediaType)
            if let size = image.facts.size {
                bytes.addMember("width", size.width)
                bytes.addMember("height", size.height)
            }
        }
        bytes.addMember("status", status.rawValue)
        if let http { bytes.addMember("http", http) }
        if attempts > 0 { bytes.addMember("attempts", attempts) }
        if let error { bytes.addMember("error", error) }
        bytes.append(UInt8(ascii: "}"))
    }
}
