// The final response, after redirects and retries.

/// A complete response.
package struct HTTPResponse: Equatable, Sendable {
    /// The successful statuses. 204 and 205 have no content, and 206 is a part that wasn't requested.
    static let statuses = 200...203

    package let status: Int
    package let headers: HTTPHeaders
    package var body: [UInt8]
    /// The URLs requested in sequence. The last one gave the response.
    package let redirectChain: [HTTPURL]
}
