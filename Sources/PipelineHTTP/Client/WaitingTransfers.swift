// The transfers that wait: for the next attempt, or until their origin may get a request.

import PipelineCore

/// Transfers, each with its due time.
struct WaitingTransfers {
    /// The progress line doesn't mention a shorter wait.
    private static let leastPauseSeconds = 1.0

    private var transfers: [Transfer] = []

    var count: Int { transfers.count }

    mutating func add(_ transfer: Transfer, until dueSeconds: Double) {
        transfer.dueSeconds = dueSeconds
        transfers.append(transfer)
    }

    /// Removes and returns those that are due.
    mutating func takeDue(now: Double) -> [Transfer] {
        guard transfers.contains(where: { $0.dueSeconds <= now }) else { return [] }
        let due = transfers.filter { $0.dueSeconds <= now }
        transfers.removeAll { $0.dueSeconds <= now }
        return due
    }

    mutating func takeAll() -> [Transfer] {
        defer { transfers.removeAll() }
        return transfers
    }

    /// When the first one is due, infinite if there is none.
    var dueSeconds: Double { transfers.reduce(.infinity) { min($0, $1.dueSeconds) } }

    /// What the progress line says about the wait, nil for a short one.
    func pause(now: Double) -> ProgressFigures.Pause? {
        guard let next = transfers.min(by: { $0.dueSeconds < $1.dueSeconds }),
            next.dueSeconds - now >= Self.leastPauseSeconds
        else { return nil }
        // Requests that wait because another one failed don't have its response.
        let origin = next.url.origin
        let failed = transfers.first { !$0.isVisiting && $0.response.head.isComplete && $0.url.origin == origin }
        let status = failed.map { " (\($0.response.head.status))" } ?? ""
        return .wait(
            seconds: Int((next.dueSeconds - now).rounded(.up)), reason: next.url.authority + status)
    }
}
