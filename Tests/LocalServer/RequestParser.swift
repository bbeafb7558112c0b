// Bytes from a connection to requests: the head is parsed, a body kept as it is.

/// Takes requests out of the bytes that have come so far.
struct RequestParser {
    /// What the bytes so far amount to.
    enum Step {
        case request(Request)
        /// More has to come.
        case incomplete
        /// It can't be read; the connection ends with this status.
        case refused(status: Int)
    }

    static let headLimitBytes = 65_536
    static let bodyLimitBytes = 1 << 20

    private var bytes: [UInt8] = []

    mutating func append(_ more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }

    /// The next request, taken out with its body.
    mutating func next() -> Step {
        guard let head = headEnd() else {
            return bytes.count <= Self.headLimitBytes ? .incomplete : .refused(status: 431)
        }
        guard var request = Self.request(bytes[..<head]) else { return .refused(status: 400) }
        guard request.header("transfer-encoding") == nil else { return .refused(status: 501) }
        guard let bodyCount = Int(request.header("content-length") ?? "0"),
            (0...Self.bodyLimitBytes).contains(bodyCount)
        else { return .refused(status: 413) }
        guard bytes.count >= head + bodyCount else { return .incomplete }
        request.body = Array(bytes[head..<(head + bodyCount)])
        bytes.removeFirst(head + bodyCount)
        return .request(request)
    }

    /// Where the empty line ends that ends the head.
    private func headEnd() -> Int? {
        var lineStart = 0
        for index in bytes.indices where bytes[index] == 0x0A {
            let isEmpty = index == lineStart || (index == lineStart + 1 && bytes[lineStart] == 0x0D)
            if isEmpty { return index + 1 }
            lineStart = index + 1
        }
        return nil
    }

    private static func request(_ head: ArraySlice<UInt8>) -> Request? {
        var lines = head.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }[...]
        let words = lines.popFirst()?.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) } ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        var headers: [Header] = []
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            headers.append(Header(name, bytes: Array(value)))
        }
        return Request(
            method: words[0], target: words[1], isHTTP10: words[2] == "HTTP/1.0", headers: headers)
    }
}
