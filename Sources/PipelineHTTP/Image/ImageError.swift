// Why bytes are rejected as a picture, in words for whoever reads the record.

/// The first error found.
package enum ImageError: Error, Equatable, Sendable {
    /// None of the formats, and what it is instead.
    case notAnImage(NonImageKind)
    /// The end is missing.
    case truncated(ImageType)
    /// The file breaks the rules of its format.
    case damaged(ImageType)
    case zeroSize(ImageType)
    /// A decoder would have to allocate more pixels than allowed.
    case tooManyPixels(ImageType, width: Int, height: Int, limit: Int)
    case tooManyBytes(limit: Int)
}

extension ImageError: CustomStringConvertible {
    /// What is wrong, and what to do about it.
    package var description: String {
        switch self {
        case .notAnImage(let content): "not an image but \(content.rawValue); check the URL"
        case .truncated(let type): "\(type.described) picture that is cut short; the source has to fix it"
        case .damaged(let type): "a damaged \(type.name) picture; the source has to fix it"
        case .zeroSize(let type): "\(type.described) picture without any pixels; the source has to fix it"
        case .tooManyPixels(let type, let width, let height, let limit):
            "\(type.described) picture of \(width) by \(height) pixels, more than \(limit); --max-pixels allows it"
        case .tooManyBytes(let limit):
            "a picture of more than \(limit) bytes; --max-bytes allows it, with --embed up to 47M"
        }
    }
}
