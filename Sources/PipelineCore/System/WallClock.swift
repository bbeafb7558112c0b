// The date and time, for what other machines say about theirs. Durations are the monotonic clock's.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's clock of the day.
package enum WallClock {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds left out.
    package static var epochSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
