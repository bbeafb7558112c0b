// Jobs that several threads do, handed back in their order.

import PipelineCore
import Testing

@Suite("A crew of threads")
struct WorkerPoolTests {
    @Test("hands back what came of each job, in the order of the jobs", arguments: [1, 2, 7])
    func order(threads count: Int) throws {
        let crew = try WorkerPool<Int, String>()
        let threads = try (0..<count).map { _ in
            try WorkerThread.start {
                while let (number, job) = crew.take() { crew.finish(number, "\(number):\(job * job)") }
            }
        }
        var outcomes: [String] = []
        for job in 0..<5 { try crew.submit(job) }
        for job in 5..<300 {
            try crew.submit(job)
            outcomes.append(try crew.nextOutcome())
        }
        for _ in 0..<5 { outcomes.append(try crew.nextOutcome()) }
        try crew.end(threads)
        #expect(outcomes == (0..<300).map { "\($0):\($0 * $0)" })
    }

    @Test("ends with jobs that nobody asks for")
    func unasked() throws {
        let crew = try WorkerPool<Int, Int>()
        let thread = try WorkerThread.start { while let (number, job) = crew.take() { crew.finish(number, job) } }
        for job in 0..<9 { try crew.submit(job) }
        try crew.end([thread])
    }
}
