// How much memory the bodies of all responses under way may take together. A body of one megabyte can be inflated to
// a thousand, and a service decides how many come at once, so a limit for each alone bounds nothing.
//
//     held by others │ room for the first one
//     ───────────────┴───────────────────────
//     The others pause here, until there is room again. The first one never does, so there is always one that comes to
//     its end, and frees what it held.

import PipelineCore

/// The count of a client's bodies: of its transfers, of its completions, and of the one that its caller has in hand. Not
/// thread-safe.
final class BodyBudget {
    /// For all of them. A single body may be larger, where the caller allows one of that size.
    static let limitBytes = 256 << 20

    private(set) var heldBytes = 0
    /// The transfer that goes on whatever is held. Only while others pause.
    private var first: Transfer?
    private(set) var paused: [Transfer] = []

    /// Whether all transfers may receive: what remains is enough for the largest body that one of them may have, and for the
    /// copy of it that a growing array is for a moment.
    func hasRoom(for transfer: Transfer) -> Bool {
        let reserved = min(2 * transfer.request.limitBytes, Self.limitBytes / 2)
        return heldBytes < Self.limitBytes - reserved
    }

    /// Whether a transfer may receive more.
    func admits(_ transfer: Transfer) -> Bool {
        if hasRoom(for: transfer) { return true }
        if first == nil { first = transfer }
        return first === transfer
    }

    func pause(_ transfer: Transfer) { paused.append(transfer) }

    /// The transfers that pause and may go on now.
    func takeAdmitted() -> [Transfer] {
        guard !paused.isEmpty else { return [] }
        let admitted = paused.filter(admits)
        paused.removeAll { transfer in admitted.contains { $0 === transfer } }
        return admitted
    }

    /// The transfer has ended, or isn't one of the loop any more.
    func forget(_ transfer: Transfer) {
        if first === transfer { first = nil }
        paused.removeAll { $0 === transfer }
    }

    func take(_ bytes: Int) { heldBytes += bytes }

    func release(_ bytes: Int) { heldBytes -= bytes }
}
