// Threads that take jobs from one queue; the outcomes are returned in the order of the jobs.
//
//     submit:   1 2 3 4                   wakes an idle thread
//     threads:      1   2      3    4
//     outcome:          1 … 2 …           wakes the owner if it waits

import Synchronization

/// A queue of jobs and the threads that do them. It ends with the value, once its jobs are done. Waiting jobs and
/// outcomes are in memory: the owner bounds their number.
package final class WorkerPool<Job: Sendable, Outcome: Sendable>: Sendable {
    /// What the owner waits for.
    private enum Wait {
        case nothing
        /// The outcome of the first job that hasn't been returned.
        case first
        /// Any outcome, once no job waits: an owner that is woken for each gets little else done.
        case batch
    }

    private struct State {
        /// Jobs that no thread has taken, the first one last.
        var jobs: [(number: Int, job: Job)] = []
        var outcomes: [Int: Outcome] = [:]
        var submitted = 0
        var handedBack = 0
        /// Threads that wait for a job.
        var idle = 0
        var isEnding = false
        var wait = Wait.nothing

        mutating func takeFirst() -> Outcome? {
            let outcome = outcomes.removeValue(forKey: handedBack)
            if outcome != nil { handedBack += 1 }
            return outcome
        }
    }

    /// What the threads and their owner share.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let jobs: WakeupPipe
        let outcomes: WakeupPipe

        init() throws(SystemError) {
            jobs = try WakeupPipe()
            outcomes = try WakeupPipe()
        }

        func end(_ threads: [WorkerThread]) {
            state.withLock { state in
                state.isEnding = true
                // Nobody waits for the outcomes of an interrupted run.
                if Signals.isRequested { state.jobs = [] }
            }
            for _ in threads { jobs.signal() }
            for thread in threads { thread.join() }
        }
    }

    private let shared: Shared
    private let limit: Int
    private let threads: [WorkerThread]

    /// Starts the threads.
    /// - Parameters:
    ///   - limit: the maximum number of waiting jobs.
    ///   - begin: called on each thread; returns the function that does the work, with its own state.
    /// - Throws: if the system has no thread or no pipe.
    package init(
        threads count: Int, limit: Int = .max, _ begin: @escaping @Sendable () -> (Job) -> Outcome
    ) throws(SystemError) {
        let shared = try Shared()
        var threads: [WorkerThread] = []
        do throws(SystemError) {
            for _ in 0..<count { threads.append(try WorkerThread { Self.serve(shared, begin()) }) }
        } catch {
            shared.end(threads)
            throw error
        }
        self.shared = shared
        self.limit = limit
        self.threads = threads
    }

    deinit { shared.end(threads) }

    /// Becomes readable when an outcome comes after `awaitOutcomes`.
    package var bell: Descriptor { shared.outcomes.reader }

    /// The number of jobs whose outcomes haven't been taken.
    package var pendingCount: Int { shared.state.withLock { $0.submitted - $0.handedBack } }

    /// Adds a job.
    /// - Returns: false if `limit` jobs are waiting, so the caller had better do it itself.
    @discardableResult
    package func submit(_ job: Job) -> Bool {
        let (isTaken, wakes) = shared.state.withLock { state in
            guard state.jobs.count < limit else { return (false, false) }
            state.jobs.insert((state.submitted, job), at: 0)
            state.submitted += 1
            guard state.idle > 0 else { return (true, false) }
            state.idle -= 1
            return (true, true)
        }
        if wakes { shared.jobs.signal() }
        return isTaken
    }

    /// Takes back the job that was added last, for an owner that would only wait.
    /// - Returns: nil if no job waits for a thread.
    package func takeBack() -> Job? {
        shared.state.withLock { state in
            guard !state.jobs.isEmpty else { return nil }
            state.submitted -= 1
            return state.jobs.removeFirst().job
        }
    }

    /// The available outcomes, up to the first that isn't.
    package func takeOutcomes() -> [Outcome] {
        shared.state.withLock { state in
            state.wait = .nothing
            var outcomes: [Outcome] = []
            while let outcome = state.takeFirst() { outcomes.append(outcome) }
            return outcomes
        }
    }

    /// Requests the bell.
    /// - Returns: false if an outcome is already available.
    package func awaitOutcomes() -> Bool { isAwaited(.batch) }

    /// Waits for the outcome of the first job that hasn't been returned.
    /// - Throws: if a signal asks the run to end.
    package func nextOutcome() throws(SystemError) -> Outcome {
        while true {
            if let outcome = shared.state.withLock({ $0.takeFirst() }) { return outcome }
            if Signals.isRequested { throw .interrupted(bell.name) }
            if isAwaited(.first) { _ = bell.isReady(toRead: true, withinMilliseconds: 250) }
        }
    }

    private func isAwaited(_ wait: Wait) -> Bool {
        // A signal that comes after this one belongs to an outcome that is seen below.
        shared.outcomes.drain()
        return shared.state.withLock { state in
            state.wait = state.outcomes[state.handedBack] == nil ? wait : .nothing
            return state.wait != .nothing
        }
    }

    // MARK: On the threads

    private static func serve(_ shared: Shared, _ work: (Job) -> Outcome) {
        while true {
            let (next, isEnding) = shared.state.withLock { state in
                let next = state.jobs.popLast()
                if next == nil, !state.isEnding { state.idle += 1 }
                return (next, state.isEnding)
            }
            if let next {
                finish(shared, next.number, work(next.job))
            } else if isEnding {
                return
            } else {
                shared.jobs.wait()
            }
        }
    }

    private static func finish(_ shared: Shared, _ number: Int, _ outcome: Outcome) {
        let wakes = shared.state.withLock { state in
            state.outcomes[number] = outcome
            let wakes =
                switch state.wait {
                case .nothing: false
                case .first: number == state.handedBack
                case .batch: state.jobs.isEmpty
                }
            if wakes { state.wait = .nothing }
            return wakes
        }
        // Not under the lock: the owner that is woken needs it.
        if wakes { shared.outcomes.signal() }
    }
}
