// The encoding in which the C library, and libraries on top of it, read text.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The character type of the process's locale. Nothing else of the user's locale is used.
package enum TextEncoding {
    /// Makes it UTF-8, whatever the user's locale. libcurl needs it to turn the host of a URL into Punycode.
    package static func useUTF8() { isSet }

    /// Set once for the process: a later call may come while other threads run.
    private static let isSet: Void = {
        for name in ["C.UTF-8", "en_US.UTF-8", "UTF-8"] where unsafe setlocale(LC_CTYPE, name) != nil { return }
    }()
}
