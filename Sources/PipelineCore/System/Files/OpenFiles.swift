// How many files the process may have open (`ulimit -n`), and who gets how many of them.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The files that the process may have open at a time.
package enum OpenFiles {
    /// Streams, files of the run, threads' pipes, the certificates and the configuration that libraries read.
    private static let reserve = 40
    /// What a connection takes while a name is resolved, or two addresses are tried.
    private static let perConnection = 2

    /// All of them.
    private static var limit: Int {
        var limit = rlimit()
        #if canImport(Darwin)
        let result = unsafe getrlimit(RLIMIT_NOFILE, &limit)
        #else
        let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        return result == 0 ? Int(clamping: limit.rlim_cur) : 256
    }

    /// Folders that may be held open because that is faster.
    static var directories: Int { limit / 4 }

    /// Connections that there is room for: at least one, so that what fails says what it lacks.
    /// - Parameter wanted: as many as that, if they can be had.
    package static func connections(_ wanted: Int) -> Int {
        let limit = limit
        return min(wanted, max(1, (limit - limit / 4 - reserve) / perConnection))
    }
}
