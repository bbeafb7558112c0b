// The outcome of a record's picture, and the member that reports it.
//
//     "imageFile":{"path":"images/ab/ab12….jpg","url":"https://…","sha256":"ab12…","bytes":8211,"type":"image/jpeg",
//                  "width":320,"height":240,"status":"ok"}
//
// The member is the same in every run, so that records that are stored again are unchanged. How the picture was got this
// time is in it only with --with-fetch:
//
//                  …,"status":"ok","fetch":{"how":"revalidated","http":200,"attempts":1}}

package import PipelineCore
import PipelineHTTP

/// The outcome of one picture.
package struct ImageOutcome: Equatable, Sendable {
    package enum Status: String, Sendable {
        /// The store has the picture.
        case ok
        /// The store has another picture instead of the missing one.
        case placeholder
        /// The record names no picture.
        case none
        case failed
    }

    /// How a picture was got in this run.
    package enum Origin: String, CaseIterable, Sendable {
        case fetched
        /// The store has it, and no request was sent.
        case cached
        /// The store has it, and the service says that it is still current.
        case revalidated
        /// The store has it, and the service failed.
        case stale
        /// The URL holds it.
        case data

        init(_ provenance: HTTPProvenance) {
            self =
                switch provenance {
                case .fetched: .fetched
                case .cached: .cached
                case .revalidated: .revalidated
                case .stale: .stale
                }
        }
    }

    package var status: Status
    package var image: StoredImage?
    /// Nil if the picture wasn't got.
    package var origin: Origin?
    /// The HTTP status, if there was a response.
    package var http: Int?
    /// How often the URL was requested, not counting redirects; 0 if nothing was sent.
    package var attempts = 0
    /// Why there is no picture.
    package var fault: ImageFault?
    /// The status that a run ends with because of it.
    package var exitStatus = ExitStatus.done

    package init(_ status: Status) { self.status = status }

    static func having(_ image: StoredImage, _ origin: Origin) -> ImageOutcome {
        var outcome = ImageOutcome(.ok)
        outcome.image = image
        outcome.origin = origin
        return outcome
    }

    static func failed(_ fault: ImageFault, _ exitStatus: ExitStatus) -> ImageOutcome {
        var outcome = ImageOutcome(.failed)
        outcome.fault = fault
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
    /// - Parameters:
    ///   - url: as it was requested.
    ///   - tellsFetch: whether to add how the picture was got, which differs from run to run.
    package func write(_ name: String, url: String?, tellsFetch: Bool = false, to bytes: inout ByteBuffer) {
        JSONWriter.appendString(name, to: &bytes)
        bytes.append(":{")
        if let image { bytes.addMember("path", image.path.displayedPath) }
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
        if let fault { bytes.addMember("error", fault.text) }
        if tellsFetch, status != .none { bytes.addMember("fetch", object: writeFetch) }
        bytes.append(UInt8(ascii: "}"))
    }

    private func writeFetch(to object: inout ByteBuffer) {
        if let origin { object.addMember("how", origin.rawValue) }
        if let http { object.addMember("http", http) }
        object.addMember("attempts", attempts)
    }
}
