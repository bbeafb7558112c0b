// What happens when a run is out of memory: one message and status 74, as for any other shortage.
//
// Where a buffer grows with the input, `demand` checks first, so that the run can say what is too large. Everything
// else ends at `endWithoutMemory`: Swift's runtime library has no error for it, only a stack trace and a signal. So
// in executables that include the library, the linker replaces its function with ours: `--wrap` in Package.swift.

import CLibrary
import Synchronization

enum Memory {
    private static let leastBytes = 1 << 20
    private static let lastFound = Atomic<UInt>(0)

    /// Checks that `bytes` bytes are available, without using them.
    /// - Parameter what: what they are for, as it reads after "cannot keep".
    static func demand(_ bytes: Int, for what: @autoclosure () -> String) throws(SystemError) {
        guard bytes >= leastBytes, !has(bytes) else { return }
        throw SystemError(code: ENOMEM, operation: "keep", subject: what())
    }

    /// Whether `bytes` bytes are available.
    static func has(_ bytes: Int) -> Bool {
        guard let found = unsafe malloc(bytes) else { return false }
        // An address that isn't stored anywhere would let the compiler drop both calls.
        lastFound.store(UInt(bitPattern: found), ordering: .relaxed)
        unsafe free(found)
        return true
    }
}

/// Replaces `swift::swift_abortAllocationFailure(size_t, size_t)`.
@_cdecl("__wrap__ZN5swift28swift_abortAllocationFailureEmm")
func endWithoutMemory(_ size: UInt, _ alignMask: UInt) -> Never {
    Signals.endWithoutMemory()
}

// Where Swift's library looks for the program that prints backtraces when a run starts: nowhere, as none is installed. To
// look beside the executable it needs /proc, and in a chroot without that it would end the run.
//
// In executables that include the library, the linker replaces its function with ours: `--wrap` in Package.swift.

/// Replaces `swift_copyAuxiliaryExecutablePath(const char *)`.
@_cdecl("__wrap_swift_copyAuxiliaryExecutablePath")
func noAuxiliaryExecutable(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>? { nil }
