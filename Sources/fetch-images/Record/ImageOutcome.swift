// What came of a record's picture, and the member that tells it.
//
//     "imageFile":{"path":"images/ab/ab12….jpg","url":"https://…","sha256":"ab12…","bytes":8211,"type":"image/jpeg",
//                  "width":320,"height":240,"status":"fetched","http":200,"attempts":1}

package import PipelineCore

/// The end of one picture.
package struct ImageOutcome: Equatable, Sendable {
    package enum Status: String, Sendable {
        case fetched
        /// The store has it, and nobody was asked.
        case cached
        /// The store has it, and the service says that it still holds.
        case revalidated
        /// The store has it, and the service failed.
        case stale
        case placeholder
        case none
        case failed
    }

    package var status: Status
    package var image: StoredImage?
    /// The HTTP status, where there was a response.
    package var http: Int?
    /// How often the URL was asked, redirects apart; 0 where nobody was asked.
    package var attempts = 0
    /// Why there is no picture.
    package var error: String?
    /// What a run ends with for it.
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

    /// The same end with another picture in place of the one that can't be had: no failure any more.
    func standingIn(_ image: StoredImage) -> ImageOutcome {
        var outcome = self
        outcome.status = .placeholder
        outcome.image = image
        return outcome
    }

    /// Writes the member: its name, a colon and its value. What doesn't apply is left out.
    /// - Parameter url: as it was asked.
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
