// What came back: the response that redirects and retries led to.

/// A whole response.
package struct HTTPResponse: Equatable, Sendable {
    /// The statuses of responses; 204 and 205 have no content, and 206 has a part that wasn't asked for.
    static let statuses = 200...203

    package let status: Int
    package let headers: HTTPHeaders
    package let body: [UInt8]
    /// The URLs asked one after the other; the last one gave the response.
    package let redirectChain: [HTTPURL]
}
