// What the members of records are like: how many records have one, what kind of value it is, how often it repeats.
//
//     records 40     id       40 × number, 40 different
//                    name     40 × text, 39 different
//                    image.url  37 × text, 37 of them URLs

import PipelineCore
import PipelineHTTP

/// The figures of all members, to which one record after another is added.
struct MemberFigures: Sendable {
    /// The figures of one member, over the records that have a value there.
    struct Figures: Sendable {
        /// Texts that aren't empty, and numbers.
        var count = 0
        var numbers = 0
        /// Texts that are URLs of http or https.
        var urls = 0
        /// Those within the API's origin.
        var ownURLs = 0
        /// Texts that end as the path of a picture does.
        var pictures = 0
        /// Texts that end as the path of another file than a page does.
        var files = 0
        var characters = 0
        /// Whether `distinct` is known.
        let isCompared: Bool
        var distinct: Set<Int> = []
        /// The first text.
        let sample: String

        init(isCompared: Bool, sample: String) {
            self.isCompared = isCompared
            self.sample = sample
        }
    }

    typealias Path = [JSONLocation.PathStep]

    /// More would be data.
    private static let memberLimit = 2000
    /// Members whose values are compared.
    private static let comparedLimit = 200
    /// Records that are looked at.
    private static let recordLimit = 30_000
    /// As deep as `images.jpg.image_url`, or `images[0].url`.
    private static let depthLimit = 3

    private let origin: String
    private(set) var records = 0
    private(set) var figures: [Path: Figures] = [:]
    /// In the order in which they were seen.
    private(set) var paths: [Path] = []

    /// - Parameter origin: of the API.
    init(origin: String) { self.origin = origin }

    mutating func add(_ record: AnswerValue) {
        guard records < Self.recordLimit else { return }
        records += 1
        add(record, [])
    }

    private mutating func add(_ value: AnswerValue, _ path: Path) {
        switch value {
        case .object(let members, _, _):
            guard path.count < Self.depthLimit else { return }
            for member in members { add(member.value, path + [.name(member.name)]) }
        case .array(let elements, _, _):
            guard !path.isEmpty, path.count < Self.depthLimit, let first = elements.first else { return }
            add(first, path + [.index(0)])
        case .text(let text) where !text.isEmpty: count(text, isNumber: false, path)
        case .number(let text): count(text, isNumber: true, path)
        case .text, .boolean, .null: break
        }
    }

    private mutating func count(_ text: String, isNumber: Bool, _ path: Path) {
        if figures[path] == nil {
            guard paths.count < Self.memberLimit else { return }
            figures[path] = Figures(isCompared: paths.count < Self.comparedLimit, sample: text)
            paths.append(path)
        }
        figures[path]?.add(text, isNumber, origin)
    }
}

extension MemberFigures.Figures {
    fileprivate mutating func add(_ text: String, _ isNumber: Bool, _ origin: String) {
        count += 1
        if isCompared { distinct.insert(text.hashValue) }
        guard !isNumber else { return numbers += 1 }
        characters += text.utf8.count
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            urls += 1
            if text.hasPrefix(origin + "/") { ownURLs += 1 }
        }
        let path = text.prefix { $0 != "?" && $0 != "#" }.suffix(5).lowercased()
        if Self.pictureEndings.contains(where: path.hasSuffix) { pictures += 1 }
        if (Self.pictureEndings + Self.fileEndings).contains(where: path.hasSuffix) { files += 1 }
    }

    private static let pictureEndings = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg"]
    private static let fileEndings = [".json", ".xml", ".csv", ".pdf", ".mp3", ".mp4", ".zip", ".txt"]
}
