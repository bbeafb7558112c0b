// Why a picture is missing, in words that are the same in every run.

package import PipelineCore
package import PipelineHTTP

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

    /// Of a record that names no picture, where it gets a placeholder.
    static let noURL = ImageFault("no URL")

    package init(_ error: ImageError) {
        var kind: String?
        if case .tooManyPixels(_, _, _, let limit) = error {
            kind = "a picture of more than \(limit) pixels; ask for a smaller one"
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
