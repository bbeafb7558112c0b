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
    /// The variable's value as the name of a file; nil if it isn't set.
    package static func path(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(fileName: text)
    }

    /// The path of the process's executable, without links; nil where the system doesn't tell.
    package static var executablePath: String? {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(fileName: path)
    }

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
