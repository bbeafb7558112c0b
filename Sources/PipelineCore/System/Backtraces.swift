// Where Swift's library looks for the program that prints backtraces when a run starts: nowhere, as none is installed. To
// look beside the executable it needs /proc, and in a chroot without that it would end the run.
//
// In executables that include the library, the linker replaces its function with ours: `--wrap` in Package.swift.

/// Replaces `swift_copyAuxiliaryExecutablePath(const char *)`.
@_cdecl("__wrap_swift_copyAuxiliaryExecutablePath")
func noAuxiliaryExecutable(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>? { nil }
