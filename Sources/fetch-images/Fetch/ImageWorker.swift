// A second thread that judges, hashes and writes pictures while the first one fetches. Its queue has a limit, past
// which the first thread does the work itself, so neither waits for the other.

import PipelineCore
import PipelineHTTP

/// Makes outcomes on two threads.
struct ImageWorker {
    /// The most pictures that wait for the second thread: more than come at once, so that the first one stays free.
    private static let limit = 128
    /// The most bytes of one of them, and of all that wait.
    private static let limitBytes = 1 << 20
    private static let limitBytesTogether = 8 << 20

    private struct Result: Sendable {
        let tag: Int
        let outcome: Swift.Result<ImageOutcome, ToolFailure>
        /// The response's body, so that its memory can be reused.
        var body: [UInt8]

        /// Gives the memory away, so that it has only one owner.
        mutating func takeBody() -> [UInt8] {
            defer { body = [] }
            return body
        }
    }

    private var keeper: ImageSaver
    /// Nil if the system has no thread.
    private let worker: WorkerPool<HTTPClient.Completion, Result>?
    /// Bytes in the second thread's queue.
    private var pendingBytes = 0

    init(_ settings: ImagesSettings) throws(ToolFailure) {
        let directory = LazyDirectory(settings.directory)
        keeper = try ImageSaver(settings, directory)
        worker = Self.worker(settings, directory)
    }

    private static func worker(
        _ settings: ImagesSettings, _ directory: LazyDirectory
    ) -> WorkerPool<HTTPClient.Completion, Result>? {
        do throws(SystemError) {
            return try WorkerPool(threads: 1, limit: limit) {
                var keeper: Swift.Result<ImageSaver, ToolFailure> = Self.keeper(settings, directory)
                return { completion in
                    let outcome = Self.outcome(of: completion, &keeper)
                    return Result(tag: completion.tag, outcome: outcome, body: Self.body(of: completion))
                }
            }
        } catch {
            return nil
        }
    }

    private static func body(of completion: HTTPClient.Completion) -> [UInt8] {
        if case .success(let response) = completion.result { response.body } else { [] }
    }

    private static func keeper(
        _ settings: ImagesSettings, _ directory: LazyDirectory
    ) -> Swift.Result<ImageSaver, ToolFailure> {
        do throws(ToolFailure) {
            return .success(try ImageSaver(settings, directory))
        } catch {
            return .failure(error)
        }
    }

    private static func outcome(
        of completion: HTTPClient.Completion, _ keeper: inout Swift.Result<ImageSaver, ToolFailure>
    ) -> Swift.Result<ImageOutcome, ToolFailure> {
        do throws(ToolFailure) {
            var own = try keeper.get()
            defer { keeper = .success(own) }
            return .success(try own.outcome(of: completion))
        } catch {
            return .failure(error)
        }
    }

    /// Whether results are still to come.
    var isBusy: Bool { worker.map { $0.pendingCount > 0 } ?? false }

    /// Judges and stores a response.
    /// - Returns: nil if the second thread does it; `take` then returns the outcome.
    mutating func outcome(of completion: HTTPClient.Completion) throws(ToolFailure) -> ImageOutcome? {
        if let worker, case .success(let response) = completion.result, completion.note == nil,
            response.body.count <= Self.limitBytes, pendingBytes + response.body.count <= Self.limitBytesTogether,
            worker.submit(completion)
        {
            pendingBytes += response.body.count
            return nil
        }
        return try keeper.outcome(of: completion)
    }

    /// The outcome of a picture that the cache has fresh; nil if the store doesn't have it intact.
    func outcome(ofNote note: [UInt8], http: Int) -> ImageOutcome? { keeper.outcome(ofFresh: note, http: http) }

    mutating func outcome(ofData url: String) throws(ToolFailure) -> ImageOutcome {
        try keeper.outcome(ofData: url)
    }

    mutating func placeholder(_ path: String?) throws(ToolFailure) -> StoredImage { try keeper.placeholder(path) }

    /// The outcomes that the second thread has ready, with the tags of their requests.
    /// - Parameter client: gets the memory of the responses back.
    mutating func take(_ client: inout HTTPClient) throws(ToolFailure) -> [(tag: Int, outcome: ImageOutcome)] {
        guard let worker else { return [] }
        var outcomes: [(tag: Int, outcome: ImageOutcome)] = []
        var results = worker.takeOutcomes()
        while var result = results.popLast() {
            pendingBytes -= result.body.count
            client.recycle(result.takeBody())
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
