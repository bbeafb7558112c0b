// Ctrl-C and its kin: the run ends within a second, and nothing half-written stays.
//
// The first SIGINT, SIGTERM or SIGHUP only sets a flag. Loops look at it between records, and waits end early, so what
// is begun is ended. Where a run can't get there (its reader has stopped reading), an alarm ends the process after
// 700 ms; a second signal does so at once. Either removes the temporary files that are registered here.

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The request of a signal that the run should end.
package enum Signals {
    /// How long a run may take to end by itself, in microseconds.
    private static let graceMicroseconds: suseconds_t = 700_000

    private static let signalNumber = Atomic<Int32>(0)
    /// The temporary files to remove, as the bits of pointers to a directory's descriptor and the name that follows it; 0
    /// is none. The handler may use nothing but atomics and the calls that POSIX allows in one.
    private static let temporaryFiles = TemporaryFiles()
    /// Set when what the run was for has been done for good: a signal no longer changes how it ends.
    private static let isSettled = Atomic<Bool>(false)

    /// `ExitStatus.inputOutput`, which the layers above have.
    private static let statusWithoutMemory: Int32 = 74
    private static let isWithoutMemory = Atomic<Bool>(false)

    private struct TemporaryFiles: ~Copyable, Sendable {
        /// More than the fetch tools have files in the making at a time.
        static let capacity = 128
        let locations: [128 of Atomic<UInt>] = .init { _ in Atomic<UInt>(0) }
    }
    private static let descriptorBytes = MemoryLayout<Int32>.size

    /// Whether the run was asked to end.
    package static var isRequested: Bool { signalNumber.load(ordering: .relaxed) != 0 }

    /// The status to end with after a signal: 128 and its number, as shells count (130, 143).
    package static var exitStatus: Int32? {
        let number = signalNumber.load(ordering: .relaxed)
        return number == 0 || isSettled.load(ordering: .acquiring) ? nil : 128 + number
    }

    /// From now on the run counts as done: its own status tells how it ended, even if a signal comes.
    package static func settle() { isSettled.store(true, ordering: .releasing) }

    /// Installs the handlers; SIGPIPE gets its default action back, whatever the parent ignored, so that `| head`
    /// ends a tool quietly. A file that may not grow is an error of the write, not the end of the process. Call it
    /// once, before any work.
    package static func install() {
        _ = temporaryFiles.locations[0].load(ordering: .relaxed)
        _ = isSettled.load(ordering: .relaxed)
        _ = descriptorBytes
        _ = statusWithoutMemory
        _ = isWithoutMemory.load(ordering: .relaxed)
        _ = isRequested
        signal(SIGPIPE, SIG_DFL)
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            handle(number) { Signals.received($0) }
        }
        handle(SIGALRM) { _ in Signals.endNow() }
    }

    /// Names a file that must not outlive a run which is ended by force.
    /// - Parameter directory: the open directory of the file, whatever its path has become. It stays open until `forget`.
    /// - Returns: what `forget` takes when the file is gone or has its final name; nil where all slots are taken, and
    ///   a later run has to remove the file.
    package static func removeIfEnded(_ name: String, in directory: Int32) -> Int? {
        let bytes = Array(name.utf8)
        guard let copy = unsafe malloc(descriptorBytes + bytes.count + 1) else { return nil }
        // SAFETY: there is room for a descriptor, the name and the zero that ends it.
        unsafe copy.storeBytes(of: directory, as: Int32.self)
        unsafe copy.advanced(by: descriptorBytes).copyMemory(from: bytes, byteCount: bytes.count)
        unsafe copy.storeBytes(of: 0, toByteOffset: descriptorBytes + bytes.count, as: UInt8.self)
        for index in 0..<TemporaryFiles.capacity {
            let (isFree, _) = temporaryFiles.locations[index].compareExchange(
                expected: 0, desired: UInt(bitPattern: copy), ordering: .acquiringAndReleasing)
            if isFree { return index }
        }
        unsafe free(copy)
        return nil
    }

    /// The file in this slot may stay.
    package static func forget(_ location: Int?) {
        guard let location else { return }
        let old = temporaryFiles.locations[location].exchange(0, ordering: .acquiringAndReleasing)
        unsafe free(UnsafeMutableRawPointer(bitPattern: old))
    }

    /// Asks the run to end as SIGPIPE would end it: quietly, with 141.
    package static func requestAsBrokenPipe() { signalNumber.store(SIGPIPE, ordering: .releasing) }

    /// Takes SIGPIPE for an error of the write from now on.
    package static func ignoreBrokenPipe() { signal(SIGPIPE, SIG_IGN) }

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
        TerminalLine.eraseNow()
        removeFiles()
        _exit(isSettled.load(ordering: .acquiring) ? 0 : 128 + signalNumber.load(ordering: .relaxed))
    }

    /// Ends the run where there is no memory left to end it in order. The temporary files that are registered go.
    static func endWithoutMemory() -> Never {
        // One thread reports; the others end with it.
        while isWithoutMemory.exchange(true, ordering: .acquiringAndReleasing) { pause() }
        TerminalLine.eraseNow()
        if let path = unsafe CommandLine.unsafeArgv[0] {
            let slash = unsafe strrchr(path, Int32(UInt8(ascii: "/")))
            let name = unsafe slash.map { unsafe $0 + 1 } ?? path
            unsafe writeError(name, strlen(name))
        }
        let text: StaticString =
            ": out of memory; allow more (ulimit -v), or lower --max-line where a record is large\n"
        unsafe writeError(text.utf8Start, text.utf8CodeUnitCount)
        removeFiles()
        _exit(statusWithoutMemory)
    }

    @unsafe private static func writeError(_ start: UnsafeRawPointer, _ count: Int) {
        _ = unsafe systemWrite(2, UnsafeRawBufferPointer(start: start, count: count))
    }

    private static func removeFiles() {
        for index in 0..<TemporaryFiles.capacity {
            let bits = temporaryFiles.locations[index].load(ordering: .acquiring)
            guard let entry = unsafe UnsafeRawPointer(bitPattern: bits) else { continue }
            // SAFETY: as `removeIfEnded` has written it.
            let directory = unsafe entry.load(as: Int32.self)
            unsafe unlinkat(directory, (entry + descriptorBytes).assumingMemoryBound(to: CChar.self), 0)
        }
    }
}
