// What became of the URLs of this run, so that one that comes again isn't requested again, however far apart.
//
//     hash of the URL  ->  the note of its picture, as the cache has it, or what went wrong

import PipelineCore
import PipelineHTTP

struct AnsweredURLs {
    private enum Answer {
        /// How it was got, and the picture's note, which takes a quarter of the outcome's memory.
        case picture(origin: String?, note: [UInt8])
        case other(ImageOutcome)

        init(_ outcome: ImageOutcome) {
            let isPlain = outcome.fault == nil && outcome.image?.replaced == nil
            if isPlain, let image = outcome.image {
                self = .picture(origin: outcome.origin, note: image.note)
            } else {
                self = .other(outcome)
            }
        }

        func outcome(in directory: String) -> ImageOutcome? {
            switch self {
            case .picture(let origin, let note):
                StoredImage(note: note, in: directory).map { ImageOutcome($0, origin: origin) }
            case .other(let outcome): outcome
            }
        }

        var byteCount: Int {
            switch self {
            case .picture(_, let note): note.count
            case .other(let outcome): 512 + (outcome.fault.map { $0.text.utf8.count + $0.kind.utf8.count } ?? 0)
            }
        }
    }

    /// For all answers together, some 250,000 URLs; then the oldest ones are forgotten.
    private let limitBytes: Int
    /// About what the tables take for each.
    private static let entryBytes = 160

    private let directory: String
    private let hash = PolynomialHash()
    private var answers: [WideHash: Answer] = [:]
    /// The hashes in the order of their answers, from `oldest` on.
    private var order: [WideHash] = []
    private var oldest = 0
    private var byteCount = 0

    /// - Parameter directory: of the pictures.
    init(_ directory: String, limitBytes: Int = 64 << 20) {
        self.directory = directory
        self.limitBytes = limitBytes
    }

    func outcome(of url: HTTPURL) -> ImageOutcome? {
        answers.isEmpty ? nil : answers[hash.hash(url.text.utf8Bytes.span)]?.outcome(in: directory)
    }

    mutating func add(_ url: HTTPURL, _ outcome: ImageOutcome) {
        let key = hash.hash(url.text.utf8Bytes.span)
        let answer = Answer(outcome)
        guard answers.updateValue(answer, forKey: key) == nil else { return }
        order.append(key)
        byteCount += Self.entryBytes + answer.byteCount
        while byteCount > limitBytes { forgetOldest() }
    }

    private mutating func forgetOldest() {
        guard let answer = answers.removeValue(forKey: order[oldest]) else { return }
        byteCount -= Self.entryBytes + answer.byteCount
        oldest += 1
        guard oldest > order.count / 2 else { return }
        order.removeFirst(oldest)
        oldest = 0
    }
}
