// From a response to the outcome of a record: judged, stored, and remembered for the next run.

import PipelineCore
import PipelineHTTP

/// Makes outcomes. Not thread-safe; each thread has its own.
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

    /// Judges and stores a response.
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

    /// The outcome of a picture that the cache has fresh; nil if the store doesn't have it intact.
    func outcome(ofFresh note: [UInt8], http: Int) -> ImageOutcome? {
        guard let image = StoredImage(note: note, in: directory), image.isHeld(toRead: readsPictures) else {
            return nil
        }
        var outcome = outcome(ofStored: image)
        if outcome.status == .fetched { outcome.status = .cached }
        outcome.http = http
        return outcome
    }

    /// Judges and stores the content of a data URL.
    mutating func outcome(ofData url: String) throws(ToolFailure) -> ImageOutcome {
        guard let content = DataURL.content(url) else {
            return .failed("a data URL that is broken; the source has to fix it", .protocolError)
        }
        guard content.count <= limitBytes else {
            return .failed(ImageError.tooManyBytes(limit: limitBytes).description, .protocolError)
        }
        return try outcome(of: content.span)
    }

    /// Stores the placeholder.
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

    /// The outcome of a picture that an earlier run stored.
    private func outcome(ofNote note: [UInt8]) -> ImageOutcome {
        guard let image = StoredImage(note: note, in: directory) else {
            return .failed("the cache has a note that can't be read; run it again with --cache none", .unavailable)
        }
        return outcome(ofStored: image)
    }

    /// A run may allow only smaller pictures than the one that stored it.
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
