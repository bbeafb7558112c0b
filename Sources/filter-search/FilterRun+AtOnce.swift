// Searches several files, or the parts of a large one, with several threads. The output and messages are those of a
// single thread, in the same order.

import PipelineCore

extension FilterRun {
    private typealias Crew = WorkerPool<FileParts.Part, Findings>

    /// More threads than this would exceed the memory that a run may take.
    private static let mostThreads = 4

    mutating func readAtOnce(_ files: ArraySlice<String>) throws(ToolFailure) {
        let count = min(WorkerThread.processorCount, Self.mostThreads)
        let settings = settings
        let crew = try ToolFailure.onSystemError { () throws(SystemError) in
            try Crew(threads: count) { Self.searcher(settings) }
        }
        try join(files, crew, ahead: 2 * count)
    }

    /// The work of one thread.
    private static func searcher(_ settings: FilterSettings) -> (FileParts.Part) -> Findings {
        do throws(ToolFailure) {
            let filter = try RecordFilter.checked(settings)
            var run = try FilterRun(
                settings, filter, Diagnostics(tool: Command.filterSearch.name), isPart: true)
            return { part in run.findings(in: part) }
        } catch {
            let failure = error
            return { _ in Findings(failure: failure) }
        }
    }

    /// Adds the findings in the order of the files, and hands out up to `ahead` parts in advance.
    private mutating func join(_ files: ArraySlice<String>, _ crew: Crew, ahead: Int) throws(ToolFailure) {
        var parts = FileParts(files)
        var pieces: [FileParts.Piece] = []
        var lines = 0
        var bytes = 0
        while true {
            while pieces.count < ahead, let piece = parts.next() {
                if case .part(let part) = piece { crew.submit(part) }
                pieces.append(piece)
            }
            guard !pieces.isEmpty else { return }
            switch pieces.removeFirst() {
            case .stream(let path): try read(path)
            case .part(let part):
                let findings = try ToolFailure.onSystemError(crew.nextOutcome)
                if part.bytes.lowerBound == 0 { (lines, bytes) = (0, 0) }
                try add(findings, of: part, after: lines)
                lines += findings.input.lines
                bytes += findings.bytes
                if part.isLast {
                    try ToolFailure.onSystemError { () throws(SystemError) in try part.end(after: bytes) }
                }
            }
        }
    }
}
