// Why a picture is missing, in words that are the same in every run, so that a record that is stored again is unchanged.

package import PipelineHTTP

/// The reason for a missing picture.
package struct ImageFault: Equatable, Sendable {
    /// For the record: what is wrong, and what to do about it.
    package let text: String
    /// The same for several pictures, without what belongs to this one alone: its host, its size.
    package let kind: String

    /// - Parameter kind: nil if nothing in the text belongs to one picture alone.
    package init(_ text: String, kind: String? = nil) {
        self.text = text
        self.kind = kind ?? text
    }

    package init(_ error: ImageError) {
        switch error {
        case .tooManyPixels(_, _, _, let limit):
            self.init(error.description, kind: "a picture of more than \(limit) pixels; --max-pixels allows it")
        default: self.init(error.description)
        }
    }

    /// - Parameter failure: of the request.
    package init(_ failure: HTTPFailure) {
        let text = failure.lastingDescription
        switch failure.reason {
        // For a picture there is an option to raise.
        case .tooLarge(let limit): self.init(.tooManyBytes(limit: limit))
        case .refusedScheme:
            self.init(text, kind: "a URL of another scheme is refused; only http and https are supported")
        case .notRecorded:
            self.init(text, kind: "the recording has no response to some requests; record them again with --record")
        default: self.init(text, kind: failure.lastingDescription(of: "each of several hosts"))
        }
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
