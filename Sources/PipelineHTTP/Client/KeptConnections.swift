// The connections that are kept open between requests, and whether anything waits on one before it is used again.
//
//     request 1 ──► response 1          …          408, or a second response ──► request 2 goes over another connection
//
// Over HTTP/1.x nothing but its order says which request a response belongs to. What arrives while no request is under way
// must not be taken for the response to the next one (RFC 9112, section 9.2), and libcurl does take it.

import CCurl

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The sockets of connections that have carried a whole response over HTTP/1.x, by the addresses at their ends. Those of
/// HTTP/2 aren't here: its frames name their request, and a server may send others at any time. Not for several threads.
@safe
final class KeptConnections {
    /// What a connection is known by before its request is sent: both ports, and a number made of both addresses. Each
    /// request makes one. Two connections would have to share the ports and the number of 64 bits to be
    /// taken for each other; then the wrong one would be looked at.
    struct Endpoints: Hashable {
        private let addresses: UInt64
        private let ports: UInt64

        /// - Parameters: the addresses as texts that end with a zero byte.
        @unsafe init(
            _ remoteHost: UnsafePointer<CChar>?, _ localHost: UnsafePointer<CChar>?, _ remotePort: Int32,
            _ localPort: Int32
        ) {
            addresses = unsafe Self.number(localHost, Self.number(remoteHost, 0xCBF2_9CE4_8422_2325))
            ports = UInt64(UInt32(bitPattern: remotePort)) << 32 | UInt64(UInt32(bitPattern: localPort))
        }

        /// FNV-1a.
        @unsafe private static func number(_ text: UnsafePointer<CChar>?, _ start: UInt64) -> UInt64 {
            guard var byte = unsafe text else { return start }
            var number = start
            while unsafe byte.pointee != 0 {
                number = unsafe (number ^ UInt64(UInt8(bitPattern: byte.pointee))) &* 0x100_0000_01B3
                unsafe byte += 1
            }
            return number
        }
    }

    private var sockets: [Endpoints: Int32] = [:]
    /// Those with TLS that are not in use. libcurl looks whether they live by reading on, and what it reads is out of sight.
    private var idle: [pollfd] = []
    /// Those on which something came then.
    private var spoilt: Set<Int32> = []

    func contains(_ address: Endpoints) -> Bool { sockets[address] != nil }

    /// Remembers a connection.
    func add(_ address: Endpoints, socket: Int32) { sockets[address] = socket }

    /// A connection with TLS has done its work for now.
    func rest(_ address: Endpoints) {
        guard let socket = sockets[address] else { return }
        idle.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
    }

    /// Looks at all connections with TLS that are not in use. To be called before libcurl may choose one.
    func look() {
        guard !idle.isEmpty, unsafe poll(&idle, nfds_t(idle.count), 0) > 0 else { return }
        for location in idle where location.revents != 0 { spoilt.insert(location.fd) }
        idle.removeAll { $0.revents != 0 }
    }

    /// Whether the next request may be sent over the connection: it is a new one, or nothing waits there. Also TLS has
    /// nothing to say any more: what follows its handshake arrives before the first response.
    func isQuiet(_ address: Endpoints) -> Bool {
        guard let socket = sockets[address] else { return true }
        idle.removeAll { $0.fd == socket }
        guard !spoilt.contains(socket) else { return false }
        var byte: UInt8 = 0
        let count = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    /// Closes a socket of libcurl's.
    /// - Returns: 0, as libcurl wants it.
    func close(_ socket: Int32) -> Int32 {
        if let location = sockets.firstIndex(where: { $0.value == socket }) { sockets.remove(at: location) }
        idle.removeAll { $0.fd == socket }
        spoilt.remove(socket)
        #if canImport(Darwin)
        return Darwin.close(socket) == 0 ? 0 : 1
        #else
        return Glibc.close(socket) == 0 ? 0 : 1
        #endif
    }
}

/// The connection of one transfer, from just before its request to the end of its response.
struct ConnectionUse {
    let connections: KeptConnections
    private var address: KeptConnections.Endpoints?
    /// Nothing was sent: something waited on the connection that libcurl had chosen, which is closed now.
    private(set) var isUnsent = false

    init(_ connections: KeptConnections) { self.connections = connections }

    /// There is no connection yet.
    mutating func clear() {
        address = nil
        isUnsent = false
    }

    /// Looks at the connection that libcurl has chosen.
    /// - Returns: whether the request may be sent over it.
    mutating func begin(_ address: KeptConnections.Endpoints) -> Bool {
        isUnsent = !connections.isQuiet(address)
        self.address = isUnsent ? nil : address
        return !isUnsent
    }

    /// Remembers the connection of a whole response.
    /// - Parameters:
    ///   - easy: hasn't been removed yet.
    ///   - isEncrypted: there may be TLS, to the service or to a proxy.
    @unsafe func keep(_ easy: UnsafeMutableRawPointer, isEncrypted: Bool) {
        guard let address else { return }
        if !connections.contains(address) {
            guard unsafe castline_http_version(easy) < CURL_HTTP_VERSION_2_0 else { return }
            let socket = unsafe castline_socket(easy)
            guard socket >= 0 else { return }
            connections.add(address, socket: socket)
        }
        if isEncrypted { connections.rest(address) }
    }
}
