// What is known of the user's terminal.

import CLibrary
import Synchronization

package enum Terminal {
    private static let usualColumns = 80
    /// The values of COLUMNS that are believed; no terminal is as wide as a wrong number.
    private static let possibleColumns = 1...10_000

    /// The width of the terminal at stdout, else COLUMNS, else 80, or less if stderr is narrower (with a pager).
    package static var columns: Int {
        width(at: .standardOutput) ?? statedColumns
            ?? min(width(at: .standardError) ?? usualColumns, usualColumns)
    }

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

/// The last line of the user's terminal, where a run shows its progress.
///
/// The tools of a pipeline share one terminal, and only one of them draws: the one that holds a lock on its device.
/// The cursor stays at the beginning of the line, so that other programs' output overwrites it.
package enum TerminalLine {
    private static let isDrawn = Atomic<Bool>(false)
    private static let device = Atomic<Int32>(-1)

    /// Erases from the beginning of the line to the end of the screen: a line drawn before the terminal became
    /// narrower spans several.
    private static let erase: StaticString = "\r\u{1B}[J"

    /// Does nothing while another program is drawing.
    package static func draw(_ text: String) {
        guard Terminal.isOurs, holdsLock() else { return }
        isDrawn.store(true, ordering: .relaxed)
        write("\(erase)\(text)\r")
    }

    /// Makes room for other output: erases what this run or another tool has drawn on the same terminal.
    /// - Parameter stream: where the output goes.
    package static func makeRoom(on stream: Descriptor) {
        if isDrawn.exchange(false, ordering: .relaxed) {
            if Terminal.isOurs { write("\(erase)") }
        } else if stream.isTerminal, device.load(ordering: .relaxed) < 0, isTakenElsewhere(stream) {
            write("\(erase)")
        }
    }

    /// Erases the line, and lets another tool draw.
    package static func end() {
        if isDrawn.exchange(false, ordering: .relaxed), Terminal.isOurs { write("\(erase)") }
        let number = device.exchange(-1, ordering: .relaxed)
        if number >= 0 { close(number) }
    }

    /// Like `end`, for a signal handler that ends the process: only atomics and a write.
    static func eraseNow() {
        guard isDrawn.load(ordering: .relaxed) else { return }
        unsafe CLibrary.write(2, erase.utf8Start, erase.utf8CodeUnitCount)
    }

    /// Writes to stderr, whatever it is.
    static func write(_ text: String) {
        // There is nowhere left to report a failure; the exit status has to.
        try? Descriptor.standardError.writeAll(Array(text.utf8).span)
    }

    /// Without a terminal (`CASTLINE_PROGRESS=always` into a file) nobody else draws.
    private static func holdsLock() -> Bool {
        guard device.load(ordering: .relaxed) < 0, Descriptor.standardError.isTerminal else { return true }
        guard let number = opened(2) else { return true }
        guard isLocked(number) else {
            close(number)
            return false
        }
        device.store(number, ordering: .relaxed)
        return true
    }

    private static func isTakenElsewhere(_ stream: Descriptor) -> Bool {
        guard let number = opened(stream.rawValue) else { return false }
        defer { close(number) }
        return !isLocked(number)
    }

    /// Opens that descriptor's terminal again: a lock belongs to an opening, and the shell's is shared.
    private static func opened(_ stream: Int32) -> Int32? {
        var path = [CChar](repeating: 0, count: 256)
        guard unsafe ttyname_r(stream, &path, path.count) == 0 else { return nil }
        let number = unsafe open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        return number >= 0 ? number : nil
    }

    /// If devices can't be locked, every tool may draw.
    private static func isLocked(_ number: Int32) -> Bool {
        flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
}
