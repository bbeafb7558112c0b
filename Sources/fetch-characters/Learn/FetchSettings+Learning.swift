// Which options --learn can be combined with.

import PipelineCore
import PipelineHTTP

extension FetchSettings {
    /// Checks the options of a run that learns.
    func checkLearning() throws(UsageError) {
        guard learntURL != nil else {
            if learntKey != nil { throw UsageError("--learn-key is about the key of --learn; leave it out") }
            return
        }
        guard action == .fetch || action == .plan else {
            throw UsageError("--learn finds a description out; leave out --list-sources and --show-source")
        }
        if let option = given.first(where: { !Self.optionsOfLearning.contains($0) }) {
            throw UsageError(
                "--learn finds a description out, with each request once and no cache, and fetches no list; leave out "
                    + option)
        }
        if keyFile != nil, learntKey == nil {
            throw UsageError(
                "--key-file needs --learn-key, which says where the key goes: header:NAME or query:NAME")
        }
        try client.check()
    }

    /// The options that --learn takes.
    private static let optionsOfLearning: Set = [
        "--learn", "--learn-key", "--key-file", "--base-url", "--plan", "--explain", "--report", "--quiet",
        "--progress",
        "--connect-timeout", "--timeout", "--deadline", "--rate", "--user-agent", "--record", "--replay",
    ]
}
