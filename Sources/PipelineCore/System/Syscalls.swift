// Calls of the C library that a signal may interrupt, under names that no method of a Swift type hides.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Repeats a call until no signal interrupts it.
/// - Parameter endsOnRequest: gives up with `EINTR` if a signal asks the run to end.
/// - Returns: what the call returned; −1 for a failure, whose cause is in `errno`.
func uninterrupted<Result: SignedInteger>(endsOnRequest: Bool = false, _ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR || endsOnRequest && Signals.isRequested { return result }
    }
}

func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(number, buffer.baseAddress, buffer.count)
}

func systemWrite(_ number: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    unsafe write(number, buffer.baseAddress, buffer.count)
}

func systemClose(_ number: Int32) -> Int32 { close(number) }

func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
