// Ctrl-C and its kin: the run ends within a second and leaves nothing half-written.
//
// The first SIGINT, SIGTERM or SIGHUP only sets a flag. Loops check it between records and waits end early, so the
// run finishes what it has begun. If it can't (its reader has stopped reading), an alarm ends the process after 700
// ms; a second signal ends it at once. Both remove the temporary files registered here.

import CLibrary
import Synchronization

package enum Signals {
    /// How long a run may take to end by itself, in microseconds.
    private static let graceMicroseconds: suseconds_t = 700_000

    private static let signalNumber = Atomic<Int32>(0)
    /// The temporary files to remove: the bits of pointers to a directory's descriptor followed by a name; 0 is
    /// none. The handler may use only atomics and async-signal-safe calls (POSIX).
    private static let temporaryFiles = TemporaryFiles()
    /// Set once the run's work is permanent: a signal no longer changes how it ends.
    private static let isSettled = Atomic<Bool>(false)

    private static let isWithoutMemory = Atomic<Bool>(false)

    @safe
    private struct TemporaryFiles: ~Copyable, Sendable {
        /// More than the fetch tools ever have unfinished at a time.
        static let capacity = 128
        /// Never freed: a handler may run to the last.
        nonisolated(unsafe) let locations = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: capacity)

        init() { for index in 0..<Self.capacity { unsafe (locations + index).initialize(to: Atomic(0)) } }
    }
    private static var descriptorBytes: Int { MemoryLayout<Int32>.size }

    package static var isRequested: Bool { signalNumber.load(ordering: .relaxed) != 0 }

    /// The status to end with after a signal: 128 plus its number, as in shells (130, 143).
    package static var exitStatus: Int32? {
        let number = signalNumber.load(ordering: .relaxed)
        return number == 0 || isSettled.load(ordering: .acquiring) ? nil : 128 + number
    }

    /// Marks the run as done: from now on its own status says how it ended, even if a signal comes.
    package static func settle() { isSettled.store(true, ordering: .releasing) }

    /// Installs the handlers. SIGPIPE gets its default action back, even if the parent ignored it, so that `| head`
    /// ends a tool quietly. Exceeding a file size limit becomes a write error instead of ending the process. Call
    /// it once, before any work.
    package static func install() {
        _ = unsafe temporaryFiles.locations[0].load(ordering: .relaxed)
        _ = isSettled.load(ordering: .relaxed)
        _ = isWithoutMemory.load(ordering: .relaxed)
        _ = isRequested
        signal(SIGPIPE, SIG_DFL)
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            handle(number) { Signals.received($0) }
        }
        handle(SIGALRM) { _ in Signals.endNow() }
    }

    /// Registers a file to remove if the run is ended by force.
    /// - Parameter directory: open until `forget`.
    /// - Returns: what `forget` takes when the file is gone or has its final name; nil if all slots are taken, and
    ///   a later run has to remove the file.
    package static func removeIfEnded(_ name: String, in directory: Int32) -> Int? {
        let bytes = name.fileBytes
        guard let copy = unsafe malloc(descriptorBytes + bytes.count) else { return nil }
        // SAFETY: there is room for a descriptor, the name and its terminating zero.
        unsafe copy.storeBytes(of: directory, as: Int32.self)
        unsafe copy.advanced(by: descriptorBytes).copyMemory(from: bytes, byteCount: bytes.count)
        for index in 0..<TemporaryFiles.capacity {
            let (isFree, _) = unsafe temporaryFiles.locations[index].compareExchange(
                expected: 0, desired: UInt(bitPattern: copy), ordering: .acquiringAndReleasing)
            if isFree { return index }
        }
        unsafe free(copy)
        return nil
    }

    package static func forget(_ location: Int?) {
        guard let location else { return }
        let old = unsafe temporaryFiles.locations[location].exchange(0, ordering: .acquiringAndReleasing)
        unsafe free(UnsafeMutableRawPointer(bitPattern: old))
    }

    /// Asks the run to end as SIGPIPE would end it: quietly, with 141.
    package static func requestAsBrokenPipe() { signalNumber.store(SIGPIPE, ordering: .releasing) }

    /// Makes a broken pipe an error of the write from now on.
    package static func ignoreBrokenPipe() { signal(SIGPIPE, SIG_IGN) }

    /// Runs `body` with the signals blocked, for inseparable steps: a rename, and the sync that makes it durable.
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

    /// `nohup` and shells that start a job in the background ignore signals on purpose; they stay ignored.
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
        // No SA_RESTART: a blocked read must return, so that the loop around it checks the flag.
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

    /// Ends the run where there isn't enough memory to end it properly. The registered temporary files are removed.
    static func endWithoutMemory() -> Never {
        // One thread reports; the others end with it.
        while isWithoutMemory.exchange(true, ordering: .acquiringAndReleasing) { pause() }
        TerminalLine.eraseNow()
        if let path = unsafe ProcessArguments.text(0) {
            let slash = unsafe strrchr(path, Int32(UInt8(ascii: "/")))
            let name = unsafe slash.map { unsafe $0 + 1 } ?? path
            unsafe write(2, name, strlen(name))
        }
        let text: StaticString =
            ": out of memory; allow more (ulimit -v), or split large records\n"
        unsafe write(2, text.utf8Start, text.utf8CodeUnitCount)
        removeFiles()
        // `ExitStatus.inputOutput`, which belongs to a layer above.
        _exit(74)
    }

    private static func removeFiles() {
        for index in 0..<TemporaryFiles.capacity {
            let bits = unsafe temporaryFiles.locations[index].load(ordering: .acquiring)
            guard let entry = unsafe UnsafeRawPointer(bitPattern: bits) else { continue }
            // SAFETY: the layout is what `removeIfEnded` wrote.
            let directory = unsafe entry.load(as: Int32.self)
            unsafe unlinkat(directory, (entry + descriptorBytes).assumingMemoryBound(to: CChar.self), 0)
        }
    }
}
