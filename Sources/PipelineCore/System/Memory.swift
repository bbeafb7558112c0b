// What becomes of a run that gets no more memory: one message and status 74, as for any other shortage.
//
// Where a buffer follows the input's size, `demand` looks before it grows, so that the run can say what is too large.
// All else ends at `endWithoutMemory`: Swift's run-time library has no error for it, only a stack trace and a signal.
// So the linker puts that function instead of the library's own, in executables that bring the library along:
// `--wrap` in Package.swift.

import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The memory that the system gives.
enum Memory {
    /// Less than this isn't looked for.
    private static let leastBytes = 1 << 20
    private static let lastFound = Atomic<UInt>(0)

    /// Looks whether that many bytes can be had, without using them.
    /// - Parameter what: what they are for, as it reads after "cannot keep".
    static func demand(_ bytes: Int, for what: @autoclosure () -> String) throws(SystemError) {
        guard bytes >= leastBytes else { return }
        guard let found = unsafe malloc(bytes) else {
            throw SystemError(code: ENOMEM, operation: "keep", subject: what())
        }
        // An address that nobody sees would let the compiler leave both calls out.
        lastFound.store(UInt(bitPattern: found), ordering: .relaxed)
        unsafe free(found)
    }
}

/// Instead of `swift::swift_abortAllocationFailure(size_t, size_t)`.
@_cdecl("__wrap__ZN5swift28swift_abortAllocationFailureEmm")
func endWithoutMemory(_ size: UInt, _ alignMask: UInt) -> Never {
    Signals.endWithoutMemory()
}
