// What is known of the terminal at the other end.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The user's terminal.
package enum Terminal {
    /// The width of the terminal at stdout, else of COLUMNS, else 80.
    package static var columns: Int {
        var size = winsize()
        if unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return Environment.value("COLUMNS").flatMap { Int($0) } ?? 80
    }
}
