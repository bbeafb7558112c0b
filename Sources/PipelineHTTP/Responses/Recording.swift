// `--record` and `--replay`: every response of a run as two files, a head that people can read and edit, and the body.
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
//
// A request is identified by its method, its URL, its body and its header fields that aren't secret, so a recording
// made with a key can be replayed without one. Responses to the same request are numbered. The last one repeats.

import PipelineCore

struct RecordedResponse {
    /// From 100 to 999. Nil without a complete header.
    var status: Int?
    var headers = HTTPHeaders()
    var body: [UInt8] = []
    var failure: HTTPFailure.Reason?

    /// All that stands in front of the body but for the lines of the request, from the end of these on.
    fileprivate var head: String {
        var lines = ["", "", "HTTP \(status.map { "\($0)" } ?? "none")"]
        lines += headers.fields.map { "\($0.name): \($0.value)" }
        lines.append("")
        if let word = failure?.recorded { lines.append("FAILED \(word)") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension RecordedResponse {
    fileprivate init?(head: Span<UInt8>) {
        var lines = FieldReader(head)
        while let line = lines.line(), !line.isEmpty {}
        guard lines.skip("HTTP "), let line = lines.line(), let headers = lines.headers() else { return nil }
        self.headers = headers
        let word = head.extracting(line).text
        status = Int(word)
        // Any status that a service can send, or the word for none.
        guard status.map({ (100...999).contains($0) }) ?? (word == "none") else { return nil }
        if lines.skip("FAILED "), let line = lines.line() {
            failure = HTTPFailure.Reason(recorded: head.extracting(line).text)
            if failure == nil { return nil }
        }
        if status == nil, failure == nil { return nil }
    }
}

/// A directory of responses. Not thread-safe.
final class Recording {
    /// Far more than a request and the fields of a response take.
    private static let headLimitBytes = 4 << 20

    private let directory: AtomicDirectory
    let isPlayed: Bool
    /// How many responses were replayed, for requests that have several.
    private var played: [String: Int] = [:]

    /// - Throws: status 66 if the directory can't be read, 73 if a new one can't be created or isn't empty.
    init(_ path: String, isPlayed: Bool) throws(ToolFailure) {
        self.isPlayed = isPlayed
        if isPlayed {
            directory = try ToolFailure.of(
                .noInput, orElse: "make it with --record", AtomicDirectory(reading: path))
            return
        }
        directory = try ToolFailure.of(
            .cannotCreate, orElse: "choose another --record", AtomicDirectory(path, isPrivate: false))
        guard directory.names().isEmpty else {
            throw ToolFailure(.cannotCreate, "\(path) has files in it; choose a new directory for --record")
        }
    }

    /// Writes a response, without secrets.
    /// - Parameters:
    ///   - hop: the request itself, or what a redirect led to.
    ///   - request: the request with its secrets.
    /// - Throws: status 74 if it can't be written, 77 if it would show a short key among its data.
    func add(
        _ response: RecordedResponse, to hop: HTTPRequest, of request: HTTPRequest
    ) throws(ToolFailure) {
        let secrets = StoredSecrets(of: request)
        let name = name(of: hop, request)
        let request = lines(hop.identity, of: request)
        var number = 1
        while directory.status(of: "\(name).\(number).head") != nil { number += 1 }
        var response = response
        response.headers = CacheEntry.kept(response.headers)
        // Of the request a short key is shown only where the user wrote it.
        var asked = Array(request.joined(separator: "\n").utf8)
        secrets.hideLong(in: &asked)
        var head = Array(response.head.utf8)
        guard secrets.hide(in: &head), secrets.hide(in: &response.body) else {
            throw ToolFailure(
                .refused,
                "the response has the text of the key among its data, and a recording would show it or change the data; "
                    + "record with a longer key")
        }
        head = asked + head
        try ToolFailure.of(directory.write("\(name).\(number).body", response.body.span))
        try ToolFailure.of(directory.write("\(name).\(number).head", head.span))
    }

    /// The next response to a request, if there is one.
    /// - Throws: status 66 if a file can't be read, 65 if an edit damaged its head: it must not pass for a missing one.
    func response(to hop: HTTPRequest, of request: HTTPRequest) throws(ToolFailure) -> RecordedResponse? {
        let name = name(of: hop, request)
        let number = played[name, default: 0] + 1
        if directory.status(of: "\(name).\(number + 1).head") != nil { played[name] = number }
        let file = "\(name).\(number).head"
        var response: RecordedResponse?
        do throws(SystemError) {
            // The last line of an edited file may have no end.
            let head = try directory.contents(file, limitBytes: Self.headLimitBytes).bytes + [0x0A]
            response = RecordedResponse(head: head.span)
            do throws(SystemError) {
                response?.body = try directory.contents("\(name).\(number).body", limitBytes: hop.limitBytes).bytes
            } catch {
                guard error.isTooLarge else { throw error }
                if response?.failure == nil { response?.failure = .tooLarge(limitBytes: hop.limitBytes) }
            }
        } catch {
            guard !error.isNotFound else { return nil }
            throw ToolFailure(.noInput, error.advice(orElse: "make the recording again"))
        }
        if let response { return response }
        throw ToolFailure(
            .badData,
            "\(directory.path)/\(file) is not the head of a recorded response; correct it, or record again with --record"
        )
    }

    /// What a request is, by lines. Its URL may contain a secret that the service put there in a redirect. A short secret is
    /// kept, as it may be a page number, which a run without a key must find.
    private func lines(_ asked: HTTPRequest.Identity, of request: HTTPRequest) -> [String] {
        var address = Array(asked.url.plainText.utf8)
        for secret in request.secrets where secret.isLong { secret.hide(in: &address) }
        var shown = String(decoding: address, as: UTF8.self)
        let isOwn = [request.url, request.recordedAs?.url].contains(asked.url)
        if !isOwn { shown = HiddenTokens.hidden(inAddress: shown) }
        var lines = [(asked.body == nil ? "GET" : "POST") + " " + shown]
        lines += asked.fields.filter { !$0.isSecret }.map { "\($0.name): \($0.value)" }
        if let body = asked.body {
            let digits = SHA256.hexadecimal(SHA256.digest(body.bytes.span))
            lines += ["Content-Type: \(body.mediaType)", "Body-SHA-256: \(digits)"]
        }
        return lines
    }

    /// The name of the files of what identifies a request. What a redirect leads to is identified by all that it is.
    private func name(of hop: HTTPRequest, _ request: HTTPRequest) -> String {
        let known = hop.url == request.url ? request.recordedAs : nil
        return name(lines(known ?? hop.identity, of: request))
    }

    /// Host and path, with all but plain characters replaced, and a digest of the whole request.
    private func name(_ lines: [String]) -> String {
        let whole = SHA256.digest(Array(lines.joined(separator: "\n").utf8).span)
        let address = lines.first?.firstRange(of: "://").map { lines[0][$0.upperBound...] } ?? ""
        let safe = HTTPURL.fileName(address.utf8.prefix { $0 != UInt8(ascii: "?") }.prefix(100))
        return safe + "_" + SHA256.hexadecimal(Array(whole.prefix(8)))
    }
}
