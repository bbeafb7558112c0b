// The connections kept open between requests, and whether any data arrived on one before it is reused.
//
//     request 1 ──► response 1          …          408, or a second response ──► request 2 goes over another connection
//
// Over HTTP/1.x only the order says which request a response belongs to. What arrives while no request is under way
// must not be taken for the response to the next one (RFC 9112, section 9.2), and libcurl does take it.

import CCurl
import CLibrary
import PipelineCore

/// The sockets of connections that have carried a complete response over HTTP/1.x, by the addresses at both ends.
/// Not those of HTTP/2: its frames name their request, and a server may send others at any time. Not thread-safe.
@safe
final class KeptConnections {
    /// Identifies a connection before its request is sent: a hash of the addresses and ports at both ends. Each request
    /// makes one. Of two connections with the same hash, the wrong one would be checked.
    typealias Endpoints = Int

    @unsafe static func endpoints(
        _ remoteHost: UnsafePointer<CChar>?, _ localHost: UnsafePointer<CChar>?, _ remotePort: Int32,
        _ localPort: Int32
    ) -> Endpoints {
        var hasher = Hasher()
        if let host = unsafe remoteHost {
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: host, count: strlen(host)))
        }
        if let host = unsafe localHost {
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: host, count: strlen(host)))
        }
        hasher.combine(remotePort)
        hasher.combine(localPort)
        return hasher.finalize()
    }

    private var sockets: [Endpoints: Int32] = [:]
    /// Idle connections with TLS. libcurl reads from them to check that they are alive, which can't be seen here.
    private var idle: [pollfd] = []
    /// Idle connections on which something arrived.
    private var spoilt: Set<Int32> = []

    /// Adds the connection of a complete response, before its handle is removed.
    @unsafe func keep(_ address: Endpoints, of easy: UnsafeMutableRawPointer, isEncrypted: Bool) {
        if sockets[address] == nil {
            guard unsafe castline_http_version(easy) < CURL_HTTP_VERSION_2_0 else { return }
            let socket = unsafe castline_socket(easy)
            guard socket >= 0 else { return }
            sockets[address] = socket
        }
        if isEncrypted, let socket = sockets[address] {
            idle.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
        }
    }

    /// Checks all idle connections with TLS. Call this before libcurl may choose one.
    func look() {
        guard !idle.isEmpty, unsafe poll(&idle, nfds_t(idle.count), 0) > 0 else { return }
        for location in idle where location.revents != 0 { spoilt.insert(location.fd) }
        idle.removeAll { $0.revents != 0 }
    }

    /// Whether the next request may be sent over the connection: it is new, or has nothing to read. TLS sends
    /// nothing more either: what follows its handshake arrives before the first response.
    func isQuiet(_ address: Endpoints) -> Bool {
        guard let socket = sockets[address] else { return true }
        idle.removeAll { $0.fd == socket }
        guard !spoilt.contains(socket) else { return false }
        var byte: UInt8 = 0
        let count = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    /// Closes one of libcurl's sockets.
    /// - Returns: 0, for libcurl.
    func close(_ socket: Int32) -> Int32 {
        if let location = sockets.firstIndex(where: { $0.value == socket }) { sockets.remove(at: location) }
        idle.removeAll { $0.fd == socket }
        spoilt.remove(socket)
        Descriptor(rawValue: socket, name: "a connection").closeUnchecked()
        return 0
    }
}
