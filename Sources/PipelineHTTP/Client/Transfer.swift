// One request under way: a reusable libcurl easy handle, and what its callbacks collect.

import CCurl
import PipelineCore

/// A request from its first attempt to its last. libcurl holds an uncounted reference: a transfer must live until
/// its handle has been removed from the multi handle.
@safe
final class Transfer {
    let easy: UnsafeMutableRawPointer
    private var fieldList = FieldList()
    /// The list has the fields of every request with this coding, and nothing else. Nil if it has more.
    private var plainCoding: String?

    var tag = 0
    private(set) var request: HTTPRequest
    /// What is sent at this hop. Redirects change both.
    private(set) var url: HTTPURL
    private(set) var method: HTTPRequest.Method
    private(set) var redirectChain: [HTTPURL] = []
    var attempts = 0
    /// When a waiting transfer may continue, in seconds of the monotonic clock.
    var dueSeconds = 0.0
    /// It waits at a hop rather than for another attempt.
    var isVisiting = false
    /// This attempt was counted.
    var isCounted = false
    /// Of the hops so far. Nil before the first response.
    var provenance: HTTPProvenance?
    /// What the cache has for the URL, and the key of its entry.
    var entry: CacheEntry?
    var key: CacheKey?
    /// What the cache has for the request's own URL, if that was looked up already.
    private var lookup: CacheLookup?
    /// Where to store the body or a note about it.
    var reservation: CacheReservation?
    /// When the URL was requested, in seconds since 1970.
    private(set) var askedSeconds = 0.0
    /// The number of the renewable secret that was sent, if there is one.
    private(set) var sentSecret: Int?
    /// Its index among the running transfers, nil if it isn't running.
    var runningIndex: Int?

    var response = IncomingResponse()
    var meter = StallDetector()
    var connection: ConnectionUse

    private let guardsAllAddresses: Bool
    private let guardsRedirects: Bool
    /// The request's own URL led to a special-purpose address.
    private var isPrivate = false
    private(set) var isProxied = false
    var refusedAddresses = 0
    var openedSockets = 0

    /// - Throws: `.libcurl` if libcurl can't create a handle.
    init(
        _ request: HTTPRequest, options: HTTPClient.Options, _ connections: KeptConnections
    ) throws(HTTPFailure) {
        guard CurlLibrary.isReady, let handle = unsafe curl_easy_init() else {
            throw HTTPFailure(.libcurl("it can't begin"))
        }
        unsafe easy = handle
        connection = ConnectionUse(connections)
        self.request = request
        url = request.url
        method = request.method
        guardsAllAddresses = !options.allowsPrivateAddresses
        guardsRedirects = options.guardsRedirects
        setConstants(options)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
    }

    var guardsAddresses: Bool {
        guardsAllAddresses || request.refusesPrivateAddresses
            || guardsRedirects && url.origin != request.url.origin && !isPrivate
    }

    /// Notes what the request's own URL leads to, as its redirects may lead no further. A proxy's address says nothing.
    @unsafe func reach(_ address: UnsafePointer<CChar>?) {
        guard guardsRedirects, !isProxied, redirectChain.count < 2, let address = unsafe address else { return }
        isPrivate = SocketAddress(text: unsafe String(cString: address)).map { AddressGuard.isSpecial($0) } ?? false
    }

    /// Whether the request has been sent, while it is running.
    var isSent: Bool { meter.hasBegun }

    /// Whether all of the host's addresses were refused.
    var isRefused: Bool { refusedAddresses > 0 && openedSockets == 0 }

    var refusal: HTTPFailure.Reason { guardsAllAddresses ? .refusedAddress : .refusedTarget }

    /// Starts a new request with this transfer.
    /// - Parameter lookup: what the cache has for it, if that was looked up.
    func begin(_ request: HTTPRequest, tag: Int, attempts: Int, _ lookup: CacheLookup?) {
        self.request = request
        self.tag = tag
        self.attempts = attempts
        self.lookup = lookup
        entry = nil
        key = nil
        reservation = nil
        response.clear()
        response.contentStatuses = request.contentStatuses
        rewind()
    }

    /// Returns to the request's own URL, for another attempt.
    func rewind() {
        url = request.url
        method = request.method
        redirectChain.removeAll()
        isCounted = false
        isVisiting = false
        provenance = nil
        sentSecret = nil
        isPrivate = guardsRedirects && AddressGuard.isSpecial(host: url.asciiHost)
    }

    /// Continues from a response that was completed before.
    func resume(at redirectChain: [HTTPURL]) {
        self.redirectChain = redirectChain
        url = redirectChain.last ?? url
    }

    /// Moves on to the target of a redirect.
    func follow(_ next: HTTPURL, status: Int) {
        url = next
        method = method.redirected(status: status)
    }

    /// - Parameter spare: memory for the next body.
    func takeBody(_ spare: consuming [UInt8]) -> [UInt8] { response.takeBody(spare) }

    /// A lookup is used once: later the cache may have something else.
    func takeLookup() -> CacheLookup? {
        defer { lookup = nil }
        return lookup
    }

    /// Starts the next hop.
    func arrive() {
        redirectChain.append(url)
        entry = nil
        key = nil
        reservation = nil
        isVisiting = true
        clear()
    }

    /// Takes a recorded response as the one received.
    func play(_ recorded: RecordedResponse) {
        if let status = recorded.status { response.take(status: status, recorded.headers) }
    }

    /// Drops what was received so far.
    private func clear() {
        response.clear()
        meter.stop()
        connection.clear()
        refusedAddresses = 0
        openedSockets = 0
    }

    /// Sets all options that differ from hop to hop. The handle can then be added to the multi handle.
    func prepare(proxies: ProxySettings) throws(HTTPFailure) {
        clear()
        askedSeconds = WallClock.epochSeconds
        sentSecret = sendsSecrets ? request.renewableSecret?.number : nil
        unsafe castline_set_text(easy, CURLOPT_URL, request.sentText(url, fields))
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
        switch method {
        case .get: unsafe castline_set_long(easy, CURLOPT_HTTPGET, 1)
        case .post(let body):
            let bytes = request.sentBytes(body)
            unsafe castline_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
            // Without a pointer libcurl would call back for the body, so an empty one has a byte that isn't sent.
            // SAFETY: libcurl copies POSTFIELDSIZE bytes.
            unsafe (bytes + [0]).withUnsafeBytes {
                _ = unsafe castline_set_pointer(
                    easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
            }
        }
    }

    /// What is sent at this hop.
    var hop: HTTPRequest.Hop {
        HTTPRequest.Hop(
            method: method, url: url, fields: fields, secrets: sendsSecrets ? request.hiddenSecrets : [])
    }

    /// The request's fields for this hop. Secrets are sent only to the origin that they were given for, and never
    /// again once a redirect has left it.
    private var fields: [HTTPRequest.Field] {
        request.fields.isEmpty || sendsSecrets ? request.fields : request.fields.filter { !$0.isSecret }
    }

    /// Whether secrets are sent at this hop.
    var sendsSecrets: Bool {
        // The first hop is the request's own URL.
        redirectChain.count < 2 || redirectChain.allSatisfy { $0.origin == request.url.origin }
    }

    private func setFields() {
        let fields = fields.filter { $0.location == .header }
        let validator = method.hasConditions ? entry?.validationField : nil
        let mediaType = method.body?.mediaType
        let coding = request.takesGzip ? "gzip" : "identity"
        let isPlain = fields.isEmpty && validator == nil && mediaType == nil
        guard !isPlain || plainCoding != coding else { return }
        plainCoding = isPlain ? coding : nil
        var list = FieldList()
        list.append("Accept-Encoding", coding)
        for field in fields { list.append(field.name, request.sentValue(field)) }
        if let validator { list.append(validator.name, validator.value) }
        if let mediaType { list.append("Content-Type", mediaType) }
        unsafe list.set(easy)
        fieldList = list
    }
}
