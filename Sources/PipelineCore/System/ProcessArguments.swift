// The arguments of the process, where the system has put them: on the stack, before the environment.
//
//     argc  argv[0] … argv[argc-1]  NULL  environ[0] …  NULL       System V ABI, "Process Initialization"
//
// On Linux `CommandLine` looks for them by way of /proc/self/maps. Where that can't be read, as in a chroot without
// /proc, it has none, without a word, and a tool would run without its options.

#if canImport(Darwin)
import Darwin
#else
@unsafe @preconcurrency import Glibc
#endif

/// Finds the arguments.
enum ProcessArguments {
    /// No pointer is smaller, and no system takes more arguments.
    private static let limit = 1 << 24

    /// How many there are, and the address of the first one's.
    private static let place: (count: Int, address: UInt) = {
        unsafe found ?? (Int(CommandLine.argc), UInt(bitPattern: CommandLine.unsafeArgv))
    }()

    static var count: Int { place.count }

    /// - Parameter index: 0 is the name of the process; below `count`.
    static func text(_ index: Int) -> UnsafeMutablePointer<CChar>? {
        let start = unsafe UnsafePointer<UnsafeMutablePointer<CChar>?>(bitPattern: place.address)
        return unsafe start?[index]
    }

    /// Nil where the environment isn't where it was when the process began.
    private static var found: (Int, UInt)? {
        #if os(Linux)
        guard unsafe isInitial(environ), unsafe environ[-1] == nil else { return nil }
        let environment = unsafe environ
        // SAFETY: what stands before the environment is the arguments and their number, which ends the search.
        for count in 0..<limit where unsafe UInt(bitPattern: environment[-2 - count]) == UInt(count) {
            return unsafe (count, UInt(bitPattern: environment - 1 - count))
        }
        #endif
        return nil
    }

    #if os(Linux)
    /// Whether the environment is on the stack, above this function; heap and libraries are below the stack. A library
    /// that changes the environment moves it to the heap.
    @unsafe private static func isInitial(
        _ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Bool {
        var mark = 0
        return unsafe withUnsafePointer(to: &mark) { UInt(bitPattern: $0) < UInt(bitPattern: environment) }
    }
    #endif
}
