// Faults at system calls of store-plist: strace lets the N-th call of a name fail, or kills the run before it.

import TestSupport
import Testing

enum StoreFault {
    /// Calls that a run makes or may make, and how each fails.
    static let calls = [
        ("write", "ENOSPC"), ("pwrite64", "ENOSPC"), ("read", "EIO"), ("pread64", "EIO"), ("openat", "EMFILE"),
        ("fsync", "EIO"), ("fchmod", "EPERM"), ("fchown", "EPERM"), ("renameat", "EIO"), ("renameat2", "EIO"),
        ("linkat", "EPERM"), ("unlinkat", "EIO"), ("close", "EIO"), ("flock", "ENOLCK"), ("fstat", "EIO"),
        ("newfstatat", "EIO"), ("lseek", "EIO"), ("fadvise64", "EINVAL"), ("getdents64", "EIO"),
    ]

    /// Those between which the files aren't the same.
    static let changingCalls = calls.filter { call, _ in
        !["read", "pread64", "fstat", "newfstatat", "lseek"].contains(call)
    }

    /// Runs the tool under strace, which writes the calls to `trace`; cancels the test where there is none.
    /// - Parameter expressions: of strace's `-e`.
    static func traced(
        _ expressions: [String], _ arguments: [String] = [], input: String, _ folder: ScratchFolder
    ) throws -> Session {
        if let obstacle = Strace.obstacle { try Test.cancel("\(obstacle)") }
        let path = try #require(Strace.path)
        return try Session(
            path,
            ["-qq", "-y", "-o", folder.path("trace")] + expressions.flatMap { ["-e", $0] }
                + [Executables.path("store-plist")] + arguments,
            input: input.utf8, folder: folder)
    }

    /// Runs the tool with a fault at the N-th call of a name.
    /// - Parameter fault: as strace's `inject` has it: `fsync:error=EIO:when=2`.
    /// - Returns: its status, nil where it makes no N-th call.
    static func run(
        _ arguments: [String], _ fault: String, input: String, _ folder: ScratchFolder
    ) throws -> Int32? {
        let name = String(fault.prefix { $0 != ":" })
        let run = try traced(["trace=" + name, "inject=" + fault], arguments, input: input, folder)
        // Signals aren't written about.
        let isInjected = try folder.text("trace").contains("(INJECTED)") || [137, 143].contains(run.status)
        return isInjected ? run.status : nil
    }
}
