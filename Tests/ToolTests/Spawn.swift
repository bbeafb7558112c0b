// posix_spawn with three pipes: the part of starting a process that deals in pointers.

import Foundation
import Synchronization

/// The start of a child.
enum Spawn {
    /// The ends of the three pipes on both sides.
    struct Pipes {
        let childInput, parentInput, parentOutput, childOutput, parentErrors, childErrors: Int32
    }

    /// One child at a time is started, so that none inherits the ends of another's pipes, which would then never end.
    private static let turn = Mutex(())

    static func pipes() throws(ChildProcess.Failure) -> Pipes {
        let (childInput, parentInput) = try pipe()
        let (parentOutput, childOutput) = try pipe()
        let (parentErrors, childErrors) = try pipe()
        // Only the writing end on this side: the child expects its own ends to block.
        _ = fcntl(parentInput, F_SETFL, O_NONBLOCK)
        return Pipes(
            childInput: childInput, parentInput: parentInput, parentOutput: parentOutput, childOutput: childOutput,
            parentErrors: parentErrors, childErrors: childErrors)
    }

    private static func pipe() throws(ChildProcess.Failure) -> (Int32, Int32) {
        var numbers: [Int32] = [-1, -1]
        let result = turn.withLock { _ in
            let result = unsafe Foundation.pipe(&numbers)
            for number in numbers where number >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
            return result
        }
        guard result == 0 else { throw ChildProcess.Failure(description: "no pipe: \(errno)") }
        return (numbers[0], numbers[1])
    }

    /// Starts the executable and closes the child's ends on this side.
    static func start(
        _ path: String, _ arguments: [String], environment: [String], folder: String, _ pipes: Pipes
    ) throws(ChildProcess.Failure) -> pid_t {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw ChildProcess.Failure(description: "no executable \(path); build it, or set CASTLINE_BIN")
        }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
            for number in [pipes.childInput, pipes.childOutput, pipes.childErrors] { close(number) }
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, pipes.childInput, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipes.childOutput, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipes.childErrors, 2)
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        // The shell goes to the directory and becomes the executable: there is no portable call that does it.
        let shell = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder, path]
        var words = unsafe (shell + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let result = turn.withLock { _ in
            unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, &variables)
        }
        guard result == 0 else {
            let reason = unsafe strerror(result).map { unsafe String(cString: $0) } ?? "\(result)"
            throw ChildProcess.Failure(description: "can't start \(path): \(reason)")
        }
        return process
    }
}
