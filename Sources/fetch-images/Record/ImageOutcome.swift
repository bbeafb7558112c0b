// The pictures of a record, what came of each, and the member that reports them. This file decides how several become one member.
//
//     "imageFile":{"path":"images/ab/ab12….jpg","url":"https://…","sha256":"ab12…","bytes":8211,"type":"image/jpeg",
//                  "width":320,"height":240,"status":"ok"}
//
// The member is the same in every run, so that records that are stored again are unchanged. How the picture was got this
// time is in it only with --with-fetch:
//
//                  …,"status":"ok","fetch":{"how":"revalidated","http":200,"attempts":1}}

package import PipelineCore
package import PipelineHTTP

struct RecordPicture {
    /// The member's URL; nil if the record names no picture, and for a data URL, which holds the picture itself.
    let url: String?
    var outcome = ImageOutcome()
    var isWaiting = false
}

/// Today a record has one; without a URL its outcome is `none`.
struct RecordPictures {
    private static let usualMemberBytes = 768
    var list: [RecordPicture] = []

    var isSettled: Bool { list.allSatisfy { !$0.isWaiting } }
    var images: [StoredImage] { list.compactMap(\.outcome.image) }
    /// Why the record counts as failed: its first failure.
    var fault: ImageFault? { list.lazy.map(\.outcome).first { $0.status == .failed }?.fault }

    /// The member that reports the outcomes: its name, a colon and its value. That of several would be an array.
    func member(_ settings: ImagesSettings) -> ByteBuffer {
        var member = ByteBuffer(capacity: Self.usualMemberBytes)
        JSONWriter.appendString(settings.memberName, to: &member)
        member.append(UInt8(ascii: ":"))
        for picture in list {
            picture.outcome.write(url: picture.url, tellsFetch: settings.tellsFetch, to: &member)
        }
        return member
    }

    /// Appends a comma and the member of `--embed`, if there is a picture.
    func appendData(to member: inout ByteBuffer) throws(ToolFailure) {
        for image in images {
            member.append(text: ",\"\(ImagesRun.dataName)\":\"")
            let bytes = try image.contents()
            member.append(Base64.encoded(bytes.span).span)
            member.append(UInt8(ascii: "\""))
        }
    }
}

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
    package var http: Int?
    /// How often the URL was requested, not counting redirects; 0 if nothing was sent.
    package var attempts = 0
    package var fault: ImageFault?

    /// - Parameter image: nil for a record without a URL.
    package init(_ image: StoredImage? = nil, origin: String? = nil) {
        self.image = image
        self.origin = origin
    }

    package init(_ fault: ImageFault) { self.fault = fault }

    init(_ failure: HTTPFailure) {
        self.init(ImageFault(failure))
        (http, attempts) = (failure.httpStatus, failure.attempts)
    }

    package var status: Status {
        switch (image, fault) {
        case (nil, nil): .none
        case (nil, _?): .failed
        case (_?, nil): .ok
        case (_?, _?): .placeholder
        }
    }

    /// Writes an object. What doesn't apply is left out.
    package func write(url: String?, tellsFetch: Bool = false, to bytes: inout ByteBuffer) {
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
        if tellsFetch, status != .none { bytes.addMember("fetch", object: writeFetch) }
        bytes.append(UInt8(ascii: "}"))
    }

    private func writeFetch(to object: inout ByteBuffer) {
        if let origin { object.addMember("how", origin) }
        if let http { object.addMember("http", http) }
        object.addMember("attempts", attempts)
    }
}

/// Why a picture is missing, in words that are the same in every run.
package struct ImageFault: Equatable, Sendable {
    /// For the record: what is wrong, and what to do about it.
    package let text: String
    /// The same for several pictures, without what belongs to this one alone: its host, its size.
    package let kind: String
    private(set) var exitStatus: ExitStatus

    /// - Parameter kind: nil if nothing in the text belongs to one picture alone.
    package init(_ text: String, kind: String? = nil, exitStatus: ExitStatus = .protocolError) {
        self.text = text
        self.kind = kind ?? text
        self.exitStatus = exitStatus
    }

    package init(_ error: ImageError) {
        var kind: String?
        if case .tooManyPixels(_, _, _, let limit) = error {
            kind = "a picture of more than \(limit) pixels; --max-pixels allows it"
        }
        self.init(error.description, kind: kind)
    }

    package init(_ failure: HTTPFailure) {
        let text = failure.lastingDescription.description
        switch failure.reason {
        // For a picture there is an option to raise.
        case .tooLarge(let limit): self.init(.tooManyBytes(limit: limit))
        case .refusedScheme(let scheme):
            let cure = "is refused; only http, https and data are supported"
            self.init("a URL of the scheme \(scheme) \(cure)", kind: "a URL of another scheme \(cure)")
        case .notRecorded:
            self.init(text, kind: "the recording has no response to some requests; record them again with --record")
        default: self.init(text, kind: failure.lastingDescription(of: "a host").description)
        }
        if failure.exitStatus != .usage { exitStatus = failure.exitStatus }
    }

    // MARK: As a note

    private static let mark = UInt8(ascii: "!")

    /// What the cache keeps of a response that holds no picture: a mark that no picture's note has, and two lines.
    package var note: [UInt8] { [Self.mark] + Array("\(text)\n\(kind)".utf8) }

    /// The fault of a note; nil if the note is that of a picture.
    package init?(note: [UInt8]) {
        guard note.first == Self.mark else { return nil }
        let lines = note.dropFirst().split(separator: 0x0A)
        guard lines.count == 2 else { return nil }
        self.init(String(decoding: lines[0], as: UTF8.self), kind: String(decoding: lines[1], as: UTF8.self))
    }
}
