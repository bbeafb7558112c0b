// The address of an Internet host in the system's layout, and the socket to connect to it.

import CLibrary

package enum SocketAddress: Equatable, Sendable {
    /// Four bytes, big-endian.
    case ipv4(UInt32)
    /// Sixteen bytes in two halves, big-endian.
    case ipv6(UInt64, UInt64)
    /// Not an Internet address family, or too few bytes.
    case other

    /// Reads a `sockaddr` as the system lays it out.
    package init(family: Int32, bytes: Span<UInt8>) {
        switch family {
        case AF_INET where bytes.count >= 8:
            self = .ipv4(UInt32(truncatingIfNeeded: bytes.word(at: 0).byteSwapped))
        case AF_INET6 where bytes.count >= 24:
            self = .ipv6(bytes.word(at: 8).byteSwapped, bytes.word(at: 16).byteSwapped)
        default:
            self = .other
        }
    }

    /// Reads an address as text: `192.0.2.1`, `2001:db8::1`. Nil for a name.
    package init?(text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        // SAFETY: inet_pton writes 4 or 16 bytes.
        if unsafe bytes.withUnsafeMutableBytes({ unsafe inet_pton(AF_INET, text, $0.baseAddress) }) == 1 {
            self = .ipv4(UInt32(truncatingIfNeeded: bytes.span.word(at: 0).byteSwapped >> 32))
        } else if unsafe bytes.withUnsafeMutableBytes({ unsafe inet_pton(AF_INET6, text, $0.baseAddress) }) == 1 {
            self = .ipv6(bytes.span.word(at: 0).byteSwapped, bytes.span.word(at: 8).byteSwapped)
        } else {
            return nil
        }
    }

    /// Opens a socket for such an address; programs that the process starts don't inherit it.
    /// - Returns: its number, or -1 as the system does.
    package static func openSocket(family: Int32, type: Int32, protocol number: Int32) -> Int32 {
        let descriptor = socket(family, type, number)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }
}
