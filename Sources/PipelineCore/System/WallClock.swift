// The date and time, to compare with what other machines send. Use the monotonic clock for durations.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's wall clock.
package enum WallClock {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    package static var epochSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
