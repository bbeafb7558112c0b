// Jobs that several threads do, handed back in their order.

import PipelineCore
import Synchronization
import Testing

@Suite("A crew of threads")
struct WorkerPoolTests {
    @Test(arguments: [1, 2, 7])
    func `hands back what came of each job, in the order of the jobs`(threads count: Int) throws {
        let crew = try WorkerPool<Int, String>(threads: count) {
            var number = 0
            return { job in
                number += 1
                return "\(job):\(job * job):\(number > 0)"
            }
        }
        var outcomes: [String] = []
        for job in 0..<5 { crew.submit(job) }
        for job in 5..<300 {
            crew.submit(job)
            outcomes.append(try crew.nextOutcome())
        }
        for _ in 0..<5 { outcomes.append(try crew.nextOutcome()) }
        #expect(outcomes == (0..<300).map { "\($0):\($0 * $0):true" })
    }

    @Test
    func `ends with jobs that nobody asks for, after it has done them`() throws {
        let done = Mutex(0)
        do {
            let crew = try WorkerPool<Int, Void>(threads: 1) { { _ in done.withLock { $0 += 1 } } }
            for job in 0..<9 { crew.submit(job) }
        }
        #expect(done.withLock { $0 } == 9)
    }

    @Test
    func `takes no more jobs than may wait`() throws {
        let gate = Mutex(())
        let crew = try WorkerPool<Int, Int>(threads: 1, limit: 2) { { job in gate.withLock { _ in job } } }
        let isTaken = gate.withLock { _ in (0..<9).map { crew.submit($0) } }
        // One may be with the thread already.
        #expect((2...3).contains(isTaken.count { $0 }))
        #expect(crew.pendingCount == isTaken.count { $0 })
    }

    @Test
    func `rings when the outcomes of all jobs that waited are there`() throws {
        let crew = try WorkerPool<Int, Int>(threads: 1) { { $0 } }
        var outcomes: [Int] = []
        for job in 0..<50 { crew.submit(job) }
        while outcomes.count < 50 {
            if crew.awaitOutcomes() { #expect(crew.bell.isReady(toRead: true, withinMilliseconds: 60_000)) }
            outcomes += crew.takeOutcomes()
        }
        #expect(outcomes == Array(0..<50))
        #expect(crew.pendingCount == 0)
    }
}
