// What is known of the user's terminal.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

package enum Terminal {
    private static let usualColumns = 80
    /// The values of COLUMNS that are believed; no terminal is as wide as a wrong number.
    private static let possibleColumns = 1...10_000

    /// The width of the terminal at stdout, else COLUMNS, else 80, or less if stderr is narrower (with a pager).
    package static var columns: Int {
        width(at: .standardOutput) ?? statedColumns
            ?? min(width(at: .standardError) ?? usualColumns, usualColumns)
    }

    /// The width of the terminal at that end, else COLUMNS, else 80.
    package static func columns(of stream: Descriptor) -> Int {
        width(at: stream) ?? statedColumns ?? usualColumns
    }

    private static var statedColumns: Int? {
        Environment.value("COLUMNS").flatMap { Int($0) }.flatMap { possibleColumns.contains($0) ? $0 : nil }
    }

    private static func width(at stream: Descriptor) -> Int? {
        var size = winsize()
        let isKnown = unsafe ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : nil
    }

    /// Whether drawing on stderr disturbs nobody: a pager or an editor reads the terminal's keys one by one, and a
    /// run in the background doesn't own the terminal. True if there is no terminal.
    package static var isOurs: Bool {
        var mode = termios()
        if unsafe tcgetattr(2, &mode) == 0, mode.c_lflag & tcflag_t(ICANON) == 0 { return false }
        let group = tcgetpgrp(2)
        return group < 0 || group == getpgrp()
    }

    /// Whether the terminal can go back in a line and erase it.
    package static var canErase: Bool { !["", "dumb"].contains(Environment.value("TERM") ?? "") }
}
