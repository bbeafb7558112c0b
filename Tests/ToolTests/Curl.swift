// curl as a client whose behaviour is known: what it makes of a response tells what the server sent.

import Foundation
import TestSupport
import Testing

/// One transfer by curl.
struct Curl {
    /// Of curl: 0, 7 no connection, 18 cut short, 28 out of time, 52 no response, 56 reset.
    let exit: Int32
    /// The last status; nil where no response came.
    let status: Int?
    /// The header lines of the last response, without the status line.
    let headers: [String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    init(_ url: String, _ options: [String] = [], limitSeconds: Double = 20) throws {
        let folder = try ScratchFolder()
        let run = try Session(
            "/usr/bin/env",
            ["curl", "-s", "--path-as-is", "-m", "\(limitSeconds)", "-D", "head", "-o", "body"] + options + [url],
            folder: folder, limitSeconds: limitSeconds + 20)
        exit = run.status
        let names = try folder.names()
        let head = names.contains("head") ? try folder.text("head") : ""
        body = names.contains("body") ? try folder.bytes("body") : []
        var lines: [String] = []
        var status: Int?
        for line in head.split(whereSeparator: \.isNewline).map(String.init) {
            if line.hasPrefix("HTTP/") {
                lines = []
                status = Int(line.split(separator: " ")[1])
            } else {
                lines.append(line)
            }
        }
        headers = lines
        self.status = status
    }

    /// The value of the first header of that name.
    func header(_ name: String) -> String? {
        headers.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// The body as a JSON object.
    func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
    }

    /// The body as a JSON array of objects.
    func jsonArray() throws -> [[String: Any]] {
        try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]] ?? []
    }

    /// The bytes that the server sends for a GET, untouched by any client.
    static func raw(_ server: LocalServer, _ target: String) throws -> [UInt8] {
        let script = """
            exec 3<>/dev/tcp/127.0.0.1/\(server.port)
            printf 'GET %s HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' '\(target)' >&3
            cat <&3
            """
        return try Session.script(script, limitSeconds: 20).output
    }
}
