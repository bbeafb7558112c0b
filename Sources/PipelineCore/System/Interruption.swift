// Ctrl-C and its kin: the run ends within a second, and nothing half-written stays behind.
//
// The first SIGINT, SIGTERM or SIGHUP only sets a flag. Loops look at it between records, and waits end early, so what
// is begun is ended. Where a run can't get there (its reader has stopped reading), an alarm ends the process after
// 700 ms; a second signal does so at once. Either removes the temporary file that is registered here.

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The request of a signal that the run should end.
package enum Interruption {
    /// How long a run may take to end by itself, in microseconds.
    private static let graceMicroseconds: suseconds_t = 700_000

    private static let signalNumber = Atomic<Int32>(0)
    /// A `strdup`ed path of the temporary file to remove, as the bits of a pointer; 0 is none. The handler may use
    /// nothing but atomics and the calls that POSIX allows in one.
    private static let temporaryPath = Atomic<UInt>(0)

    /// Whether the run was asked to end.
    package static var isRequested: Bool { signalNumber.load(ordering: .relaxed) != 0 }

    /// The status to end with after a signal: 128 and its number, as shells count (130, 143).
    package static var exitStatus: Int32? {
        let number = signalNumber.load(ordering: .relaxed)
        return number == 0 ? nil : 128 + number
    }

    /// Installs the handlers; SIGPIPE gets its default action back, whatever the parent ignored, so that `| head`
    /// ends a tool quietly. Call it once, before any work.
    package static func install() {
        _ = temporaryPath.load(ordering: .relaxed)
        _ = isRequested
        signal(SIGPIPE, SIG_DFL)
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            handle(number) { Interruption.received($0) }
        }
        handle(SIGALRM) { _ in Interruption.endNow() }
    }

    /// Names the file that must not outlive a run which is ended by force; nil when it has its final name.
    package static func setTemporaryFile(_ path: String?) {
        let copy = unsafe path.flatMap { unsafe strdup($0) }
        let old = temporaryPath.exchange(UInt(bitPattern: copy), ordering: .acquiringAndReleasing)
        unsafe free(UnsafeMutableRawPointer(bitPattern: old))
    }

    /// Runs `body` while the signals wait, for steps that must not be parted: a rename and the sync that makes it
    /// last.
    package static func deferred<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var blocked = sigset_t()
        var previous = sigset_t()
        unsafe sigemptyset(&blocked)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { unsafe sigaddset(&blocked, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return try body()
    }

    /// `nohup` and shells that start a job in the background ignore a signal on purpose; that choice is kept.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
        #else
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        #endif
    }

    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = handler
        #else
        unsafe action.__sigaction_handler.sa_handler = handler
        #endif
        // No SA_RESTART: a read that waits must return, so that the loop around it sees the flag.
        unsafe sigaction(number, &action, nil)
    }

    private static func received(_ number: Int32) {
        let (isFirst, _) = signalNumber.compareExchange(
            expected: 0, desired: number, ordering: .acquiringAndReleasing)
        guard isFirst else { endNow() }
        var timer = itimerval()
        timer.it_value.tv_usec = graceMicroseconds
        #if canImport(Darwin)
        unsafe setitimer(ITIMER_REAL, &timer, nil)
        #else
        unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
        #endif
    }

    private static func endNow() -> Never {
        if let path = unsafe UnsafePointer<CChar>(bitPattern: temporaryPath.load(ordering: .acquiring)) {
            unsafe unlink(path)
        }
        _exit(128 + signalNumber.load(ordering: .relaxed))
    }
}
