// Which options --input can be combined with.

import PipelineCore
import PipelineHTTP

extension FetchSettings {
    /// - Throws: if another option has no meaning where no service is asked.
    func checkInput(_ source: Source) throws(UsageError) {
        guard inputPath != nil else {
            guard !source.isOfNoService || baseURL != nil || action == .plan else {
                throw UsageError(
                    "\(source.name) describes the answers of no service; give one with --input, or its URL with --base-url"
                )
            }
            return
        }
        if let option = given.first(where: { !Self.optionsOfInput.contains($0) }) {
            throw UsageError("--input reads an answer and sends no requests; leave out \(option)")
        }
        guard source.expand.isEmpty else {
            throw UsageError("the records of \(source.name) take further requests, and --input sends none")
        }
    }

    /// The options that --input takes.
    private static let optionsOfInput: Set = [
        "--input", "--source", "--base-url", "--limit", "--raw", "--seal", "--expect", "--min-records", "--report",
        "--quiet", "--progress",
    ]
}
