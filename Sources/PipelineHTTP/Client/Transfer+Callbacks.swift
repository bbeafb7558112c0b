// The options that every request of a transfer has, and the callbacks through which libcurl hands over what comes.

import CCurl
import PipelineCore

/// Each callback gets the transfer back as its context.
extension Transfer {
    func setConstants(_ options: HTTPClient.Options) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe castline_set_pointer(easy, CURLOPT_PRIVATE, context)
        unsafe castline_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe castline_set_text(easy, CURLOPT_USERAGENT, options.userAgent)
        // `ProxySettings` has applied it.
        unsafe castline_set_text(easy, CURLOPT_NOPROXY, "")
        unsafe castline_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        unsafe castline_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        unsafe castline_set_long(easy, CURLOPT_TCP_NODELAY, 1)
        // A name lookup that never returns must not delay the end of a request. CURLOPT_NOSIGNAL stays off, so that
        // libcurl ignores SIGPIPE during its calls, and only then.
        unsafe castline_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        unsafe castline_set_long(easy, CURLOPT_BUFFERSIZE, 65_536)
        let certificates = TrustSettings { Environment.path($0) }
        if let file = certificates.file { unsafe castline_set_text(easy, CURLOPT_CAINFO, file.fileBytes) }
        if let directory = certificates.directory {
            unsafe castline_set_text(easy, CURLOPT_CAPATH, directory.fileBytes)
        }
        let connectMilliseconds = max(1, Int(min(options.connectTimeoutSeconds, 1e6) * 1000))
        unsafe castline_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
        unsafe castline_set_bytes_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            unsafe Transfer.of(context)?.receiveBody(bytes, size * count) ?? 0
        }
        unsafe castline_set_pointer(easy, CURLOPT_WRITEDATA, context)
        unsafe castline_set_bytes_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            unsafe Transfer.of(context)?.receiveHeader(bytes, size * count) ?? 0
        }
        unsafe castline_set_pointer(easy, CURLOPT_HEADERDATA, context)
        unsafe castline_set_before_request(easy) { context, remoteHost, localHost, remotePort, localPort in
            guard let transfer = unsafe Transfer.of(context) else { return CURL_PREREQFUNC_ABORT }
            unsafe transfer.reach(remoteHost)
            return transfer.begin(
                over: unsafe KeptConnections.Endpoints(remoteHost, localHost, remotePort, localPort))
        }
        unsafe castline_set_pointer(easy, CURLOPT_PREREQDATA, context)
        unsafe castline_set_open_socket(easy) { context, _, address in
            unsafe Transfer.of(context)?.openSocket(address) ?? -1
        }
        unsafe castline_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        unsafe castline_set_close_socket(easy) { context, socket in
            guard let context = unsafe context else { return 1 }
            // SAFETY: the loop keeps the table for as long as it has connections.
            return unsafe Unmanaged<KeptConnections>.fromOpaque(context).takeUnretainedValue().close(socket)
        }
        unsafe castline_set_pointer(
            easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(connection.connections).toOpaque())
    }

    /// The transfer that a callback or a handle belongs to.
    static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        // SAFETY: the context is always a transfer, and the client keeps it while libcurl has it.
        unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Returns: whether the request may be sent now, as libcurl expects it.
    private func begin(over ends: KeptConnections.Endpoints) -> Int32 {
        guard connection.begin(ends) else { return CURL_PREREQFUNC_ABORT }
        meter.begin(now: MonotonicClock.seconds)
        return CURL_PREREQFUNC_OK
    }

    /// - Returns: the count, or 0 to stop the transfer.
    private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        meter.receive(count)
        // SAFETY: libcurl lends `count` bytes for the duration of the call.
        let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        return unsafe response.receiveBody(bytes, limitBytes: request.limitBytes) ? count : 0
    }

    /// - Returns: the count, or 0 to stop the transfer.
    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        meter.receive(count)
        guard let bytes = unsafe bytes else { return count }
        // SAFETY: libcurl lends `count` bytes for the duration of the call.
        let line = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count))
        return response.receiveLine(line) ? count : 0
    }

    /// - Returns: a socket for the address, or -1 if the address is refused.
    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address = unsafe address else { return -1 }
        if guardsAddresses, !isProxied, AddressGuard.isSpecial(unsafe SocketAddress(address)) {
            refusedAddresses += 1
            return -1
        }
        openedSockets += 1
        return unsafe SocketAddress.openSocket(
            family: address.pointee.family, type: address.pointee.socktype, protocol: address.pointee.protocol)
    }
}
