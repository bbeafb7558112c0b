// How many files the process may have open (`ulimit -n`), and how they are shared out.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

package enum OpenFiles {
    /// Streams, the run's files, the threads' pipes, and the certificates and configuration that libraries read.
    private static let reserve = 40
    /// What a connection takes while a name is resolved or two addresses are tried.
    private static let perConnection = 2

    private static var limit: Int {
        var limit = rlimit()
        #if canImport(Darwin)
        let result = unsafe getrlimit(RLIMIT_NOFILE, &limit)
        #else
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        return result == 0 ? Int(clamping: limit.rlim_cur) : 256
    }

    /// The number of directories that may be held open for speed.
    static var directories: Int { limit / 4 }

    /// The number of connections that there is room for: at least one, so that a failure says what is missing.
    /// - Parameter wanted: the maximum.
    package static func connections(_ wanted: Int) -> Int {
        let limit = limit
        return min(wanted, max(1, (limit - limit / 4 - reserve) / perConnection))
    }
}
