// What the process was given: arguments and environment variables.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The environment of the process. The tools never change it, so it may be read at any time.
package enum Environment {
    /// The variable's value, nil where it isn't set or is not text.
    package static func value(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(validatingCString: text)
    }
}

extension Environment {
    /// The arguments of the process, its own name left out; nil for one that isn't UTF-8.
    package static var arguments: [String?] {
        (1..<max(Int(CommandLine.argc), 1)).map { index in
            guard let text = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe String(validatingCString: text)
        }
    }
}

/// Ends the process at once. Only a tool's `main` calls it, with everything flushed and closed before.
package func endProcess(_ status: Int32) -> Never {
    exit(status)
}
