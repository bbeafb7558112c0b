// What became of a record's picture, and the member that reports it.
//
//     "imageFile":{"path":"images/ab/ab12….jpg","url":"https://…","sha256":"ab12…","bytes":8211,"type":"image/jpeg",
//                  "width":320,"height":240,"status":"ok"}
//
// The member is the same in every run, so that records that are stored again are unchanged. How the pictures were got this
// time is in the report.

package import PipelineCore
import PipelineHTTP

package struct ImageOutcome: Equatable, Sendable {
    package enum Status: String, Sendable {
        case ok, placeholder, none, failed
    }

    /// The `how` of a picture from a data URL.
    static let data = "data"

    /// The picture, or one that stands in for it.
    package var image: StoredImage?
    /// How the picture was got: a value of `HTTPProvenance`, or `data`.
    package var origin: String?
    package var fault: ImageFault?
    /// It failed, and an earlier run had a picture.
    var hadPicture = false

    /// - Parameter image: nil for a record without a URL.
    package init(_ image: StoredImage? = nil, origin: String? = nil) {
        self.image = image
        self.origin = origin
    }

    package init(_ fault: ImageFault) { self.fault = fault }

    init(_ failure: HTTPFailure) {
        self.init(ImageFault(failure))
    }

    package var status: Status {
        switch (image, fault) {
        case (nil, nil): .none
        case (nil, _?): .failed
        case (_?, nil): .ok
        case (_?, _?): .placeholder
        }
    }

    /// The record names no picture.
    var isUnnamed: Bool { status == .none || fault == .noURL }

    /// Writes an object. What doesn't apply is left out.
    package func write(url: String?, to bytes: inout ByteBuffer) {
        bytes.append(UInt8(ascii: "{"))
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
        bytes.append(UInt8(ascii: "}"))
    }
}
