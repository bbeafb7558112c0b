// The ways a request can fail. Each determines whether a retry may help, the exit status and the message. A message
// names the host, and the URL that was requested only without its secrets; never where a redirect led to.

package import PipelineCore

package struct HTTPFailure: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The command line or the data is wrong: not a URL, or a header field that can't be sent.
        case invalidRequest(String)
        /// A value would make a segment of the path `.` or `..`, which names another place.
        case dotSegment
        case refusedScheme(String)
        /// A special-purpose address, see `AddressGuard`.
        case refusedAddress
        /// The same, where a response leads and not the user.
        case refusedTarget
        case refusedDowngrade
        /// A redirect to another origin, with the key in its URL or its body.
        case refusedKey
        case refusedOrigin
        case nameNotResolved
        case connectionFailed
        case proxyFailed
        case connectTimeout
        case tlsFailed
        case certificateRefused
        case certificatesMissing
        /// The connection closed before the response began, or in its header.
        case connectionLost
        /// Few bytes or none for this long.
        case idleTimeout(seconds: Double)
        case truncated
        /// The body is compressed, and can't be inflated: it isn't as the service sent it.
        case damaged
        case tooLarge(limitBytes: Int)
        /// Not HTTP, or HTTP without a definite end.
        case malformed(String)
        /// A whole response with something other than the description promises.
        case undescribed(String)
        /// A successful status, and content of another format than was asked for, as a page for people is.
        /// - Parameter isUnusual: other responses to the same run were of that format, so that a later run may succeed.
        case foreign(String, isUnusual: Bool)
        /// A successful status, and in its response what the service has against the request.
        case refusedRequest(String)
        case tooManyRedirects(limit: Int)
        case redirectLoop
        case status(Int)
        /// A page for people in place of a response, with this status: from whoever guards the service.
        case unwelcome(Int)
        /// The service asks for a wait that is longer than allowed, or no retries are left.
        case rateLimited(seconds: Double?)
        case deadline
        case interrupted
        case notCached
        case notRecorded(String)
        case libcurl(String)
        /// A file or a library that the client needs isn't available.
        case unusable(ToolFailure)
    }

    package let reason: Reason
    /// Host and port. Empty if the request never had any.
    let authority: String
    /// How often the request was sent, not counting redirects.
    package var attempts: Int
    package var shownURL: String?
    /// The body of the response if its status is the reason, up to 64 KiB. It may repeat a secret.
    package var body: [UInt8] = []
    /// What the service says against the request, without secrets.
    package var refusal: String?
    /// The variable or the file that the key is from, if the caller knows it.
    package var keyOrigin: String?
    package let redirectChain: [HTTPURL]
    package let httpStatus: Int?

    package init(
        _ reason: Reason, at url: HTTPURL? = nil, _ attempts: Int = 0, _ redirectChain: [HTTPURL] = [],
        httpStatus: Int? = nil
    ) {
        self.reason = reason
        authority = url?.authority ?? ""
        self.attempts = attempts
        self.redirectChain = redirectChain
        self.httpStatus = httpStatus
    }

    /// What is wrong with a value that can't be requested, where it is from a service, and not the user's.
    package func ofService(_ finding: String) -> HTTPFailure {
        switch reason {
        case .invalidRequest(let fault): HTTPFailure(.undescribed("\(finding): \(fault)"))
        case .dotSegment: HTTPFailure(.undescribed("\(finding): ., .. or an empty segment in the path"))
        default: self
        }
    }

    package var isRetryable: Bool { consequence.isRetryable }

    package var exitStatus: ExitStatus { consequence.status }

    private var consequence: (status: ExitStatus, isRetryable: Bool) {
        switch reason {
        case .invalidRequest, .dotSegment: (.usage, false)
        case .refusedScheme, .refusedAddress, .refusedTarget, .refusedDowngrade, .refusedKey, .refusedOrigin:
            (.refused, false)
        case .nameNotResolved, .connectionFailed, .proxyFailed, .connectTimeout, .tlsFailed, .connectionLost,
            .idleTimeout, .truncated, .damaged:
            (.unavailable, true)
        case .certificateRefused, .certificatesMissing, .notCached: (.unavailable, false)
        case .notRecorded: (.noInput, false)
        case .tooLarge, .malformed, .undescribed, .refusedRequest, .tooManyRedirects, .redirectLoop:
            (.protocolError, false)
        case .foreign(_, let isUnusual): (isUnusual ? .tryLater : .protocolError, true)
        case .status(401), .status(403), .status(407): (.refused, false)
        case .status(202), .status(408), .status(425), .status(500), .status(502...504), .status(520...524),
            .status(529...530):
            (.unavailable, true)
        case .status(500...599): (.unavailable, false)
        case .unwelcome(let status): (status == 403 ? .refused : .tryLater, true)
        case .status(429), .rateLimited: (.tryLater, true)
        case .status: (.protocolError, false)
        case .deadline, .interrupted: (.tryLater, false)
        case .libcurl: (.software, false)
        case .unusable(let failure): (failure.status, false)
        }
    }

    private var service: String { authority.isEmpty ? "the service" : authority }
}

extension HTTPFailure: CustomStringConvertible {
    package var description: String { message.description }

    package var message: Message {
        var text: Message =
            switch reason {
            case .rateLimited(let seconds?):
                "\(service) asks to wait \(Self.text(seconds)) s, more than a run waits; try again later"
            case .deadline where attempts == 0:
                "the deadline is before the next request to \(service) may start; raise --deadline, or try later"
            default: lastingDescription
            }
        if let refusal, !text.what.lowercased().hasSuffix(refusal.lowercased()) {
            text = Message("\(text.what): \(refusal)", cure: text.cure)
        }
        let tries = isRetryable && attempts > 1 ? "\(attempts) tries" : nil
        let details = [shownURL, tries].compactMap(\.self)
        return details.isEmpty ? text : "\(text) (\(details.joined(separator: ", ")))"
    }

    /// The same without what differs from run to run: the tries, the wait that the service asks for, and how far the
    /// request was when its time was up. For what is stored and compared.
    package var lastingDescription: Message { lastingDescription(of: service) }

    /// The same of another service, for failures that differ in it alone.
    package func lastingDescription(of service: String) -> Message {
        switch reason {
        case .invalidRequest(let fault): "\(fault); correct the URL or the option"
        case .dotSegment:
            "a value makes a segment of the path ., .. or empty, which names another place; correct the value"
        case .refusedScheme(let scheme):
            "a URL of the scheme \(scheme) is refused; only http and https are supported"
        case .refusedAddress: "\(service) is not a public address; --allow-private allows it"
        case .refusedTarget:
            "a response leads to \(service), which is not a public address; use that one itself if it is intended"
        case .refusedDowngrade:
            "\(service) redirects from https to http; use the new address itself if that is intended"
        case .refusedKey:
            "\(service) redirects to another scheme, host or port, which would get the key; ask that one itself "
                + "if it is to have it"
        case .refusedOrigin:
            "\(service) redirects to another scheme, host or port, where only the first request may go; check the "
                + "address and the description"
        case .nameNotResolved: "\(service) has no address; check the name and the network"
        case .connectionFailed: "\(service) refused the connection; check that the service is up"
        case .proxyFailed:
            "the proxy for \(service) can't be reached; check http_proxy, https_proxy and all_proxy"
        case .connectTimeout: "\(service) was not reached in time; try later, or raise a --timeout below 10s"
        case .tlsFailed: "no TLS connection with \(service); check the address or try later"
        case .certificateRefused:
            "the certificate of \(service) can't be verified; check the address and the clock"
        case .certificatesMissing:
            "the certificates to check \(service) by can't be read; check CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR"
        case .connectionLost: "\(service) closed the connection before it answered; try later"
        case .idleTimeout(let seconds):
            "\(service) sent almost nothing for \(Self.text(seconds)) s; raise --timeout or try later"
        case .truncated: "the response of \(service) was cut short; try later"
        case .damaged: "the compressed response of \(service) is damaged; try later"
        case .tooLarge(let limit): "the response of \(service) is larger than \(limit) bytes; ask for less of it"
        case .malformed(let fault):
            "\(service) sent a malformed response: \(fault); check the address, or report it to the service"
        case .undescribed(let finding): "\(service) sent \(finding); check the description and the address"
        case .foreign(let finding, isUnusual: false):
            "\(service) sent \(finding); check the description and the address"
        case .foreign(let finding, isUnusual: true):
            "\(service) sent \(finding), unlike its other responses; try again later"
        case .refusedRequest(let text):
            "\(service) refuses the request: \(text); check the options and the description"
        case .tooManyRedirects(let limit): "\(service) redirects more than \(limit) times; check the address"
        case .redirectLoop: "\(service) redirects in a circle; check the address"
        case .status(let status): Self.description(ofHTTP: status, service, keyOrigin.map { " in \($0)" } ?? "")
        case .unwelcome(let status):
            "\(service) answered \(status) with an HTML page: asked too fast, or not welcome\(status == 503 ? ", or it is down" : ""); try later with a lower "
                + "--rate, and say who you are in \(UserAgent.variable)"
        case .rateLimited: "\(service) limits the rate of requests; try again later"
        case .deadline: "the deadline passed before \(service) responded; raise --deadline or try later"
        case .interrupted: "interrupted; run it again"
        case .notCached: "\(service): the response isn't in the cache; leave out --offline to request it"
        case .notRecorded(let request): "the recording has no response to \(request); record it again with --record"
        case .unusable(let failure): failure.message
        case .libcurl(let fault): "libcurl failed: \(fault); report this"
        }
    }

    private static func description(ofHTTP status: Int, _ location: String, _ keyOrigin: String) -> Message {
        switch status {
        case 401 where keyOrigin.isEmpty: "\(location) answered 401, unauthorized; ask the service for access"
        case 403 where keyOrigin.isEmpty: "\(location) answered 403, forbidden; ask the service for access"
        case 401: "\(location) answered 401, unauthorized; check the key\(keyOrigin)"
        case 403: "\(location) answered 403, forbidden; check the key\(keyOrigin) and its rights"
        case 206: "\(location) answered 206, with a part of what was requested; check the request"
        case 301, 302, 303, 307, 308: "\(location) answered \(status) without a Location; report it to the service"
        case 304: "\(location) answered 304 to an unconditional request; report it to the service"
        case 404: "\(location) answered 404, not found; check the address"
        case 410: "\(location) answered 410, gone; check the address"
        case 407:
            "\(location) or the proxy before it answered 407; give a proxy's user and password in https_proxy or http_proxy"
        case 202, 408, 425, 500...599: "\(location) answered \(status); try again later"
        default: "\(location) answered \(status); check the request"
        }
    }

    /// Seconds to a tenth, without a fraction of zero.
    /// - Parameter seconds: clamped to 0 to 10^12. NaN counts as 0.
    private static func text(_ seconds: Double) -> String {
        let tenths = Int((max(0, min(seconds, 1e12)) * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

// Recordings keep the failures of the network, as words, and can't cause any others.
extension HTTPFailure.Reason {
    private static let words: [(reason: HTTPFailure.Reason, text: String)] = [
        (.nameNotResolved, "name-not-resolved"), (.connectionFailed, "connection-failed"),
        (.proxyFailed, "proxy-failed"), (.connectTimeout, "connect-timeout"), (.tlsFailed, "tls-failed"),
        (.certificateRefused, "certificate-refused"), (.certificatesMissing, "certificates-missing"),
        (.connectionLost, "connection-lost"), (.truncated, "truncated"), (.damaged, "damaged"),
        (.refusedAddress, "refused-address"), (.refusedTarget, "refused-target"),
    ]

    /// Nil for a failure that isn't the network's.
    var recorded: String? {
        switch self {
        case .idleTimeout(let seconds): "idle-timeout \(seconds)"
        case .tooLarge(let limit): "too-large \(limit)"
        case .malformed(let fault): "malformed \(fault)"
        default: Self.words.first { $0.reason == self }?.text
        }
    }

    init?(recorded text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("idle-timeout", let word?):
            guard let seconds = Double(word), seconds.isFinite, seconds >= 0 else { return nil }
            self = .idleTimeout(seconds: seconds)
        case ("too-large", let word?):
            guard let limit = Int(word), limit >= 0 else { return nil }
            self = .tooLarge(limitBytes: limit)
        case ("malformed", let fault?): self = .malformed(fault)
        default:
            guard let reason = Self.words.first(where: { $0.text == text })?.reason else { return nil }
            self = reason
        }
    }
}

extension ToolFailure {
    /// - Parameter subject: what was requested, if the message should say it.
    package init(_ failure: HTTPFailure, about subject: String? = nil) {
        self.init(failure.exitStatus, "\(subject.map { "\($0): " } ?? "")\(failure.message)")
    }

    /// Does what may fail as a request does, and makes its failure the run's.
    package static func onHTTPFailure<Result>(
        _ call: @autoclosure () throws(HTTPFailure) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(HTTPFailure) { return try call() } catch { throw ToolFailure(error) }
    }
}
