// One request on its way: the easy handle of libcurl, which is reused, and what its callbacks gather.

import CCurl
import PipelineCore

/// A request from its first try to its last. libcurl holds a reference that isn't counted: a transfer lives until its
/// handle has been taken out of the multi handle.
@safe
final class Transfer {
    let easy: UnsafeMutableRawPointer
    private var fieldList = FieldList()
    /// The list holds what every request has, and nothing else.
    private var isListPlain = false

    var tag = 0
    private(set) var request: HTTPRequest
    /// What goes out at this hop; redirects change both.
    private(set) var url: HTTPURL
    private(set) var method: HTTPRequest.Method
    private(set) var redirectChain: [HTTPURL] = []
    var attempts = 0
    /// When a transfer that waits may go on, in seconds of the monotonic clock.
    var dueSeconds = 0.0
    /// It waits at a hop, and not for another try.
    var isVisiting = false
    /// The request of this try was counted.
    var isCounted = false
    /// Of the hops so far, nil before the first response.
    var provenance: HTTPProvenance?
    /// What the cache has for the URL, and the key of its entry.
    var entry: CacheEntry?
    var key: CacheKey?
    /// What the cache has for the request's own URL, where that was looked up already.
    private var lookup: CacheLookup?
    /// Where a note about the body goes.
    var reservation: CacheReservation?
    /// When the URL was asked for, in seconds since 1970.
    private(set) var askedSeconds = 0.0
    /// Its index among the running transfers, nil where it isn't one.
    var runningIndex: Int?

    private(set) var response = IncomingResponse()
    var meter = StallDetector()
    private(set) var connection: ConnectionUse

    private let guardsAddresses: Bool
    private(set) var isProxied = false
    private var refusedAddresses = 0
    private var openedSockets = 0

    /// - Throws: `.libcurl` where libcurl gives no handle.
    init(
        _ request: HTTPRequest, options: HTTPClient.Options, _ connections: KeptConnections
    ) throws(HTTPFailure) {
        guard let handle = unsafe curl_easy_init() else { throw HTTPFailure(.libcurl("no handle")) }
        unsafe easy = handle
        connection = ConnectionUse(connections)
        self.request = request
        url = request.url
        method = request.method
        guardsAddresses = !options.allowsPrivateAddresses
        setConstants(options)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
    }

    /// Whether the request has gone out, while it is running.
    var isSent: Bool { meter.hasBegun }

    /// Whether every address that the host has was refused.
    var isRefused: Bool { refusedAddresses > 0 && openedSockets == 0 }

    /// Makes the transfer that of a new request.
    /// - Parameter lookup: what the cache has for it, where that was looked up.
    func begin(_ request: HTTPRequest, tag: Int, attempts: Int, _ lookup: CacheLookup?) {
        self.request = request
        self.tag = tag
        self.attempts = attempts
        self.lookup = lookup
        entry = nil
        key = nil
        reservation = nil
        response.clear()
        rewind()
    }

    /// Goes back to the request's own URL, for another try.
    func rewind() {
        url = request.url
        method = request.method
        redirectChain.removeAll()
        isCounted = false
        isVisiting = false
        provenance = nil
    }

    /// Takes up the place of a response that was given out before.
    func resume(at redirectChain: [HTTPURL]) {
        self.redirectChain = redirectChain
        url = redirectChain.last ?? url
    }

    /// Goes on to where a redirect leads.
    func follow(_ next: HTTPURL, status: Int) {
        url = next
        method = method.redirected(status: status)
    }

    /// - Parameter spare: memory for the next body.
    func takeBody(_ spare: consuming [UInt8]) -> [UInt8] { response.takeBody(spare) }

    /// What was looked up before holds once: later the cache may have something else.
    func takeLookup() -> CacheLookup? {
        defer { lookup = nil }
        return lookup
    }

    /// Begins with the next hop.
    func arrive() {
        redirectChain.append(url)
        entry = nil
        key = nil
        reservation = nil
        isVisiting = true
        clear()
    }

    /// Takes what a recording has for what has come.
    func play(_ recorded: RecordedResponse) {
        if let status = recorded.status { response.take(status: status, recorded.headers) }
    }

    /// Drops what has come so far.
    private func clear() {
        response.clear()
        meter.stop()
        connection.clear()
        refusedAddresses = 0
        openedSockets = 0
    }

    /// Sets all that differs from hop to hop, ready to be added to the multi handle.
    func prepare(proxies: ProxySettings) throws(HTTPFailure) {
        clear()
        askedSeconds = WallClock.epochSeconds
        unsafe castline_set_text(easy, CURLOPT_URL, HTTPRequest.sentText(url, fields))
        unsafe castline_set_size(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.limitBytes))
        // The end of a handshake tells whether the service takes many requests over one connection. Without TLS only its
        // first response would.
        unsafe castline_set_long(easy, CURLOPT_PIPEWAIT, url.scheme == "https" ? 1 : 0)
        let proxy = proxies.proxy(for: url)
        isProxied = proxy != nil
        guard !guardsAddresses || !isProxied || !AddressGuard.isSpecial(host: url.asciiHost) else {
            throw HTTPFailure(.refusedAddress)
        }
        unsafe castline_set_text(easy, CURLOPT_PROXY, proxy ?? "")
        setMethod()
        setFields()
    }

    private func setMethod() {
        switch method {
        case .get: unsafe castline_set_long(easy, CURLOPT_HTTPGET, 1)
        case .post(let body):
            unsafe castline_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.bytes.count))
            // Without a pointer libcurl would ask a callback for the body, so an empty one has a byte that isn't sent.
            // SAFETY: libcurl copies that many bytes.
            unsafe (body.bytes + [0]).withUnsafeBytes {
                _ = unsafe castline_set_pointer(
                    easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
            }
        }
    }

    /// What goes out at this hop.
    var hop: HTTPRequest.Hop { HTTPRequest.Hop(method: method, url: url, fields: fields) }

    /// The request's fields for this hop. Secrets go to the origin that they were given for, and stay away for good
    /// once a redirect has left it.
    private var fields: [HTTPRequest.Field] {
        request.fields.isEmpty || isAtHome ? request.fields : request.fields.filter { !$0.isSecret }
    }

    private var isAtHome: Bool { redirectChain.allSatisfy { $0.origin == request.url.origin } }

    private func setFields() {
        let fields = fields.filter { $0.location == .header }
        let validator = entry?.validationField
        let mediaType = method.body?.mediaType
        let isPlain = fields.isEmpty && validator == nil && mediaType == nil
        guard !isPlain || !isListPlain else { return }
        isListPlain = isPlain
        var list = FieldList()
        list.append("Accept-Encoding", "identity")
        for field in fields { list.append(field.name, field.value) }
        if let validator { list.append(validator.name, validator.value) }
        if let mediaType { list.append("Content-Type", mediaType) }
        unsafe list.set(easy)
        fieldList = list
    }
}

// What libcurl is told once, and its callbacks. Each gets the transfer back as its context.
extension Transfer {
    private func setConstants(_ options: HTTPClient.Options) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe castline_set_pointer(easy, CURLOPT_PRIVATE, context)
        unsafe castline_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe castline_set_text(easy, CURLOPT_USERAGENT, options.userAgent)
        // `ProxySettings` has judged it.
        unsafe castline_set_text(easy, CURLOPT_NOPROXY, "")
        unsafe castline_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        unsafe castline_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        unsafe castline_set_long(easy, CURLOPT_TCP_NODELAY, 1)
        // A look-up that never returns must not hold up the end of a request. CURLOPT_NOSIGNAL stays off: so libcurl
        // ignores SIGPIPE during its calls, and only there.
        unsafe castline_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        unsafe castline_set_long(easy, CURLOPT_BUFFERSIZE, 65_536)
        let certificates = TrustSettings { Environment.value($0) }
        if let file = certificates.file { unsafe castline_set_text(easy, CURLOPT_CAINFO, file) }
        if let directory = certificates.directory { unsafe castline_set_text(easy, CURLOPT_CAPATH, directory) }
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
        // SAFETY: the context is always a transfer, and the client keeps it while libcurl knows it.
        unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Returns: whether the request may be sent now, as libcurl wants it.
    private func begin(over ends: KeptConnections.Endpoints) -> Int32 {
        guard connection.begin(ends) else { return CURL_PREREQFUNC_ABORT }
        meter.begin(now: MonotonicClock.seconds)
        return CURL_PREREQFUNC_OK
    }

    /// - Returns: the count, or 0 to stop the transfer.
    private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        meter.receive(count)
        // SAFETY: libcurl lends that many bytes for the time of the call.
        let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        return unsafe response.receiveBody(bytes, limitBytes: request.limitBytes) ? count : 0
    }

    /// - Returns: the count, or 0 to stop the transfer.
    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        meter.receive(count)
        guard let bytes = unsafe bytes else { return count }
        // SAFETY: libcurl lends that many bytes for the time of the call.
        let line = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count))
        return response.receiveLine(line) ? count : 0
    }

    /// - Returns: a socket for the address, or -1 where it is one that may not be reached.
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
