// What has been received of a response, and how much of it may be.

import PipelineCore

struct IncomingResponse {
    /// The body of a failure or redirect is read up to this size, to keep the connection and for what it says.
    private static let failureBodyLimitBytes = 65_536
    /// The maximum number of bytes reserved for a body based on its header.
    private static let reserveLimitBytes = 1 << 20

    var head = ResponseHead()
    /// Inflated, if it was sent compressed.
    private(set) var body: [UInt8] = []
    var sentCount = 0
    private var inflater: Inflater?
    var fault: HTTPFailure.Reason?

    var contentStatuses = HTTPResponse.statuses
    var needsEnd = false

    var hasContent: Bool { isContent(head.status) }

    /// PostgREST answers 206 with a page of records, not of bytes: `Content-Range: 0-24/250`.
    func isContent(_ status: Int) -> Bool {
        contentStatuses.contains(status)
            || status == 206 && head.headers["Content-Range"].map { !$0.hasPrefix("bytes") } ?? false
    }

    /// Drops what was received, and keeps the memory of a usual body.
    mutating func clear() {
        if head.coding == .gzip { inflater?.restart() }
        head = ResponseHead()
        body.removeAll(keepingCapacity: body.capacity <= Self.reserveLimitBytes)
        sentCount = 0
        fault = nil
    }

    mutating func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// - Parameter limitBytes: of the body, as sent and as inflated: blocks without content may have no end either.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer, limitBytes: Int) -> Bool {
        let limit = hasContent ? limitBytes : Self.failureBodyLimitBytes
        sentCount += bytes.count
        guard sentCount <= limit else {
            if hasContent { fault = .tooLarge(limitBytes: limit) }
            return false
        }
        if head.coding == .gzip {
            let isInflated = inflate(unsafe Span(_unsafeBytes: bytes), limitBytes: limit)
            // A failure stays one, whatever its body.
            if !hasContent { fault = nil }
            return isInflated || !hasContent
        }
        // No secret would be found in it before it is recorded.
        guard head.coding == .identity || hasContent else { return true }
        if body.isEmpty, hasContent, let length = head.contentLength {
            body.reserveCapacity(min(length, limit, Self.reserveLimitBytes))
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    private mutating func inflate(_ bytes: Span<UInt8>, limitBytes: Int) -> Bool {
        do throws(Inflater.Fault) {
            if inflater == nil { inflater = try Inflater() }
            if try inflater?.append(bytes, to: &body, limitBytes: limitBytes) == false {
                fault = .tooLarge(limitBytes: limitBytes)
            }
        } catch {
            fault =
                switch error {
                case .damaged: .damaged
                case .unavailable:
                    .unusable(ToolFailure(.inputOutput, "zlib gets no memory; allow more (ulimit -v)"))
                }
        }
        return fault == nil
    }

    /// What is wrong with the end of the content, which libcurl considers complete.
    var endFault: HTTPFailure.Reason? {
        guard hasContent else { return nil }
        if let fault = head.fault(ofBody: sentCount) { return fault }
        if needsEnd, head.coding == .identity, !head.hasEnd {
            return .malformed("lines without a length or chunks, which may be cut short")
        }
        return head.coding == .gzip && inflater?.isWhole != true ? .truncated : nil
    }
}
