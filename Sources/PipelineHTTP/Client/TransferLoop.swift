// libcurl's multi interface, driven by the sockets that are ready. Others cost nothing, and what a few have
// received is handled before the rest are read, so that the next requests leave early.

import CCurl
import CLibrary
import PipelineCore

/// A multi handle with its transfers, and the sockets and the timer that it waits for. Not thread-safe.
@safe
final class TransferLoop {
    /// How long sockets are handled before completed transfers are: long enough to batch many small steps of one
    /// kind, short enough not to delay the next requests.
    private static let sliceSeconds = 0.001

    let connections = KeptConnections()
    /// Nil before the first request.
    private var multi: UnsafeMutableRawPointer?
    private let idleConnections: Int
    private let budget: BodyBudget
    private(set) var transfers: [Transfer] = []
    private var sockets: [pollfd] = []
    /// Sockets that are ready. Those before `next` have been handled.
    private var ready: [pollfd] = []
    private var next = 0
    /// When libcurl wants to be called, in seconds of the monotonic clock.
    private var dueSeconds = Double.infinity

    init(idleConnections: Int, _ budget: BodyBudget) {
        unsafe multi = nil
        self.budget = budget
        self.idleConnections = idleConnections
    }

    private func begun() -> UnsafeMutableRawPointer? {
        if let multi = unsafe multi { return unsafe multi }
        guard let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        unsafe castline_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idleConnections)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe castline_multi_set_timer(multi, context) { _, milliseconds, context in
            let due = MonotonicClock.seconds + Double(milliseconds) / 1000
            unsafe TransferLoop.of(context)?.dueSeconds = milliseconds < 0 ? .infinity : due
            return 0
        }
        unsafe castline_multi_set_socket(multi, context) { _, socket, wish, context, _ in
            unsafe TransferLoop.of(context)?.watch(socket, wish)
            return 0
        }
        return unsafe multi
    }

    deinit {
        guard let multi = unsafe multi else { return }
        // No callback may run for the sockets that are closed now.
        unsafe castline_multi_set_timer(multi, nil, nil)
        unsafe castline_multi_set_socket(multi, nil, nil)
        for transfer in transfers { unsafe curl_multi_remove_handle(multi, transfer.easy) }
        unsafe curl_multi_cleanup(multi)
    }

    /// Adds a request. `act` sends it.
    func add(_ transfer: Transfer) -> HTTPFailure.Reason? {
        guard let multi = unsafe begun() else { return .libcurl("it can't begin") }
        connections.look()
        let code = unsafe curl_multi_add_handle(multi, transfer.easy)
        guard code == CURLM_OK else { return .libcurl("error \(code.rawValue)") }
        transfers.append(transfer)
        return nil
    }

    func remove(_ transfer: Transfer) {
        guard let multi = unsafe multi else { return }
        unsafe curl_multi_remove_handle(multi, transfer.easy)
        transfers.removeAll { $0 === transfer }
        budget.forget(transfer)
    }

    func takeEnded() -> (transfer: Transfer, code: CURLcode)? {
        guard let multi = unsafe multi else { return nil }
        var count: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &count) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let code = unsafe castline_result(message)
            guard let transfer = unsafe Transfer.of(castline_private(message.pointee.easy_handle)) else { continue }
            if code == CURLE_OK { transfer.keepConnection() }
            remove(transfer)
            return (transfer, code)
        }
        return nil
    }

    func isReady(now: Double) -> Bool { next < ready.count || dueSeconds <= now }

    /// Does part of what is due, without waiting.
    func act(now: Double) {
        guard next < ready.count else {
            if dueSeconds <= now { act(CURL_SOCKET_TIMEOUT, 0) }
            return
        }
        repeat {
            let socket = ready[next]
            next += 1
            // One that has failed counts as ready for what it is watched for: the read or write meets the failure.
            let hasFailed = Int32(socket.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
            let events = Int32(hasFailed ? socket.events : socket.revents)
            act(
                socket.fd,
                (events & POLLIN != 0 ? CURL_CSELECT_IN : 0) | (events & POLLOUT != 0 ? CURL_CSELECT_OUT : 0))
        } while next < ready.count && MonotonicClock.seconds < now + Self.sliceSeconds
    }

    private func act(_ socket: curl_socket_t, _ events: Int32) {
        guard let multi = unsafe multi else { return }
        if socket == CURL_SOCKET_TIMEOUT { dueSeconds = .infinity }
        var count: Int32 = 0
        unsafe curl_multi_socket_action(multi, socket, events, &count)
    }

    /// Waits until a socket is ready or the time is up.
    /// - Returns: whether one of `others` is readable.
    func wait(now: Double, until end: Double, others: [Descriptor]) -> Bool {
        var polled = sockets + others.map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        let seconds = max(0, min(end, dueSeconds) - now)
        _ = unsafe poll(&polled, nfds_t(polled.count), Int32((seconds * 1000).rounded(.up)))
        ready = polled.prefix(sockets.count).filter { $0.revents != 0 }
        next = 0
        return polled.dropFirst(sockets.count).contains { $0.revents != 0 }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> TransferLoop? {
        // SAFETY: the context is the loop, which unsets it before it goes.
        unsafe context.map { unsafe Unmanaged<TransferLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watch(_ socket: curl_socket_t, _ wish: Int32) {
        sockets.removeAll { $0.fd == socket }
        guard wish != CURL_POLL_REMOVE else { return }
        let events = (wish & CURL_POLL_IN != 0 ? POLLIN : 0) | (wish & CURL_POLL_OUT != 0 ? POLLOUT : 0)
        sockets.append(pollfd(fd: socket, events: Int16(events), revents: 0))
    }
}
