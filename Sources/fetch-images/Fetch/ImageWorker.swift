// A second thread that judges, hashes and writes pictures while the first one fetches. Its queue has a limit, past
// which the first thread does the work itself. It also helps where it would only wait for a response: over HTTP/2,
// pictures that were requested together come together. So neither thread waits for the other.

import PipelineCore
import PipelineHTTP

/// Makes outcomes on two threads.
struct ImageWorker {
    /// The most pictures that wait for the second thread, and their bytes: enough to keep it busy, and few enough to
    /// stay in the processor's cache.
    private static let limit = 32
    private static let limitBytesTogether = 4 << 20
    /// The most bytes of one of them.
    private static let limitBytes = 1 << 20

    private struct Result: Sendable {
        /// It goes back to the thread that made it: memory is freed fastest where it was allocated.
        private var completion: HTTPClient.Completion?
        let tag: Int
        let outcome: Swift.Result<ImageOutcome, ToolFailure>

        init(of completion: HTTPClient.Completion, _ outcome: Swift.Result<ImageOutcome, ToolFailure>) {
            self.completion = completion
            tag = completion.tag
            self.outcome = outcome
        }

        /// Gives the memory of the body away, so that it has only one owner.
        mutating func takeBody() -> [UInt8] {
            guard case .success(let response) = completion?.result else { return [] }
            completion = nil
            return response.body
        }
    }

    private typealias Pool = WorkerPool<HTTPClient.Completion, Result>

    private let settings: ImagesSettings
    private let pictures: StoreDirectory
    private var saver: ImageSaver
    /// Started for the first picture.
    private var worker: Pool?
    /// Whether the system has no thread for it.
    private var isAlone = false
    /// Bytes in the second thread's queue.
    private var pendingBytes = 0

    init(_ settings: ImagesSettings, _ pictures: StoreDirectory) {
        self.settings = settings
        self.pictures = pictures
        saver = ImageSaver(settings, pictures)
    }

    /// The second thread; nil if the system has none.
    private mutating func started() -> Pool? {
        if worker == nil, !isAlone {
            let (settings, pictures) = (settings, pictures)
            do throws(SystemError) {
                worker = try WorkerPool(threads: 1, limit: Self.limit) {
                    var saver = ImageSaver(settings, pictures)
                    return { Self.result(of: $0, &saver) }
                }
            } catch {
                isAlone = true
            }
        }
        return worker
    }

    private static func result(of completion: HTTPClient.Completion, _ saver: inout ImageSaver) -> Result {
        do throws(ToolFailure) {
            return Result(of: completion, .success(try saver.outcome(of: completion)))
        } catch {
            return Result(of: completion, .failure(error))
        }
    }

    /// Whether results are still to come.
    var isBusy: Bool { worker.map { $0.pendingCount > 0 } ?? false }

    /// Judges and stores a response.
    /// - Returns: nil if the second thread does it; `take` then returns the outcome.
    mutating func outcome(of completion: HTTPClient.Completion) throws(ToolFailure) -> ImageOutcome? {
        if case .success(let response) = completion.result, completion.note == nil,
            response.body.count <= Self.limitBytes, pendingBytes + response.body.count <= Self.limitBytesTogether,
            let worker = started(), worker.submit(completion)
        {
            pendingBytes += response.body.count
            return nil
        }
        return try saver.outcome(of: completion)
    }

    /// Judges and stores a picture that waits for the second thread.
    /// - Returns: nil if none waits.
    mutating func help(_ client: inout HTTPClient) throws(ToolFailure) -> (tag: Int, outcome: ImageOutcome)? {
        guard let completion = worker?.takeBack() else { return nil }
        let outcome = try saver.outcome(of: completion)
        var result = Result(of: completion, .success(outcome))
        let body = result.takeBody()
        pendingBytes -= body.count
        client.recycle(body)
        return (result.tag, outcome)
    }

    /// The outcome of a picture that the cache has fresh; nil if the store doesn't have it intact.
    func outcome(ofNote note: [UInt8], http: Int) -> ImageOutcome? { saver.outcome(ofFresh: note, http: http) }

    mutating func outcome(ofData url: String) throws(ToolFailure) -> ImageOutcome {
        try saver.outcome(ofData: url)
    }

    mutating func placeholder(_ path: String?) throws(ToolFailure) -> StoredImage { try saver.placeholder(path) }

    /// The outcomes that the second thread has ready, with the tags of their requests.
    /// - Parameter client: gets the memory of the responses back.
    mutating func take(_ client: inout HTTPClient) throws(ToolFailure) -> [(tag: Int, outcome: ImageOutcome)] {
        guard let worker else { return [] }
        var outcomes: [(tag: Int, outcome: ImageOutcome)] = []
        var results = worker.takeOutcomes()
        while var result = results.popLast() {
            let body = result.takeBody()
            pendingBytes -= body.count
            client.recycle(body)
            outcomes.append((result.tag, try result.outcome.get()))
        }
        return outcomes.reversed()
    }

    /// The descriptor that becomes readable with the next result; nil if none is to come.
    /// - Returns: also whether a result is already available.
    func bell() -> (bell: Descriptor?, isReady: Bool) {
        guard let worker, isBusy else { return (nil, false) }
        return worker.awaitOutcomes() ? (worker.bell, false) : (nil, true)
    }
}
