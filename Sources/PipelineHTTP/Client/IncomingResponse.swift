// What has come of a response so far, and how much of it may come.

import PipelineCore

/// A response that is being received.
struct IncomingResponse {
    /// The body of a failure or redirect is read up to here, to keep the connection, and dropped.
    private static let discardedBodyLimitBytes = 65_536
    /// The most bytes set aside for a body because its header says so.
    private static let reserveLimitBytes = 1 << 20

    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// Why the transfer was stopped.
    private(set) var fault: HTTPFailure.Reason?

    /// Whether the status says that the body is what was requested.
    var hasContent: Bool { HTTPResponse.statuses.contains(head.status) }

    /// Drops what has come, and keeps the memory.
    mutating func clear() {
        head.reset()
        body.removeAll(keepingCapacity: true)
        fault = nil
    }

    /// Takes a head that was received before.
    mutating func take(status: Int, _ headers: HTTPHeaders) { head.take(status: status, headers) }

    /// Gives the body away.
    /// - Parameter spare: memory for the next one.
    mutating func takeBody(_ spare: consuming [UInt8]) -> [UInt8] {
        var taken = spare
        swap(&taken, &body)
        return taken
    }

    /// - Parameter line: of the head or the trailer.
    /// - Returns: whether the transfer goes on.
    mutating func receiveLine(_ line: Span<UInt8>) -> Bool {
        fault = head.accept(line)
        return fault == nil
    }

    /// - Parameter limitBytes: of the body.
    /// - Returns: whether the transfer goes on.
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
