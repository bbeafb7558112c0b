// The methods that requests have, and what follows from each. A further one is added here, and the compiler names the
// rest: how libcurl sends it (`Transfer`) and how curl is told to (`RequestExplanation`).

extension HTTPRequest {
    package enum Method: Equatable, Sendable {
        case get
        /// A question that takes a body, as cursors do that are too long for a URL. Like GET it must change nothing at the
        /// service: it is sent again after a failure.
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

        /// Whether a response holds for later requests (section 9.2.3): one to a POST depends on its body, and services
        /// hardly ever say for how long.
        package var isCacheable: Bool {
            switch self {
            case .get: true
            case .post: false
            }
        }

        /// The method that a redirect is followed with (section 15.4): 307 and 308 keep method and body, the others lead to
        /// where the result can be had by GET.
        package func redirected(status: Int) -> Method {
            switch self {
            case .get: .get
            case .post: status == 307 || status == 308 ? self : .get
            }
        }
    }

    /// What a request carries.
    package struct Body: Equatable, Sendable {
        package let mediaType: String
        package let bytes: [UInt8]
    }

    /// What goes out at one hop of a request, secrets too: what its response is found by.
    struct Hop {
        let method: Method
        let url: HTTPURL
        let fields: [Field]
    }

    /// What goes out first.
    var firstHop: Hop { Hop(method: method, url: url, fields: fields) }
}
