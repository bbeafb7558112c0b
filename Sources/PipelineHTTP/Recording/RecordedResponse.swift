// One response of a recording: a head that people can read and edit, and the body as received.
//
//     api.disneyapi.dev_character_6f0c52a1d3e4b798.1.head     api.disneyapi.dev_character_6f0c52a1d3e4b798.1.body
//
//     GET https://api.disneyapi.dev/character?page=1&pageSize=50
//     Accept: application/json
//
//     HTTP 200
//     Content-Type: application/json; charset=utf-8
//
// If the response is incomplete, a last line says why: `FAILED truncated`.

import PipelineCore

/// The result of sending a request once.
struct RecordedResponse {
    /// From 100 to 999. Nil without a complete header.
    var status: Int?
    var headers = HTTPHeaders()
    var body: [UInt8] = []
    /// Why there isn't a complete response.
    var failure: HTTPFailure.Reason?

    /// Whether a failure is the network's. Recordings keep only those.
    static func keeps(_ failure: HTTPFailure.Reason) -> Bool { RecordedFailure.text(failure) != nil }

    /// The text of the head.
    /// - Parameter request: its lines.
    func head(_ request: [String]) -> String {
        var lines = request + ["", "HTTP \(status.map { "\($0)" } ?? "none")"]
        lines += headers.fields.map { "\($0.name): \($0.value)" }
        lines.append("")
        if let text = failure.flatMap(RecordedFailure.text) { lines.append("FAILED \(text)") }
        return lines.joined(separator: "\n") + "\n"
    }

    init() {}

    /// Parses a head. Nil if it isn't one.
    init?(head: String) {
        let lines = head.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let end = lines.firstIndex(of: ""), end + 1 < lines.count, lines[end + 1].hasPrefix("HTTP ") else {
            return nil
        }
        let word = lines[end + 1].dropFirst(5)
        status = Int(word)
        // Any status that a service can send, or the word for none.
        guard status.map({ (100...999).contains($0) }) ?? (word == "none") else { return nil }
        var rest = lines[(end + 2)...]
        while let line = rest.popFirst(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            headers.append(String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
        }
        guard let last = rest.first, last.hasPrefix("FAILED ") else {
            if status == nil { return nil }
            return
        }
        guard let reason = RecordedFailure.reason(String(last.dropFirst(7))) else { return nil }
        failure = reason
    }
}

/// The network's failures, as words. A recording can't cause any others.
private enum RecordedFailure {
    private static let plain: [HTTPFailure.Reason] = [
        .nameNotResolved, .connectionFailed, .proxyFailed, .connectTimeout, .tlsFailed, .certificateRefused,
        .certificatesMissing, .connectionLost, .truncated, .damaged, .refusedAddress, .refusedTarget,
    ]

    /// - Returns: nil for a failure that isn't the network's.
    static func text(_ reason: HTTPFailure.Reason) -> String? {
        switch reason {
        case .nameNotResolved: "name-not-resolved"
        case .connectionFailed: "connection-failed"
        case .proxyFailed: "proxy-failed"
        case .connectTimeout: "connect-timeout"
        case .tlsFailed: "tls-failed"
        case .certificateRefused: "certificate-refused"
        case .certificatesMissing: "certificates-missing"
        case .connectionLost: "connection-lost"
        case .truncated: "truncated"
        case .damaged: "damaged"
        case .refusedAddress: "refused-address"
        case .refusedTarget: "refused-target"
        case .idleTimeout(let seconds): "idle-timeout \(seconds)"
        case .tooLarge(let limit): "too-large \(limit)"
        case .malformed(let fault): "malformed \(fault)"
        case .invalidRequest, .dotSegment, .refusedScheme, .refusedDowngrade, .refusedKey, .refusedOrigin,
            .undescribed, .refusedRequest, .tooManyRedirects, .redirectLoop, .status, .rateLimited, .deadline,
            .interrupted, .notCached, .notRecorded, .libcurl,
            .unusable:
            nil
        }
    }

    static func reason(_ text: String) -> HTTPFailure.Reason? {
        if let reason = plain.first(where: { Self.text($0) == text }) { return reason }
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "idle-timeout":
            return Double(words[1]).flatMap { $0.isFinite && $0 >= 0 ? .idleTimeout(seconds: $0) : nil }
        case "too-large": return Int(words[1]).flatMap { $0 >= 0 ? .tooLarge(limitBytes: $0) : nil }
        case "malformed": return .malformed(words[1])
        default: return nil
        }
    }
}
