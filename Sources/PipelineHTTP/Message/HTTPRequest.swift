// A request: a method, a URL, header fields, and the size limit of the response.

import PipelineCore

package struct HTTPRequest: Equatable, Sendable {
    /// A header field to send, or a query parameter that is kept apart from the URL because it is secret.
    package struct Field: Equatable, Sendable {
        package enum Location: Equatable, Sendable {
            case header
            case query
        }

        package let name: String
        package let value: String
        /// A key or a cookie: it is sent only to the scheme, host and port of the request's URL.
        package let isSecret: Bool
        package let location: Location
    }

    package private(set) var url: HTTPURL
    /// That of a POST, for cursors that are too long for a URL. Like GET it must not change anything at the service: it
    /// is sent again after a failure. Nil for GET.
    package private(set) var body: Body?
    package private(set) var fields: [Field] = []
    package private(set) var hiddenSecrets: [HTTPSecret] = []
    /// The names of the parameters for keys, percent-encoded, whether there are keys or not: if a service repeats
    /// them in a redirect, they aren't sent twice.
    package var keyParameters: [String] = []
    /// Statuses besides the successful ones whose responses the caller wants to read.
    package var readableStatuses: [Int] = []
    /// The origins besides its own that redirects may lead to. Nil for all.
    package var redirectOrigins: [String]?
    /// No header field goes to another origin but those that say what the response may be: any other may be a key.
    package var keepsFieldsHome = false
    package var redirectLimit = 10
    /// Special-purpose addresses are refused, whatever the client allows: the URL is from foreign data.
    package var refusesPrivateAddresses = false
    /// The response may be compressed with gzip. It is inflated here, so whoever reads the body doesn't see that.
    package var takesGzip = false
    /// The content has no end of its own, as lines have none: the response has to show where it ends.
    package var needsEnd = false
    package var cacheUse = CacheUse.policy
    /// What `Accept` says where no field of the request does. Nil for libcurl's `*/*`. It is no part of what identifies a
    /// request in a cache or a recording.
    package var usualAccept: String?
    /// The reading of a list that the response becomes part of, by its name in the cache. Nil for any other response.
    package var reading: String?
    package var limitBytes: Int
    /// What identifies it in a recording, if that isn't all of it: a request that has the time of its run is the same in
    /// another run.
    package var recordedAs: Identity?

    package struct Identity: Equatable, Sendable {
        let url: HTTPURL
        let fields: [Field]
        let body: Body?
    }

    package var identity: Identity { Identity(url: url, fields: fields, body: body) }

    /// What the cache may be used for. The pages of a list must be of one age: one from yesterday among others from today
    /// would hide records, or have them twice.
    package enum CacheUse: Sendable {
        /// What the user and the service allow.
        case policy
        /// The service is asked whether the response is current, and nothing stands in for it.
        case revalidated
        /// The response of an earlier reading is used as it is.
        case stored
    }

    package init(_ url: String, limitBytes: Int = 64 << 20) throws(HTTPFailure) {
        self.init(try HTTPURL(url), limitBytes: limitBytes)
    }

    package init(_ url: HTTPURL, limitBytes: Int = 64 << 20) {
        self.url = url
        self.limitBytes = limitBytes
    }

    /// - Throws: `.invalidRequest` if the name isn't a token, or if the value contains a line end or another
    ///   control character, which would make it a separate field or request (RFC 9110, section 5.5).
    package mutating func add(_ name: String, _ value: String, isSecret: Bool = false) throws(HTTPFailure) {
        try Self.check(name, value)
        if body != nil, HTTPHeaders.areEqual(name, Self.mediaTypeField) {
            body?.mediaType = value
            return
        }
        fields.append(Field(name: name, value: value, isSecret: isSecret, location: .header))
    }

    /// Adds a secret. Its placeholder stands for it in the secret fields and in the body.
    package mutating func add(_ secret: HTTPSecret) {
        if !hiddenSecrets.contains(secret) { hiddenSecrets.append(secret) }
    }

    private static let mediaTypeField = "Content-Type"

    /// Makes it a POST request. A `Content-Type` among its fields is the body's: services refuse a request with two types,
    /// or take either (RFC 9110, sections 5.3 and 8.3).
    /// - Throws: `.invalidRequest` if the media type isn't valid in a header field.
    package mutating func post(_ body: Body) throws(HTTPFailure) {
        try Self.check(Self.mediaTypeField, body.mediaType)
        var body = body
        if let own = header(Self.mediaTypeField) { body.mediaType = own }
        fields.removeAll { $0.location == .header && HTTPHeaders.areEqual($0.name, Self.mediaTypeField) }
        self.body = body
    }

    /// The value of a header field that it was given, as it stands there.
    func header(_ name: String) -> String? {
        fields.last { $0.location == .header && HTTPHeaders.areEqual($0.name, name) }?.value
    }

    /// What `Accept` says where it isn't among the fields. Nil where that is libcurl's own, which is curl's too.
    package var shownAccept: String? { header("Accept") == nil ? usualAccept : nil }

    /// It asks itself whether something has changed, so a 304 is an answer to that.
    var isConditional: Bool { ["If-None-Match", "If-Modified-Since"].contains { header($0) != nil } }

    /// RFC 9110, section 5.6.2.
    package static func isFieldName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    private static func check(_ name: String, _ value: String) throws(HTTPFailure) {
        guard isFieldName(name) else {
            throw HTTPFailure(.invalidRequest("the name of a header field may hold letters, digits and -_ only"))
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            throw HTTPFailure(.invalidRequest("the header field \(name) holds a line end or a control character"))
        }
    }

    /// Adds a secret to the query as sent. The request's URL, which messages and caches use, doesn't contain it.
    package mutating func addSecretParameter(_ name: String, _ value: String) {
        let (name, value) = (HTTPURL.percentEncoded(name), HTTPURL.percentEncoded(value))
        fields.append(Field(name: name, value: value, isSecret: true, location: .query))
    }
}

extension HTTPRequest {
    /// The body of a request, with placeholders for secrets.
    package struct Body: Equatable, Sendable {
        /// What `Content-Type` says, which needn't name the kind: some services want a type of their own.
        package fileprivate(set) var mediaType: String
        package let kind: Kind
        package let bytes: [UInt8]

        /// How a value is escaped in it.
        package enum Kind: Sendable {
            case form
            case json
            case other
        }

        /// - Parameter mediaType: the usual one of its kind.
        package init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
            if mediaType.hasPrefix("application/x-www-form-urlencoded") {
                kind = .form
            } else {
                kind = mediaType.contains("json") ? .json : .other
            }
        }
    }

    package var method: String { body == nil ? "GET" : "POST" }

    static let redirectStatuses = [301, 302, 303, 307, 308]

    /// The request that a redirect is followed with: 307 and 308 keep method and body, the others lead to a result that GET
    /// fetches (RFC 9110, section 15.4). Secrets go only to the origin that they were given for, and never again once a
    /// redirect has left it. libcurl would send them to other hosts.
    /// - Parameter redirectChain: the URLs so far, the one that redirects last.
    /// - Throws: `.malformed`, `.refusedScheme`, `.refusedDowngrade`, `.redirectLoop` or `.tooManyRedirects`.
    package func redirected(
        to location: String, status: Int, after redirectChain: [HTTPURL]
    ) throws(HTTPFailure) -> HTTPRequest {
        let last = redirectChain.last ?? url
        var next = self
        do throws(HTTPFailure) { next.url = try last.resolving(location) } catch {
            if case .invalidRequest = error.reason { throw HTTPFailure(.malformed("a redirect to an invalid URL")) }
            throw error
        }
        guard last.scheme != "https" || next.url.scheme == "https" else { throw HTTPFailure(.refusedDowngrade) }
        if next.url.origin == last.origin { for name in keyParameters { next.url = try next.url.removing(name) } }
        if next.url.origin != url.origin {
            let isPlain = { (name: String) in
                HTTPHeaders.isOne(name, of: ["Accept", "Accept-Language", "User-Agent"])
            }
            next.fields.removeAll { field in
                // The name of a host is another one there.
                field.isSecret || HTTPHeaders.areEqual(field.name, "Host")
                    || keepsFieldsHome && !isPlain(field.name)
            }
            next.hiddenSecrets = []
        }
        if status != 307, status != 308 { next.body = nil }
        guard !redirectChain.contains(next.url) else { throw HTTPFailure(.redirectLoop) }
        guard redirectChain.count <= redirectLimit else {
            throw HTTPFailure(.tooManyRedirects(limit: redirectLimit))
        }
        return next
    }

    /// The statuses of responses with the requested content. A POST may be answered as if it had created something
    /// (RFC 9110, section 15.3).
    var contentStatuses: Set<Int> {
        (body == nil ? HTTPResponse.statuses : Set(200...299)).union(readableStatuses)
    }
}
