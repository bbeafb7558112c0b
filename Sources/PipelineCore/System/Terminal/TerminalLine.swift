// The last line of the user's terminal, where a run shows how far it is.
//
// The tools of a pipeline share one terminal, and one of them draws: the one that holds a lock on its device. The cursor
// waits at the line's beginning, so that what another program prints goes over it and not after it.

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The line that is drawn over and over on stderr.
package enum TerminalLine {
    private static let isDrawn = Atomic<Bool>(false)
    /// The locked device, -1 where none is.
    private static let device = Atomic<Int32>(-1)

    /// Erases from the line's beginning to the screen's end: a line that was drawn before the terminal became narrower
    /// has gone over several.
    private static let erase: StaticString = "\r\u{1B}[J"

    /// Shows the text instead of what is there, if no other program shows its own.
    package static func draw(_ text: String) {
        guard Terminal.isOurs, holdsLock() else { return }
        isDrawn.store(true, ordering: .relaxed)
        write("\(erase)\(text)\r")
    }

    /// Makes room for other output: takes away what this run or another tool on the same terminal has drawn.
    /// - Parameter stream: where the output goes.
    package static func makeRoom(on stream: Descriptor) {
        if isDrawn.exchange(false, ordering: .relaxed) {
            if Terminal.isOurs { write("\(erase)") }
        } else if stream.isTerminal, device.load(ordering: .relaxed) < 0, isTakenElsewhere(stream) {
            write("\(erase)")
        }
    }

    /// Takes away what is drawn, and lets another tool draw.
    package static func end() {
        if isDrawn.exchange(false, ordering: .relaxed), Terminal.isOurs { write("\(erase)") }
        let number = device.exchange(-1, ordering: .relaxed)
        if number >= 0 { unlock(number) }
    }

    /// What `end` does, where a signal's handler ends the process: atomics and a write.
    static func eraseNow() {
        guard isDrawn.load(ordering: .relaxed) else { return }
        _ = unsafe writeOnce(erase.utf8Start, erase.utf8CodeUnitCount)
    }

    private static func write(_ text: String) {
        do throws(SystemError) {
            try Descriptor.standardError.writeAll(Array(text.utf8).span)
        } catch {
            // The terminal has gone; nobody looks.
        }
    }

    @unsafe private static func writeOnce(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        #if canImport(Darwin)
        unsafe Darwin.write(2, start, count)
        #else
        unsafe Glibc.write(2, start, count)
        #endif
    }

    // MARK: The lock

    /// Without a terminal (`--progress=always` into a file) nobody else is there.
    private static func holdsLock() -> Bool {
        guard device.load(ordering: .relaxed) < 0, Descriptor.standardError.isTerminal else { return true }
        guard let number = opened(2) else { return true }
        guard isLocked(number) else { return false }
        device.store(number, ordering: .relaxed)
        return true
    }

    private static func isTakenElsewhere(_ stream: Descriptor) -> Bool {
        guard let number = opened(stream.rawValue) else { return false }
        let isFree = isLocked(number)
        unlock(number)
        return !isFree
    }

    /// The terminal of that descriptor opened once more, as a lock belongs to an opening and the shell's is shared.
    private static func opened(_ stream: Int32) -> Int32? {
        var path = [CChar](repeating: 0, count: 256)
        guard unsafe ttyname_r(stream, &path, path.count) == 0 else { return nil }
        let number = unsafe open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        return number >= 0 ? number : nil
    }

    /// Where devices can't be locked, every tool may draw.
    private static func isLocked(_ number: Int32) -> Bool {
        if flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return true }
        unlock(number)
        return false
    }

    private static func unlock(_ number: Int32) {
        #if canImport(Darwin)
        _ = Darwin.close(number)
        #else
        _ = Glibc.close(number)
        #endif
    }
}
