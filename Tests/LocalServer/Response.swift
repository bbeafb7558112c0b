// An answer before it is sent: status, headers, body, with the pages that the model's server makes by itself.

/// One HTTP answer. Length, Date and Connection are added where it is sent.
struct Response: Sendable {
    var status: Int
    var headers: [Header]
    var body: [UInt8]

    init(status: Int = 200, type: String, body: [UInt8], headers: [Header] = []) {
        self.status = status
        self.body = body
        self.headers = [Header("Content-Type", type)] + headers
    }

    /// Puts the header in place of all of its name.
    mutating func set(_ header: Header) {
        let folded = header.name.lowercased()
        headers.removeAll { $0.name.lowercased() == folded }
        headers.append(header)
    }

    /// The page by which Express says that there is no such route.
    static func notFound(_ request: Request) -> Response {
        let text = "<pre>Cannot \(request.method) \(request.path)</pre>"
        return Response(status: 404, type: "text/html; charset=utf-8", body: page(title: "Error", text: text))
    }

    /// JSON with a tag that is the same for the same bytes.
    static func json(_ body: [UInt8], status: Int = 200, headers: [Header] = []) -> Response {
        let tag = "W/\"\(String(body.count, radix: 16))-\(String(Checksum.fnv(body), radix: 16))\""
        let validators = status == 200 ? [Header("ETag", tag)] : []
        return Response(
            status: status, type: "application/json; charset=utf-8", body: body, headers: validators + headers)
    }

    /// Another address, with the page that a bare status has.
    static func redirect(_ address: [UInt8], status: Int = 302) -> Response {
        var answer = Response.error(status)
        answer.set(Header("Location", bytes: address))
        return answer
    }

    /// The text that goes with a bare status.
    static func error(_ status: Int) -> Response {
        Response(status: status, type: "text/plain; charset=utf-8", body: Array((reason(status) + "\n").utf8))
    }

    /// The page of whoever guards a service.
    static func guardPage(_ status: Int, headers: [Header] = []) -> Response {
        Response(
            status: status, type: "Text/HTML; charset=utf-8",
            body: page(title: "Attention Required", text: "<p>Are you a robot?</p>"), headers: headers)
    }

    /// 304 for what the client has already (RFC 9110, 15.4.5): no body, the validators kept.
    func notModified() -> Response {
        var answer = self
        answer.status = 304
        answer.body = []
        answer.headers.removeAll { $0.name == "Content-Type" }
        return answer
    }

    static func page(title: String, text: String) -> [UInt8] {
        let lines = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<title>\(title)</title>",
            "</head>", "<body>", text, "</body>", "</html>", "",
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Nobody reads the words of a status (RFC 9112, 4).
    static func reason(_ status: Int) -> String { status == 200 ? "OK" : "Status \(status)" }
}

/// Sums over bytes.
enum Checksum {
    /// FNV-1a, 64 bits: stable between runs, so that an entity tag outlives the server.
    static func fnv(_ bytes: [UInt8]) -> UInt64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return sum
    }
}
