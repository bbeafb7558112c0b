// Threads that take jobs from one queue; what comes of them is handed back in the order of the jobs.
//
//     submit:   1 2 3 4                           a byte in a pipe for each job: a thread that reads one takes a job
//     threads:      1   2      3    4
//     outcome:          1 … 2 …                   a byte in another one for each that is done
//
// Pipes and not conditions, so that a wait ends when a signal asks the run to end.

import Synchronization

/// A queue of jobs and the threads that do them. Jobs and outcomes that wait are in memory: the owner bounds their number.
package final class WorkerPool<Job: Sendable, Outcome: Sendable>: Sendable {
    private struct State {
        /// Jobs that no thread has taken, the first one last.
        var jobs: [(number: Int, job: Job)] = []
        var outcomes: [Int: Outcome] = [:]
        var submitted = 0
        var handedBack = 0
    }

    private let state = Mutex(State())
    private let tickets: (reading: Descriptor, writing: Descriptor)
    private let results: (reading: Descriptor, writing: Descriptor)

    package init() throws(SystemError) {
        tickets = try Descriptor.pipe("a pipe between threads")
        results = try Descriptor.pipe("a pipe between threads")
    }

    /// Adds a job.
    package func submit(_ job: Job) throws(SystemError) {
        state.withLock { state in
            state.jobs.insert((state.submitted, job), at: 0)
            state.submitted += 1
        }
        try tickets.writing.writeAll([1].span)
    }

    /// For the threads: the next job, nil where there will be none.
    package func take() -> (number: Int, job: Job)? {
        var byte: [UInt8] = [0]
        do throws(SystemError) {
            guard try tickets.reading.read(into: &byte, 0..<1) == 1 else { return nil }
        } catch {
            return nil
        }
        return state.withLock { $0.jobs.popLast() }
    }

    /// For the threads: what came of a job.
    package func finish(_ number: Int, _ outcome: Outcome) {
        state.withLock { $0.outcomes[number] = outcome }
        do throws(SystemError) {
            try results.writing.writeAll([1].span)
        } catch {
            // The pipe is the process's own and never full; without it the one who waits ends with the next signal.
        }
    }

    /// Waits for the outcome of the first job that has not been handed back.
    /// - Throws: where a signal asks the run to end.
    package func nextOutcome() throws(SystemError) -> Outcome {
        var byte: [UInt8] = [0]
        while true {
            let outcome = state.withLock { state in
                let outcome = state.outcomes.removeValue(forKey: state.handedBack)
                state.handedBack += outcome == nil ? 0 : 1
                return outcome
            }
            if let outcome { return outcome }
            _ = try results.reading.read(into: &byte, 0..<1)
        }
    }

    /// No job comes any more: the threads end, and are waited for.
    package func end(_ threads: [WorkerThread]) throws(SystemError) {
        try tickets.writing.close()
        for thread in threads { thread.join() }
        try tickets.reading.close()
        try results.reading.close()
        try results.writing.close()
    }
}
