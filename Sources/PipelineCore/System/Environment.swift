// The process's arguments and environment variables.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The environment of the process. The tools never change it, so it may be read at any time.
package enum Environment {
    /// The variable's value; nil if it isn't set or isn't UTF-8.
    package static func value(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(validatingCString: text)
    }
}

extension Environment {
    /// The number of arguments, including the name of the process.
    package static var argumentCount: Int { ProcessArguments.count }

    /// The path of the process's executable, without links; nil where the system doesn't tell.
    package static var executablePath: String? {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(validatingCString: path)
    }

    /// An argument of the process; nil if it isn't UTF-8.
    /// - Parameter index: 0 is the name of the process; below `argumentCount`.
    package static func argument(_ index: Int) -> String? {
        precondition(index >= 0 && index < argumentCount)
        guard let text = unsafe ProcessArguments.text(index) else { return nil }
        return unsafe String(validatingCString: text)
    }
}

/// Ends the process at once. Only a tool's `main` calls it, after flushing and closing everything.
package func endProcess(_ status: Int32) -> Never {
    exit(status)
}
