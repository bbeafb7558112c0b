// A connected socket: sent and received bytes, clean and unclean ends.

import Foundation
import PipelineCore

/// One end of a TCP connection on loopback.
struct Socket: Sendable {
    private let descriptor: Descriptor

    /// A socket that `accept` has just returned. Small answers leave at once.
    init(accepted number: Int32) {
        descriptor = Descriptor(rawValue: number, name: "the connection")
        var isOn: Int32 = 1
        unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    func receive(into bytes: inout [UInt8]) throws(SystemError) -> Int {
        try descriptor.read(into: &bytes, 0..<bytes.count)
    }

    /// Sends all bytes. Not by `Descriptor.writeAll`, to which a reader that has gone is the end of the whole run: a
    /// client that closes its end before it resets the connection makes EPIPE here.
    func send(_ bytes: [UInt8]) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                // SAFETY: the pointer and the count are of one buffer that outlives the call.
                unsafe write(descriptor.rawValue, buffer.baseAddress?.advanced(by: sent), bytes.count - sent)
            }
            guard count >= 0 || errno == EINTR else { throw .last("write to", descriptor.name) }
            sent += max(0, count)
        }
    }

    /// Whether bytes, or the end of them, are there to be received.
    func hasInput(withinMilliseconds timeout: Int32) -> Bool {
        descriptor.isReady(toRead: true, withinMilliseconds: timeout)
    }

    /// Waits so long. False where the client went away meanwhile.
    func waits(seconds: Double) -> Bool {
        let end = MonotonicClock.seconds + seconds
        while !clientIsGone {
            let rest = end - MonotonicClock.seconds
            guard rest > 0 else { return true }
            guard MonotonicClock.wait(seconds: min(rest, 0.02)) else { return false }
        }
        return false
    }

    /// Whether nothing more will come: the client has closed or reset the connection.
    private var clientIsGone: Bool {
        guard hasInput(withinMilliseconds: 0) else { return false }
        var byte: UInt8 = 0
        return unsafe recv(descriptor.rawValue, &byte, 1, Int32(MSG_PEEK)) <= 0
    }

    /// Ends with a FIN. What the client still sends is received for a moment first: closing with unread bytes makes a
    /// reset, which could overtake the answer.
    func close() throws(SystemError) {
        shutdown(descriptor.rawValue, Int32(SHUT_WR))
        var bytes = [UInt8](repeating: 0, count: 4096)
        let end = MonotonicClock.seconds + 1
        while MonotonicClock.seconds < end, hasInput(withinMilliseconds: 200) {
            guard try receive(into: &bytes) > 0 else { break }
        }
        try descriptor.close()
    }

    /// Ends with a reset. The bytes that were sent are given a moment to arrive, as a reset throws away what is queued.
    func reset() {
        _ = MonotonicClock.wait(seconds: 0.02)
        var choice = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            descriptor.rawValue, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
        abandon()
    }

    /// Closes what is broken or has been reset; nothing can be said about it any more.
    func abandon() {
        do throws(SystemError) {
            try descriptor.close()
        } catch {
            Diagnostics(tool: "local-server").warning("\(error)")
        }
    }
}
