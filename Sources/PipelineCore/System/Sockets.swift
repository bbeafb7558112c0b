// The address of an Internet host in the system's layout, and the socket to connect to it.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

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
            self = .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes.extracting(4..<8))))
        case AF_INET6 where bytes.count >= 24:
            self = .ipv6(Self.number(bytes.extracting(8..<16)), Self.number(bytes.extracting(16..<24)))
        default:
            self = .other
        }
    }

    /// Reads an address as text: `192.0.2.1`, `2001:db8::1`. Nil for a name.
    package init?(text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        // SAFETY: inet_pton writes 4 or 16 bytes.
        if unsafe bytes.withUnsafeMutableBytes({ unsafe inet_pton(AF_INET, text, $0.baseAddress) }) == 1 {
            self = .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes.span.extracting(..<4))))
        } else if unsafe bytes.withUnsafeMutableBytes({ unsafe inet_pton(AF_INET6, text, $0.baseAddress) }) == 1 {
            self = .ipv6(Self.number(bytes.span.extracting(..<8)), Self.number(bytes.span.extracting(8...)))
        } else {
            return nil
        }
    }

    private static func number(_ bytes: Span<UInt8>) -> UInt64 {
        var number: UInt64 = 0
        for index in bytes.indices { number = number << 8 | UInt64(bytes[index]) }
        return number
    }

    /// Opens a socket for such an address; programs that the process starts don't inherit it.
    /// - Returns: its number, or -1 as the system does.
    package static func openSocket(family: Int32, type: Int32, protocol number: Int32) -> Int32 {
        let descriptor = socket(family, type, number)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }
}

/// Waits for several descriptors at once.
package struct PollSet {
    /// A descriptor that is ready. One that has failed counts as ready for what it was watched for: the read or
    /// write meets the failure.
    package struct Ready: Equatable, Sendable {
        package let number: Int32
        package let toRead: Bool
        package let toWrite: Bool

        package init(number: Int32, toRead: Bool, toWrite: Bool) {
            self.number = number
            self.toRead = toRead
            self.toWrite = toWrite
        }
    }

    private var entries: [pollfd] = []
    /// The index of each descriptor in the entries, by its number; -1 for one that isn't watched.
    private var locations: [Int] = []

    package init() {}

    /// Watches a descriptor, or changes what it is watched for.
    /// - Parameter number: of an open descriptor, 0 or more.
    package mutating func watch(_ number: Int32, toRead: Bool, toWrite: Bool) {
        let events = Int16((toRead ? POLLIN : 0) | (toWrite ? POLLOUT : 0))
        if let location = location(of: number) {
            entries[location].events = events
        } else {
            while locations.count <= number { locations.append(-1) }
            locations[Int(number)] = entries.count
            entries.append(pollfd(fd: number, events: events, revents: 0))
        }
    }

    package mutating func forget(_ number: Int32) {
        guard let location = location(of: number), let last = entries.popLast() else { return }
        if location < entries.count {
            entries[location] = last
            locations[Int(last.fd)] = location
        }
        locations[Int(number)] = -1
    }

    private func location(of number: Int32) -> Int? {
        guard number >= 0, number < locations.count, locations[Int(number)] >= 0 else { return nil }
        return locations[Int(number)]
    }

    /// Waits until one is ready, a signal comes, or the time is over.
    package mutating func wait(milliseconds: Int32) -> [Ready] {
        let count = unsafe entries.withUnsafeMutableBufferPointer { buffer in
            // SAFETY: poll writes the results into the entries that it is given.
            unsafe poll(buffer.baseAddress, nfds_t(buffer.count), milliseconds)
        }
        guard count > 0 else { return [] }
        var ready: [Ready] = []
        ready.reserveCapacity(Int(count))
        for entry in entries where entry.revents != 0 {
            let hasFailed = Int32(entry.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
            let events = Int32(hasFailed ? entry.events : entry.revents)
            ready.append(
                Ready(number: entry.fd, toRead: events & POLLIN != 0, toWrite: events & POLLOUT != 0))
        }
        return ready
    }
}
