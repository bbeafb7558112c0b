// The deadline of a run while it works on what has come: a page may have a million records, all of them at once. While a
// request is waited for, the client keeps the deadline.

import PipelineCore

struct RunDeadline {
    /// The bytes of records between two looks at the clock, a small part of a second's work.
    private static let bytesBetweenLooks = 64 << 10

    private let endSeconds: Double
    private var bytesToLook = Self.bytesBetweenLooks

    /// - Parameter seconds: from now on.
    init(seconds: Double) { endSeconds = MonotonicClock.seconds + seconds }

    var isPast: Bool { endSeconds < .infinity && MonotonicClock.seconds >= endSeconds }

    var failure: ToolFailure {
        ToolFailure(.tryLater, "the deadline passed before the last record; raise --deadline, or try later")
    }

    /// - Parameter bytes: of the next record.
    /// - Throws: status 75 once the deadline has passed, now and then.
    mutating func check(_ bytes: Int) throws(ToolFailure) {
        bytesToLook -= bytes
        guard bytesToLook <= 0 else { return }
        bytesToLook = Self.bytesBetweenLooks
        if isPast { throw failure }
    }
}
