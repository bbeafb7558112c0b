// One request under way: a reusable libcurl easy handle, and what its callbacks collect.

import CCurl
import PipelineCore

/// A request from its first attempt to its last. libcurl holds an uncounted reference: a transfer must live until
/// its handle has been removed from the multi handle.
@safe
final class Transfer {
    let easy: UnsafeMutableRawPointer
    /// The header fields, which libcurl borrows.
    private var fieldList: UnsafeMutablePointer<curl_slist>?

    var tag = 0
    private(set) var request: HTTPRequest
    /// The request's URL, and those that redirects led to.
    var redirectChain: [HTTPURL]
    /// The request as the last redirect is followed with.
    private(set) var hop: HTTPRequest
    var history = RetryPolicy.History()
    /// When a waiting transfer may continue, in seconds of the monotonic clock.
    var dueSeconds = 0.0
    /// It waits at a hop rather than for another attempt.
    var isVisiting = false
    var isCounted = false
    /// Of the hops so far. Nil before the first response.
    var provenance: HTTPProvenance?
    /// What the cache has for the URL, and the key of its entry.
    var entry: CacheEntry?
    var key: CacheKey?
    var reservation: CacheReservation?
    /// When the oldest of the hops from the cache was current, in seconds since 1970.
    var currentSeconds: Double?
    /// When the URL was requested, in seconds since 1970.
    private(set) var askedSeconds = 0.0
    /// The number of the renewable secret that was sent, if there is one.
    private(set) var sentSecret: Int?

    var response = IncomingResponse()
    /// Of a response with the status of a failure.
    var refusalBody: [UInt8] = []
    var meter = StallDetector()
    private let budget: BodyBudget
    /// What the budget counts of it.
    private var heldBytes = 0
    /// Why it is to be sent again, if it is.
    private(set) var stop: Stop?
    private let connections: KeptConnections
    /// The connection that the request was sent over; nil before that.
    private var endpoints: KeptConnections.Endpoints?

    /// Whether libcurl could begin. It does so with the first request, as that takes as long as a run that sends none.
    private static let isLibraryReady: Bool = {
        TextEncoding.useUTF8()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    private let guarded: GuardedAddresses
    /// The request's own URL led to a special-purpose address.
    private var isPrivate = false
    private(set) var isProxied = false
    var refusedAddresses = 0
    var openedSockets = 0

    /// Nil if libcurl can't begin.
    init?(
        _ request: HTTPRequest, options: HTTPClient.Options, _ connections: KeptConnections, _ budget: BodyBudget
    ) {
        guard Self.isLibraryReady, let handle = unsafe curl_easy_init() else { return nil }
        unsafe easy = handle
        unsafe fieldList = nil
        self.connections = connections
        self.budget = budget
        self.request = request
        hop = request
        redirectChain = [request.url]
        guarded = GuardedAddresses(options)
        setConstants(options)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(fieldList)
    }

    var url: HTTPURL { redirectChain[redirectChain.count - 1] }

    var guardsAddresses: Bool {
        if request.refusesPrivateAddresses { return true }
        switch guarded {
        case .all: return true
        case .redirects: return url.origin != request.url.origin && !isPrivate
        case .none: return false
        }
    }

    /// Notes what the request's own URL leads to, as its redirects may lead no further. A proxy's address says nothing.
    @unsafe func noteAddress(_ address: UnsafePointer<CChar>?) {
        guard guarded == .redirects, !isProxied, redirectChain.count < 2, let address = unsafe address else {
            return
        }
        isPrivate = SocketAddress(text: unsafe String(cString: address)).map { AddressGuard.isSpecial($0) } ?? false
    }

    var isSent: Bool { endpoints != nil }

    var isRefused: Bool { refusedAddresses > 0 && openedSockets == 0 }

    var refusal: HTTPFailure.Reason { guarded == .all ? .refusedAddress : .refusedTarget }

    func begin(_ request: HTTPRequest, tag: Int, _ history: RetryPolicy.History) {
        self.request = request
        self.tag = tag
        self.history = history
        response.contentStatuses = request.contentStatuses
        response.needsEnd = request.needsEnd
        rewind()
    }

    /// The body, which whoever gets it has to count from now on.
    func takeBody() -> [UInt8] {
        defer { countBody() }
        return response.takeBody()
    }

    private func countBody() {
        budget.release(heldBytes)
        heldBytes = response.body.count
        budget.take(heldBytes)
    }

    /// Returns to the request's own URL, for another attempt.
    func rewind() {
        redirectChain = []
        isCounted = false
        provenance = nil
        currentSeconds = nil
        sentSecret = nil
        isPrivate = guarded == .redirects && AddressGuard.isSpecial(host: request.url.asciiHost)
        arrive(request)
    }

    /// Begins a hop: the request itself, or what a redirect is followed with.
    func arrive(_ next: HTTPRequest) {
        hop = next
        redirectChain.append(next.url)
        entry = nil
        key = nil
        reservation = nil
        isVisiting = true
        clear()
    }

    private func clear() {
        response.clear()
        countBody()
        stop = nil
        refusalBody = []
        meter.stop()
        endpoints = nil
        refusedAddresses = 0
        openedSockets = 0
    }

    /// Sets all options that differ from hop to hop. The handle can then be added to the multi handle.
    func prepare(proxies: ProxySettings) throws(HTTPFailure) {
        clear()
        askedSeconds = WallClock.epochSeconds
        sentSecret = hop.renewableSecret?.number
        unsafe castline_set_text(easy, CURLOPT_URL, hop.sentURL)
        unsafe castline_set_size(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.limitBytes))
        // The end of the TLS handshake says whether the service accepts many requests over one connection. Without
        // TLS only its first response would.
        unsafe castline_set_long(easy, CURLOPT_PIPEWAIT, url.scheme == "https" ? 1 : 0)
        let proxy = proxies.proxy(for: url)
        isProxied = proxy != nil
        guard !guardsAddresses || !isProxied || !AddressGuard.isSpecial(host: url.asciiHost) else {
            throw HTTPFailure(refusal)
        }
        unsafe castline_set_text(easy, CURLOPT_PROXY, proxy ?? "")
        setMethod()
        setFields()
    }

    private func setMethod() {
        guard let body = hop.body else {
            unsafe castline_set_long(easy, CURLOPT_HTTPGET, 1)
            return
        }
        let bytes = hop.sentBytes(body)
        unsafe castline_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
        // Without a pointer libcurl would call back for the body, so an empty one has a byte that isn't sent.
        // SAFETY: libcurl copies POSTFIELDSIZE bytes.
        unsafe (bytes + [0]).withUnsafeBytes {
            _ = unsafe castline_set_pointer(
                easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
        }
    }

    /// The field that asks whether what the cache has is current. Only GET has conditions that all services understand
    /// (RFC 9110, section 13.1).
    var validator: (name: String, value: String)? {
        hop.body == nil && !hop.isConditional ? entry?.validationField : nil
    }

    private func setFields() {
        unsafe curl_slist_free_all(fieldList)
        unsafe fieldList = nil
        addUsual("Accept-Encoding", hop.takesGzip ? "gzip" : "identity")
        if let accept = hop.usualAccept { addUsual("Accept", accept) }
        for field in hop.fields where field.location == .header { addField(field.name, hop.sentValue(field)) }
        if let validator { addField(validator.name, validator.value) }
        if let body = hop.body { addField("Content-Type", body.mediaType) }
        unsafe castline_set_list(easy, CURLOPT_HTTPHEADER, fieldList)
    }

    /// Adds a field unless the request has its own: fields like these have one value, and of two a service takes either.
    private func addUsual(_ name: String, _ value: String) {
        if hop.header(name) == nil { addField(name, value) }
    }

    private func addField(_ name: String, _ value: String) {
        // libcurl sends a field without a value only if it ends with a semicolon rather than a colon.
        unsafe fieldList =
            curl_slist_append(fieldList, value.isEmpty ? "\(name);" : "\(name): \(value)") ?? fieldList
    }

    /// Lets later requests use the connection of a complete response.
    func keepConnection() {
        guard let endpoints else { return }
        unsafe connections.keep(endpoints, of: easy, isEncrypted: isProxied || url.scheme == "https")
    }
}

extension Transfer {
    /// Why a transfer ended before its response, through no fault of the service.
    enum Stop {
        /// Nothing was sent: data had arrived on the connection that libcurl chose, which is now closed.
        case unsent
        /// For want of memory: it is sent again when there is room.
        case displaced
    }

    /// Which special-purpose addresses are refused.
    enum GuardedAddresses {
        case all
        /// Those that a redirect to another origin leads to.
        case redirects
        case none

        init(_ options: HTTPClient.Options) {
            if !options.allowsPrivateAddresses {
                self = .all
            } else {
                self = options.guardsRedirects ? .redirects : .none
            }
        }
    }
}

/// The options that every request of a transfer has, and the callbacks through which libcurl hands over what comes.
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
        let certificates = trustedCertificates { Environment.path($0) }
        if let file = certificates.file { unsafe castline_set_text(easy, CURLOPT_CAINFO, file.fileBytes) }
        if let directory = certificates.directory {
            unsafe castline_set_text(easy, CURLOPT_CAPATH, directory.fileBytes)
        }
        let connectMilliseconds = max(1, Int(options.connectTimeoutSeconds * 1000))
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
            unsafe transfer.noteAddress(remoteHost)
            return transfer.begin(
                over: unsafe KeptConnections.endpoints(remoteHost, localHost, remotePort, localPort))
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
            easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(connections).toOpaque())
    }

    /// The transfer that a callback or a handle belongs to.
    static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        // SAFETY: the context is always a transfer, and the client keeps it while libcurl has it.
        unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Checks the connection that libcurl has chosen.
    private func begin(over chosen: KeptConnections.Endpoints) -> Int32 {
        guard connections.isQuiet(chosen) else {
            stop = .unsent
            return CURL_PREREQFUNC_ABORT
        }
        endpoints = chosen
        meter.begin(now: MonotonicClock.seconds)
        return CURL_PREREQFUNC_OK
    }

    /// - Returns: the count, or 0 to stop the transfer.
    private func receiveBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        meter.receive(count)
        guard budget.admits(self) else { return hold() }
        // SAFETY: libcurl lends `count` bytes for the duration of the call.
        let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        let isTaken = unsafe response.receiveBody(bytes, limitBytes: request.limitBytes)
        countBody()
        return isTaken ? count : 0
    }

    /// Receives no more until there is room: libcurl offers the same bytes again. In HTTP/2 a response that pauses may keep
    /// others of its connection from being read, the one that may go on among them, so it is dropped there.
    private func hold() -> Int {
        meter.stop()
        guard response.head.isHTTP1 else {
            stop = .displaced
            return 0
        }
        budget.pause(self)
        return Int(CURL_WRITEFUNC_PAUSE)
    }

    /// Goes on after a pause.
    func resume() {
        meter.begin(now: MonotonicClock.seconds)
        unsafe curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        meter.receive(count)
        guard let bytes = unsafe bytes else { return count }
        // SAFETY: libcurl lends `count` bytes for the duration of the call.
        let line = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(start: bytes, count: count))
        response.fault = response.head.accept(line)
        return response.fault == nil ? count : 0
    }

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

extension Transfer {
    func reason(for code: CURLcode) -> HTTPFailure.Reason {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotResolved
        case CURLE_COULDNT_RESOLVE_PROXY: .proxyFailed
        case CURLE_COULDNT_CONNECT where isRefused: refusal
        case CURLE_COULDNT_CONNECT: isProxied ? .proxyFailed : .connectionFailed
        case CURLE_SSL_CACERT_BADFILE: .certificatesMissing
        case CURLE_OPERATION_TIMEDOUT: isRefused ? refusal : .connectTimeout
        case CURLE_SSL_CONNECT_ERROR: .tlsFailed
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            .certificateRefused
        case CURLE_PARTIAL_FILE: .truncated
        case CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            response.head.isComplete ? .truncated : .connectionLost
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR: .connectionLost
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limitBytes: request.limitBytes)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            .malformed("not HTTP, or HTTP that breaks its rules")
        // libcurl limits the size of a header line, and reports a longer one in no other way.
        case CURLE_OUT_OF_MEMORY where response.head.status != 0 && !response.head.isComplete:
            .malformed("a header line that never ends")
        case CURLE_URL_MALFORMAT: .invalidRequest("the host's name can't be used")
        default: .libcurl(Self.text(code))
        }
    }

    private static func text(_ code: CURLcode) -> String {
        unsafe curl_easy_strerror(code).map { unsafe String(cString: $0).lowercased() } ?? "error \(code.rawValue)"
    }
}
