// What has been received of a response, and how much of it may be.

import PipelineCore

/// A response that is being received.
struct IncomingResponse {
    /// The body of a failure or redirect is read up to this size, to keep the connection, and dropped.
    private static let discardedBodyLimitBytes = 65_536
    /// The maximum number of bytes reserved for a body based on its header.
    private static let reserveLimitBytes = 1 << 20

    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// Why the transfer was stopped.
    private(set) var fault: HTTPFailure.Reason?

    /// The statuses of responses with the requested content.
    var contentStatuses = [HTTPResponse.statuses]

    /// Whether the status says that the body is the requested content.
    var hasContent: Bool { isContent(head.status) }

    func isContent(_ status: Int) -> Bool { contentStatuses.contains { $0.contains(status) } }

    /// Drops what was received, and keeps the memory.
    mutating func clear() {
        head.reset()
        body.removeAll(keepingCapacity: true)
        fault = nil
    }

    /// Sets a head that was received earlier.
    mutating func take(status: Int, _ headers: HTTPHeaders) { head.take(status: status, headers) }

    /// Returns the body and gives it up.
    /// - Parameter spare: memory for the next one.
    mutating func takeBody(_ spare: consuming [UInt8]) -> [UInt8] {
        var taken = spare
        swap(&taken, &body)
        return taken
    }

    /// - Parameter line: of the head or the trailer.
    /// - Returns: whether the transfer continues.
    mutating func receiveLine(_ line: Span<UInt8>) -> Bool {
        fault = head.accept(line)
        return fault == nil
    }

    /// - Parameter limitBytes: of the body.
    /// - Returns: whether the transfer continues.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer, limitBytes: Int) -> Bool {
        let limit = hasContent ? limitBytes : Self.discardedBodyLimitBytes
        guard bytes.count <= limit - body.count else {
            if hasContent { fault = .tooLarge(limitBytes: limit) }
            return false
        }
        if body.isEmpty, hasContent, let length = head.contentLength {
            body.reserveCapacity(min(length, limit, Self.reserveLimitBytes))
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }
}
