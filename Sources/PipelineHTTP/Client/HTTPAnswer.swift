// What came back: the answer that redirects and retries led to.

/// A whole answer with a status from 200 to 299.
package struct HTTPAnswer: Equatable, Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let body: [UInt8]
    /// The URLs asked one after the other; the last one gave the answer.
    package let hops: [HTTPURL]
}
