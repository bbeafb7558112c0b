// A second thread that judges, hashes and writes pictures while the first one fetches. Its queue has a limit, past
// which the first thread does the work itself.

import PipelineCore
import PipelineHTTP

struct ImageWorker {
    /// The most pictures that wait for the second thread, and their bytes: enough to keep it busy, and few enough to
    /// stay in the processor's cache.
    private static let limit = 32
    private static let limitBytesTogether = 4 << 20
    private static let limitBytes = 1 << 20

    private typealias Judged = (tag: Int, bytes: Int, outcome: Result<ImageOutcome, ToolFailure>)
    private typealias Pool = WorkerPool<(HTTPClient.Completion, bytes: Int), Judged>

    let saver: ImageSaver
    private let settings: ImagesSettings
    private let pictures: StoreDirectory
    private var worker: Pool?
    /// Whether the system has no thread for it.
    private var isAlone = false
    /// The first picture is the first thread's: a run of one picture needs no second thread.
    private var hasBegun = false
    private var pendingBytes = 0

    init(_ settings: ImagesSettings, _ pictures: StoreDirectory) {
        self.settings = settings
        self.pictures = pictures
        saver = ImageSaver(settings, pictures)
    }

    private mutating func started() -> Pool? {
        if worker == nil, !isAlone {
            worker = try? WorkerPool(threads: 1, limit: Self.limit) { [settings, pictures] in
                let saver = ImageSaver(settings, pictures)
                return { work in
                    let outcome = Result { () throws(ToolFailure) in try saver.outcome(of: work.0) }
                    return (work.0.tag, work.bytes, outcome)
                }
            }
            isAlone = worker == nil
        }
        return worker
    }

    /// Judges and stores a response.
    /// - Returns: nil if the second thread does it; `take` then returns the outcome.
    mutating func outcome(of completion: HTTPClient.Completion) throws(ToolFailure) -> ImageOutcome? {
        defer { hasBegun = true }
        if hasBegun, case .success(let response) = completion.result, completion.note == nil,
            response.body.count <= Self.limitBytes, pendingBytes + response.body.count <= Self.limitBytesTogether,
            let worker = started(), worker.submit((completion, response.body.count))
        {
            pendingBytes += response.body.count
            return nil
        }
        return try saver.outcome(of: completion)
    }

    mutating func take() throws(ToolFailure) -> [(tag: Int, outcome: ImageOutcome)] {
        try (worker?.takeOutcomes() ?? []).map { (judged) throws(ToolFailure) in
            pendingBytes -= judged.bytes
            return (judged.tag, try judged.outcome.get())
        }
    }

    func bell() -> (bell: Descriptor?, isReady: Bool) {
        guard let worker, worker.pendingCount > 0 else { return (nil, false) }
        return worker.awaitOutcomes() ? (worker.bell, false) : (nil, true)
    }
}

/// From a response to the outcome of a record: judged, stored, and remembered for the next run. Each thread has its own.
struct ImageSaver {
    /// A PNG of 64 by 64 pixels.
    private static let greySquare =
        "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKklEQVR42u3MQREAAAwCIPunMpoh9ttBANKjCAQCgUAgEAgEAoFA"
        + "IPgeDMcLALWWy9nxAAAAAElFTkSuQmCC"

    private let settings: ImagesSettings
    private let pictures: StoreDirectory
    private let judge = ImageJudge()

    init(_ settings: ImagesSettings, _ pictures: StoreDirectory) {
        self.settings = settings
        self.pictures = pictures
    }

    private var limitBytes: Int { settings.pictureLimitBytes }

    func outcome(of completion: HTTPClient.Completion) throws(ToolFailure) -> ImageOutcome {
        var end: ImageOutcome
        switch completion.result {
        case .failure(let failure): end = ImageOutcome(failure)
        case .success(let response):
            let origin = completion.provenance.rawValue
            if let note = completion.note {
                end = outcome(ofNote: note, origin)
            } else {
                end = try outcome(of: response.body.span, origin)
                // A later run remembers the picture, or that there was none.
                if let image = end.image {
                    completion.reservation?.keep(image.note)
                } else if let fault = end.fault {
                    completion.reservation?.keep(unusable: fault.note)
                }
            }
        }
        return end
    }

    /// The outcome of a picture that the cache has fresh; nil if the store doesn't have it intact.
    func outcome(ofFresh note: [UInt8]) -> ImageOutcome? {
        guard let image = StoredImage(note: note, in: pictures.path), pictures.holds(image) else {
            return nil
        }
        return outcome(ofStored: image, HTTPProvenance.cached.rawValue)
    }

    func outcome(ofData url: String) throws(ToolFailure) -> ImageOutcome {
        guard let content = DataURL.content(url) else {
            return ImageOutcome(ImageFault("a data URL that is broken; it is damaged at its source"))
        }
        guard content.count <= limitBytes else {
            return ImageOutcome(ImageFault(.tooManyBytes(limit: limitBytes)))
        }
        return try outcome(of: content.span, ImageOutcome.data)
    }

    /// Stores the picture that replaces one that can't be had.
    /// - Parameter path: empty for a grey square.
    /// - Throws: status 65 if it isn't a picture, 66 if it can't be read or is too large.
    func placeholder(_ path: String) throws(ToolFailure) -> StoredImage {
        let bytes =
            if path.isEmpty { Base64.decoded(Array(Self.greySquare.utf8).span) ?? [] } else {
                try ToolFailure.of(
                    .noInput, orElse: "choose another file for --placeholder",
                    Descriptor.contents(of: path, limitBytes: limitBytes, mayBeStream: true))
            }
        switch try keep(bytes.span) {
        case .success(let image): return image
        case .failure(let fault):
            let words = fault.description.prefix { $0 != ";" }
            throw ToolFailure(.badData, "--placeholder \(path): \(words); name a picture")
        }
    }

    private func outcome(of bytes: Span<UInt8>, _ origin: String) throws(ToolFailure) -> ImageOutcome {
        switch try keep(bytes) {
        case .success(let image): return ImageOutcome(image, origin: origin)
        case .failure(let error): return ImageOutcome(ImageFault(error))
        }
    }

    private func outcome(ofNote note: [UInt8], _ origin: String) -> ImageOutcome {
        if let fault = ImageFault(note: note) { return ImageOutcome(fault) }
        guard let image = StoredImage(note: note, in: pictures.path) else {
            let text = "the cache has a note that can't be read; run it again with --cache none"
            // Only this run can't have it.
            return ImageOutcome(ImageFault(text, exitStatus: .unavailable))
        }
        return outcome(ofStored: image, origin)
    }

    /// A run may allow only smaller pictures than the one that stored it.
    func outcome(ofStored image: StoredImage, _ origin: String) -> ImageOutcome {
        do throws(ImageError) {
            guard image.bytes <= limitBytes else { throw .tooManyBytes(limit: limitBytes) }
            try image.facts.check()
            return ImageOutcome(image, origin: origin)
        } catch {
            return ImageOutcome(ImageFault(error))
        }
    }

    /// - Throws: what ends the run; an error in the picture itself is the result.
    private func keep(_ bytes: Span<UInt8>) throws(ToolFailure) -> Result<StoredImage, ImageError> {
        let facts: ImageInfo
        do throws(ImageError) { facts = try ImageInfo(of: bytes, judge: judge) } catch {
            return .failure(error)
        }
        var image = StoredImage(
            directory: pictures.path, sha256: SHA256.hexadecimal(SHA256.digest(bytes)),
            bytes: bytes.count, facts: facts)
        let cure = "choose another --dir"
        let files = try ToolFailure.of(
            pictures.files(), as: { ToolFailure(.cannotCreate, $0.advice(orElse: cure)) })
        // One of that name that was damaged since is replaced.
        image.replaced = try ToolFailure.of(
            files.write(image.name, bytes, ifChanged: true),
            as: { $0.isUnusablePlace ? ToolFailure(.cannotCreate, $0.advice(orElse: cure)) : ToolFailure($0) })
        return .success(image)
    }
}
