// The process's arguments and environment variables.

#if canImport(Darwin)
import Darwin
#else
@unsafe @preconcurrency import Glibc
#endif

/// The environment of the process. The tools never change it, so it may be read at any time.
package enum Environment {
    /// The variable's value; nil if it isn't set or isn't UTF-8.
    package static func value(_ name: String) -> String? {
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }

    /// The variable's value as the name of a file; nil if it isn't set.
    package static func path(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(fileName: $0) }
    }

    /// The path of the process's executable, without links; nil where the system doesn't tell.
    package static var executablePath: String? { Descriptor.absolute("/proc/self/exe") }

    /// The arguments of the process without its name. Any of them may name a file, so they are read as such a name.
    package static var arguments: [String] {
        (1..<max(ProcessArguments.count, 1)).compactMap { index in
            unsafe ProcessArguments.text(index).map { unsafe String(fileName: $0) }
        }
    }
}

/// Ends the process at once. Only a tool's `main` calls it, after flushing and closing everything.
package func endProcess(_ status: Int32) -> Never {
    exit(status)
}

/// The arguments of the process, where the system has put them: on the stack, before the environment.
///
///     argc  argv[0] … argv[argc-1]  NULL  environ[0] …  NULL       System V ABI, "Process Initialization"
///
/// On Linux `CommandLine` looks for them by way of /proc/self/maps. Where that can't be read, as in a chroot without
/// /proc, it has none, without a word, and a tool would run without its options.
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

/// The encoding in which the C library, and libraries on top of it, read text.
package enum TextEncoding {
    /// Makes it UTF-8, whatever the user's locale. libcurl needs it to turn the host of a URL into Punycode.
    package static func useUTF8() { isSet }

    /// Set once for the process: a later call may come while other threads run.
    private static let isSet: Void = {
        for name in ["C.UTF-8", "en_US.UTF-8", "UTF-8"] where unsafe setlocale(LC_CTYPE, name) != nil { return }
    }()
}
