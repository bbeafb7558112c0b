// From a response to the outcome of a record: judged, stored, and remembered for the next run.

import PipelineCore
import PipelineHTTP

/// Makes outcomes. Not thread-safe; each thread has its own.
struct ImageSaver {
    private var store: ImageStore
    private let pictures: StoreDirectory
    private let limitBytes: Int
    private let pixelLimit: Int

    init(_ settings: ImagesSettings, _ pictures: StoreDirectory) {
        store = ImageStore(pictures.files, pixelLimit: settings.pixelLimit)
        self.pictures = pictures
        limitBytes = settings.pictureLimitBytes
        pixelLimit = settings.pixelLimit
    }

    /// Judges and stores a response.
    /// - Throws: what ends the run.
    mutating func outcome(of completion: HTTPClient.Completion) throws(ToolFailure) -> ImageOutcome {
        var end: ImageOutcome
        switch completion.result {
        case .failure(let failure): end = Self.outcome(of: failure)
        case .success(let response):
            let origin = ImageOutcome.Origin(completion.provenance)
            if let note = completion.note {
                end = outcome(ofNote: note, origin)
            } else {
                end = try outcome(of: response.body.span, origin)
                if let slot = completion.slot { try keepNote(of: end, slot) }
            }
            end.http = response.status
        }
        end.attempts = completion.attempts
        return end
    }

    /// The outcome of a picture that the cache has fresh; nil if the store doesn't have it intact.
    func outcome(ofFresh note: [UInt8], http: Int) -> ImageOutcome? {
        guard let image = StoredImage(note: note, in: pictures.files.path), pictures.holds(image) else {
            return nil
        }
        var outcome = outcome(ofStored: image, .cached)
        outcome.http = http
        return outcome
    }

    /// Judges and stores the content of a data URL.
    mutating func outcome(ofData url: String) throws(ToolFailure) -> ImageOutcome {
        guard let content = DataURL.content(url) else {
            return .failed(ImageFault("a data URL that is broken; the source has to fix it"), .protocolError)
        }
        guard content.count <= limitBytes else {
            return .failed(ImageFault(.tooManyBytes(limit: limitBytes)), .protocolError)
        }
        return try outcome(of: content.span, .data)
    }

    /// Stores the placeholder.
    mutating func placeholder(_ path: String?) throws(ToolFailure) -> StoredImage {
        try Placeholder.stored(path, in: &store, limitBytes: limitBytes)
    }

    static func outcome(of failure: HTTPFailure) -> ImageOutcome {
        let exitStatus = failure.exitStatus
        var outcome = ImageOutcome.failed(
            ImageFault(failure), exitStatus == .usage ? .protocolError : exitStatus)
        outcome.http = failure.httpStatus
        return outcome
    }

    private mutating func outcome(
        of bytes: Span<UInt8>, _ origin: ImageOutcome.Origin
    ) throws(ToolFailure) -> ImageOutcome {
        switch try store.keep(bytes) {
        case .success(let image): return .having(image, origin)
        case .failure(let error): return .failed(ImageFault(error), .protocolError)
        }
    }

    /// Remembers the picture, or that there was none, for a later run.
    private mutating func keepNote(of outcome: ImageOutcome, _ slot: CacheReservation) throws(ToolFailure) {
        if let image = outcome.image {
            slot.keep(note: image.note, try store.digest())
        } else if let fault = outcome.fault {
            slot.keep(unusable: fault.note, try store.digest())
        }
    }

    /// The outcome of a response that an earlier run got.
    private func outcome(ofNote note: [UInt8], _ origin: ImageOutcome.Origin) -> ImageOutcome {
        if let fault = ImageFault(note: note) { return .failed(fault, .protocolError) }
        guard let image = StoredImage(note: note, in: pictures.files.path) else {
            let text = "the cache has a note that can't be read; run it again with --cache none"
            return .failed(ImageFault(text), .unavailable)
        }
        return outcome(ofStored: image, origin)
    }

    /// A run may allow only smaller pictures than the one that stored it.
    private func outcome(ofStored image: StoredImage, _ origin: ImageOutcome.Origin) -> ImageOutcome {
        guard image.bytes <= limitBytes else {
            return .failed(ImageFault(.tooManyBytes(limit: limitBytes)), .protocolError)
        }
        do throws(ImageError) { try image.facts.check(pixelLimit: pixelLimit) } catch {
            return .failed(ImageFault(error), .protocolError)
        }
        return .having(image, origin)
    }
}
