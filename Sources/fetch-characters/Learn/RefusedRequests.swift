// What it means that a service refuses all requests for a list, whatever they ask for: their login or their address is
// wrong, and nothing can be learnt of the list.

import PipelineCore

struct RefusedRequests: Sendable {
    private enum Cause: Sendable {
        case notAllowed(Int)
        case notFound(Int)
    }

    private var first: Cause?
    private var isOther = false

    /// - Parameter status: of an answer of the service; nil where none came.
    mutating func note(_ status: Int?) {
        let cause: Cause? =
            switch status {
            case 401?, 403?, 407?: .notAllowed(status ?? 0)
            case 404?, 410?: .notFound(status ?? 0)
            default: nil
            }
        switch (cause, first) {
        case (nil, _), (.notAllowed?, .notFound?), (.notFound?, .notAllowed?): isOther = true
        case (_, nil): first = cause
        case (.notAllowed?, .notAllowed?), (.notFound?, .notFound?): break
        }
    }

    /// Nil where something else came, too.
    /// - Parameter isRecorded: the request is from a HAR.
    func failure(at authority: String?, isRecorded: Bool) -> ToolFailure? {
        guard let first, !isOther else { return nil }
        let service = authority ?? "the service, as the HAR has it,"
        switch first {
        case .notAllowed(let status):
            let cure: Message =
                isRecorded
                ? "a HAR has no cookies or keys unless it is saved with sensitive data; save it so, or copy the request as cURL"
                : "add the key or the cookies that the request needs"
            return ToolFailure(.refused, "\(service) answered \(status) to all requests; \(cure)")
        case .notFound(let status):
            return ToolFailure(
                .protocolError, "\(service) answered \(status) to all requests; check the address of the list")
        }
    }
}
