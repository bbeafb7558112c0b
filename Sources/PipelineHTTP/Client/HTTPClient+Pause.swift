// What the line of progress says while a service has asked to be left alone, or the rate has to be kept.

import PipelineCore

extension HTTPClient {
    /// A shorter wait isn't worth a word.
    private static let leastPauseSeconds = 1.0

    /// Shows whether anything is under way, and what is waited for where nothing is.
    func showPause() {
        guard let progress = options.progress else { return }
        let pause = pause
        progress.update { $0.pause = pause }
    }

    /// The wait for the next request, nil while one is under way or a response is there.
    private var pause: ProgressFigures.Pause? {
        guard running.isEmpty, !hasCompleted, let next = waiting.min(by: { $0.dueSeconds < $1.dueSeconds }) else {
            return nil
        }
        let seconds = next.dueSeconds - MonotonicClock.seconds
        guard seconds >= Self.leastPauseSeconds else { return nil }
        // Requests that wait after a failed one know nothing of its response.
        let origin = next.url.origin
        let failed = waiting.first { !$0.isVisiting && $0.head.isComplete && $0.url.origin == origin }
        let status = failed.map { " (\($0.head.status))" } ?? ""
        return ProgressFigures.Pause(seconds: Int(seconds.rounded(.up)), reason: next.url.authority + status)
    }
}
