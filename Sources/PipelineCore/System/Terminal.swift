// What is known of the terminal at the other end.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The user's terminal.
package enum Terminal {
    /// The width of the terminal at stdout, else of COLUMNS, else 80.
    package static var columns: Int { columns(of: .standardOutput) }

    /// The width of the terminal at that end, else of COLUMNS, else 80.
    package static func columns(of stream: Descriptor) -> Int {
        var size = winsize()
        if unsafe ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return Environment.value("COLUMNS").flatMap { Int($0) } ?? 80
    }

    /// Whether the terminal is one that can go back in a line and erase it.
    package static var canErase: Bool { !["", "dumb"].contains(Environment.value("TERM") ?? "") }
}
