// From what came to what a record is told: judged, stored, and remembered for the next run.

import PipelineCore
import PipelineHTTP

/// Makes outcomes. Not for several threads; each has its own.
struct ImageSaver {
    private var store: ImageStore
    private let directory: String
    private let limitBytes: Int
    private let pixelLimit: Int
    private let readsPictures: Bool

    init(_ settings: ImagesSettings, _ directory: LazyDirectory) throws(ToolFailure) {
        store = try ImageStore(directory, pixelLimit: settings.pixelLimit)
        self.directory = settings.directory
        limitBytes = settings.pictureLimitBytes
        pixelLimit = settings.pixelLimit
        readsPictures = settings.readsPictures
    }

    /// Judges and keeps a response.
    /// - Throws: what ends the run.
    mutating func outcome(of completion: HTTPClient.Completion) throws(ToolFailure) -> ImageOutcome {
        var end: ImageOutcome
        switch completion.result {
        case .failure(let failure): end = Self.outcome(of: failure)
        case .success(let response):
            if let note = completion.note {
                end = outcome(ofNote: note)
            } else {
                end = try outcome(of: response.body.span)
                if let image = end.image { completion.slot?.keep(note: image.note, store.digest) }
            }
            if end.status == .fetched { end.status = Self.status(completion.provenance) }
            end.http = response.status
        }
        end.attempts = completion.attempts
        return end
    }

    /// A picture that the cache knows and nobody has to be asked about; nil where the store hasn't got it whole.
    func outcome(ofFresh note: [UInt8], http: Int) -> ImageOutcome? {
        guard let image = StoredImage(note: note, in: directory), image.isHeld(toRead: readsPictures) else {
            return nil
        }
        var outcome = outcome(ofStored: image)
        if outcome.status == .fetched { outcome.status = .cached }
        outcome.http = http
        return outcome
    }

    /// Judges and keeps the content of a data URL.
    mutating func outcome(ofData url: String) throws(ToolFailure) -> ImageOutcome {
        guard let content = DataURL.content(url) else {
            return .failed("a data URL that is broken; the source has to fix it", .protocolError)
        }
        guard content.count <= limitBytes else {
            return .failed(ImageError.tooManyBytes(limit: limitBytes).description, .protocolError)
        }
        return try outcome(of: content.span)
    }

    /// Keeps the picture that stands in for others.
    mutating func placeholder(_ path: String?) throws(ToolFailure) -> StoredImage {
        try Placeholder.stored(path, in: &store, limitBytes: limitBytes)
    }

    static func outcome(of failure: HTTPFailure) -> ImageOutcome {
        let exitStatus = failure.exitStatus
        var reason = "\(failure)"
        if case .tooLarge(let limit) = failure.reason { reason = ImageError.tooManyBytes(limit: limit).description }
        var outcome = ImageOutcome.failed(reason, exitStatus == .usage ? .protocolError : exitStatus)
        outcome.http = failure.httpStatus
        return outcome
    }

    private mutating func outcome(of bytes: Span<UInt8>) throws(ToolFailure) -> ImageOutcome {
        switch try store.keep(bytes) {
        case .success(let image): return .having(image)
        case .failure(let fault): return .failed(fault.description, .protocolError)
        }
    }

    /// A picture that the store has from an earlier run.
    private func outcome(ofNote note: [UInt8]) -> ImageOutcome {
        guard let image = StoredImage(note: note, in: directory) else {
            return .failed("the cache has a note that can't be read; run it again with --cache none", .unavailable)
        }
        return outcome(ofStored: image)
    }

    /// A run may want smaller pictures than the one that stored it.
    private func outcome(ofStored image: StoredImage) -> ImageOutcome {
        guard image.bytes <= limitBytes else {
            return .failed(ImageError.tooManyBytes(limit: limitBytes).description, .protocolError)
        }
        do throws(ImageError) { try image.facts.check(pixelLimit: pixelLimit) } catch {
            return .failed(error.description, .protocolError)
        }
        return .having(image)
    }

    private static func status(_ provenance: HTTPProvenance) -> ImageOutcome.Status {
        switch provenance {
        case .fetched: .fetched
        case .cached: .cached
        case .revalidated: .revalidated
        case .stale: .stale
        }
    }
}
