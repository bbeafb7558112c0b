// The ways a request can fail. Each determines whether a retry may help, the exit status and the message. A message
// names the host, and the URL that was requested only without its secrets; never where a redirect led to.

package import PipelineCore

/// A request without a usable response.
package struct HTTPFailure: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The command line or the data is wrong: not a URL, or a header field that can't be sent.
        case invalidRequest(String)
        /// A value would make a segment of the path `.` or `..`, which names another place.
        case dotSegment
        case refusedScheme(String)
        /// A special-purpose address, see `AddressGuard`.
        case refusedAddress
        /// The same, where an answer leads and not the user.
        case refusedTarget
        /// A redirect from https to http.
        case refusedDowngrade
        /// A redirect to another origin, with the key in its URL or its body.
        case refusedKey
        /// A redirect to an origin where this request may not go.
        case refusedOrigin
        case nameNotResolved
        case connectionFailed
        /// The name of the proxy in the environment doesn't resolve, or the proxy refuses the connection.
        case proxyFailed
        case connectTimeout
        /// The TLS handshake failed.
        case tlsFailed
        /// The certificate can't be verified.
        case certificateRefused
        /// The trusted certificates can't be read.
        case certificatesMissing
        /// The connection closed before the response began, or in its header.
        case connectionLost
        /// Few bytes or none for this long.
        case idleTimeout(seconds: Double)
        /// The body ended early.
        case truncated
        /// The body is compressed, and can't be inflated: it isn't as the service sent it.
        case damaged
        case tooLarge(limitBytes: Int)
        /// Not HTTP, or HTTP without a definite end.
        case malformed(String)
        /// A whole answer with something other than the description promises.
        case undescribed(String)
        /// A successful status, and in its answer what the service has against the request.
        case refusedRequest(String)
        case tooManyRedirects(limit: Int)
        case redirectLoop
        case status(Int)
        /// The service asks for a wait that is longer than allowed, or no retries are left.
        case rateLimited(seconds: Double?)
        /// The deadline of the run passed.
        case deadline
        /// A signal ended the run.
        case interrupted
        /// `--offline`, and the cache has no response.
        case notCached
        /// `--replay`, and the recording has no response to this request.
        case notRecorded(String)
        /// An error of libcurl.
        case libcurl(String)
        /// A file or a library that the client needs isn't available.
        case unusable(ToolFailure)
    }

    package let reason: Reason
    /// Host and port. Empty if the request never had any.
    package internal(set) var authority = ""
    /// How often the request was sent, not counting redirects.
    package var attempts = 0
    /// The URL that was requested, without secrets, for messages.
    package var shownURL: String?
    /// The URLs requested in sequence, up to the failure.
    package internal(set) var redirectChain: [HTTPURL] = []

    package init(_ reason: Reason) { self.reason = reason }

    /// - Parameter url: of the answer that can't be used.
    package init(_ reason: Reason, at url: HTTPURL?) {
        self.reason = reason
        authority = url?.authority ?? ""
    }

    /// What is wrong with a value of a record, for which no option is to blame.
    package var faultOfValue: String {
        if case .invalidRequest(let fault) = reason { fault } else { description }
    }

    /// The same where the value that can't be requested is from a service, and not the user's.
    package func ofService(_ finding: String) -> HTTPFailure {
        switch reason {
        case .invalidRequest(let fault): HTTPFailure(.undescribed("\(finding): \(fault)"))
        case .dotSegment: HTTPFailure(.undescribed("\(finding): . or .. in the path"))
        default: self
        }
    }

    /// The HTTP status, if there was a response with one.
    package internal(set) var httpStatus: Int?

    /// Whether a retry of the same request may succeed.
    package var isRetryable: Bool {
        switch reason {
        case .nameNotResolved, .connectionFailed, .proxyFailed, .connectTimeout, .tlsFailed, .connectionLost,
            .idleTimeout, .truncated, .damaged:
            true
        case .status(let status): [408, 425, 429, 500, 502, 503, 504, 522, 524].contains(status)
        case .rateLimited: true
        case .invalidRequest, .dotSegment, .refusedScheme, .refusedAddress, .refusedTarget, .refusedDowngrade,
            .refusedKey, .refusedOrigin, .certificateRefused, .certificatesMissing, .tooLarge, .malformed,
            .undescribed, .refusedRequest, .tooManyRedirects,
            .redirectLoop, .deadline,
            .interrupted, .notCached, .notRecorded, .libcurl, .unusable:
            false
        }
    }

    /// The exit status of a run that ends with this failure.
    package var exitStatus: ExitStatus {
        switch reason {
        case .invalidRequest, .dotSegment: .usage
        case .refusedScheme, .refusedAddress, .refusedTarget, .refusedDowngrade, .refusedKey, .refusedOrigin:
            .refused
        case .nameNotResolved, .connectionFailed, .proxyFailed, .connectTimeout, .tlsFailed, .certificateRefused,
            .certificatesMissing, .connectionLost, .idleTimeout, .truncated, .damaged, .notCached:
            .unavailable
        case .notRecorded: .noInput
        case .tooLarge, .malformed, .undescribed, .refusedRequest, .tooManyRedirects, .redirectLoop: .protocolError
        case .status(let status): Self.exitStatus(ofHTTP: status)
        case .rateLimited, .deadline, .interrupted: .tryLater
        case .libcurl: .software
        case .unusable(let failure): failure.status
        }
    }

    private static func exitStatus(ofHTTP status: Int) -> ExitStatus {
        switch status {
        case 401, 403, 407: .refused
        case 429: .tryLater
        case 408, 425, 500...599: .unavailable
        default: .protocolError
        }
    }
}

extension HTTPFailure: CustomStringConvertible {
    /// What happened; what to do about it. One line.
    package var description: String {
        let text =
            switch reason {
            case .rateLimited(let seconds?):
                "\(service) asks to wait \(Self.text(seconds)) s; try again later or raise --max-retry-after"
            case .deadline where attempts == 0:
                "the deadline comes before \(service) may get the next request; raise --deadline, or try later"
            default: lastingDescription
            }
        let tries = isRetryable && attempts > 1 ? "\(attempts) tries" : nil
        let details = [shownURL, tries].compactMap(\.self)
        return details.isEmpty ? text : "\(text) (\(details.joined(separator: ", ")))"
    }

    /// The same without what differs from run to run: the tries, the wait that the service asks for, and how far the
    /// request was when its time was up. For what is stored and compared.
    package var lastingDescription: String { lastingDescription(of: service) }

    /// The same of another service, for failures that differ in it alone.
    package func lastingDescription(of service: String) -> String {
        switch reason {
        case .invalidRequest(let fault): "\(fault); correct the URL or the option"
        case .dotSegment: "a value is . or .. in the path, which names another place; correct the value"
        case .refusedScheme(let scheme):
            "a URL of the scheme \(scheme) is refused; only http and https are supported"
        case .refusedAddress: "\(service) is not a public address; --allow-private allows it"
        case .refusedTarget:
            "an answer leads to \(service), which is not a public address; ask that one itself if it is meant"
        case .refusedDowngrade:
            "\(service) redirects from https to http; ask the new address itself if that is meant"
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
        case .connectTimeout: "\(service) was not reached in time; raise --connect-timeout or try later"
        case .tlsFailed: "no TLS connection with \(service); check the address or try later"
        case .certificateRefused:
            "the certificate of \(service) can't be verified; check the address and the clock"
        case .certificatesMissing:
            "the certificates to check \(service) by can't be read; check CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR"
        case .connectionLost: "\(service) broke off before it answered; try later"
        case .idleTimeout(let seconds):
            "\(service) sent almost nothing for \(Self.text(seconds)) s; raise --timeout or try later"
        case .truncated: "the answer of \(service) was cut short; try later"
        case .damaged: "the compressed answer of \(service) is damaged; try later"
        case .tooLarge(let limit): "the answer of \(service) is larger than \(limit) bytes; ask for less of it"
        case .malformed(let fault):
            "\(service) answered in a broken way: \(fault); check the address, or report it to those who run the service"
        case .undescribed(let finding): "\(service) answered with \(finding); check the description and the address"
        case .refusedRequest(let text):
            "\(service) refuses the request: \(text); check the options and the description"
        case .tooManyRedirects(let limit): "\(service) redirects more than \(limit) times; check the address"
        case .redirectLoop: "\(service) redirects in a circle; check the address"
        case .status(let status): Self.description(ofHTTP: status, service)
        case .rateLimited: "\(service) limits the rate of requests; try again later"
        case .deadline: "the deadline came before the answer of \(service); raise --deadline or try later"
        case .interrupted: "interrupted; run it again"
        case .notCached: "\(service): the response isn't in the cache; leave out --offline to request it"
        case .notRecorded(let request): "the recording has no response to \(request); record it again with --record"
        case .unusable(let failure): failure.message
        case .libcurl(let fault): "libcurl failed: \(fault); report this"
        }
    }

    private var service: String { authority.isEmpty ? "the service" : authority }

    private static func description(ofHTTP status: Int, _ location: String) -> String {
        switch status {
        case 401: "\(location) answered 401, unauthorized; check the key"
        case 403: "\(location) answered 403, forbidden; check the key and the rights it gives"
        case 304: "\(location) answered 304 to an unconditional request; report it to the service"
        case 404, 410: "\(location) answered \(status), not found; check the address"
        case 407:
            "\(location) or the proxy before it answered 407; give a proxy's user and password in https_proxy or http_proxy"
        case 408, 425, 500...599: "\(location) answered \(status); try again later"
        default: "\(location) answered \(status); check the request"
        }
    }

    /// Seconds to a tenth. Omits the fraction if it is zero.
    /// - Parameter seconds: clamped to 0 to 10^12. NaN counts as 0.
    private static func text(_ seconds: Double) -> String {
        let tenths = Int((max(0, min(seconds, 1e12)) * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension ToolFailure {
    /// A request that finally failed.
    /// - Parameter subject: what was requested, if the message should say it.
    package init(_ failure: HTTPFailure, about subject: String? = nil) {
        self.init(failure.exitStatus, (subject.map { "\($0): " } ?? "") + failure.description)
    }

    /// Runs a body that fails as a request does, and makes its failure the run's.
    package static func onHTTPFailure<Result>(
        _ body: () throws(HTTPFailure) -> Result
    ) throws(ToolFailure) -> Result {
        do throws(HTTPFailure) { return try body() } catch { throw ToolFailure(error) }
    }
}
