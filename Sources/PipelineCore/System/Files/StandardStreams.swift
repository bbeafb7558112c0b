// The three streams that a process is given, where it isn't given all of them.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Descriptors 0 to 2.
enum StandardStreams {
    /// Takes the places of those that are closed, so that no file that is opened later gets the number of one and with it
    /// what is meant for it. They stay of no use: the first write to stdout fails, as it does on a closed one.
    static func occupy() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is taken, and that is this one.
            _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
