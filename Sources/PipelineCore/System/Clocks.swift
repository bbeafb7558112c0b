// Time that only goes forward: for durations, deadlines and rates.

import CLibrary

package enum MonotonicClock {
    /// Nanoseconds since a fixed moment of this boot.
    package static var nanoseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    package static var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Waits until the time is over or a signal asks the run to end.
    /// - Returns: false if a signal cut the wait short.
    package static func wait(seconds: Double) -> Bool {
        let end = MonotonicClock.seconds + seconds
        while !Signals.isRequested {
            let rest = end - MonotonicClock.seconds
            guard rest > 0 else { return true }
            // Slices, so that a signal between checking the flag and waiting costs at most a quarter of a second.
            var time = timespec(tv_sec: 0, tv_nsec: Int(min(rest, 0.25) * 1e9))
            unsafe nanosleep(&time, nil)
        }
        return false
    }
}

/// The date and time, to compare with what other machines send. Use the monotonic clock for durations.
package enum WallClock {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    package static var epochSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
