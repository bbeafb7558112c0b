// The methods of requests, and what follows from each. When one is added here, the compiler names the other code to
// extend: how libcurl sends it (`Transfer`) and how it is shown as a curl command (`RequestExplanation`).

extension HTTPRequest {
    package enum Method: Equatable, Sendable {
        case get
        /// A query with a body, for cursors that are too long for a URL. Like GET it must not change anything at
        /// the service: it is sent again after a failure.
        case post(Body)

        /// As it is sent (RFC 9110, section 9.1).
        package var name: String {
            switch self {
            case .get: "GET"
            case .post: "POST"
            }
        }

        package var body: Body? {
            switch self {
            case .get: nil
            case .post(let body): body
            }
        }

        /// Whether a stored response can be revalidated. Only GET has conditions that all services understand
        /// (section 13.1).
        var hasConditions: Bool {
            switch self {
            case .get: true
            case .post: false
            }
        }

        /// The method that a redirect is followed with (section 15.4): 307 and 308 keep method and body, the others
        /// lead to a result that GET fetches.
        package func redirected(status: Int) -> Method {
            switch self {
            case .get: .get
            case .post: status == 307 || status == 308 ? self : .get
            }
        }
    }

    /// The body of a request, with placeholders for secrets.
    package struct Body: Equatable, Sendable {
        package let mediaType: String
        package let bytes: [UInt8]

        package init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    /// What is sent at one hop of a request. Its response is found by this.
    struct Hop {
        let method: Method
        let url: HTTPURL
        let fields: [Field]
        /// The secrets that are sent.
        let secrets: [HTTPSecret]
    }

    /// What is sent first.
    var firstHop: Hop { Hop(method: method, url: url, fields: fields, secrets: hiddenSecrets) }

    /// The statuses of responses with the requested content. A POST may be answered as if it had created something
    /// (RFC 9110, section 15.3).
    var contentStatuses: [ClosedRange<Int>] {
        let successes =
            switch method {
            case .get: HTTPResponse.statuses
            case .post: 200...299
            }
        return [successes] + readableStatuses.map { $0...$0 }
    }
}
