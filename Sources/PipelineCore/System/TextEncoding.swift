// The encoding that the C library, and libraries on top of it, take text for.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The character type of the process's locale. Nothing else of the user's locale is ever taken up.
package enum TextEncoding {
    /// Makes it UTF-8 whatever the user's locale is. libcurl needs it to turn the host of a URL into Punycode.
    package static func useUTF8() { isSet }

    /// Once for the process: other threads may be at work when it is asked for again.
    private static let isSet: Void = {
        for name in ["C.UTF-8", "en_US.UTF-8", "UTF-8"] where unsafe setlocale(LC_CTYPE, name) != nil { return }
    }()
}
