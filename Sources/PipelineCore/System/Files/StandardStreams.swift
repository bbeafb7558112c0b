// Makes sure that all three standard streams are open.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Descriptors 0 to 2.
enum StandardStreams {
    /// Fills the descriptors that are closed, so that no file opened later gets one of these numbers and the data
    /// meant for it. They stay unusable: the first write to stdout fails, as on a closed descriptor.
    static func occupy() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is taken, which is this one.
            _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
