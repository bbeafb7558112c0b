// Decides what --learn was given, and turns it into the request that is learnt from.
//
//     https://api.example.org/boats?page=1      curl 'https://…' -H 'X-Api-Key: k123'      - for a command or a HAR on stdin

import PipelineCore
import PipelineHTTP

enum Learning {
    static func run(
        _ text: String, _ settings: FetchSettings, _ diagnostics: Diagnostics, _ report: inout RunReport
    ) throws(ToolFailure) -> ExitStatus {
        let (request, recorded) = try request(text, diagnostics)
        let description = LearntDescription(request)
        var explanation: RequestExplanation?
        if settings.explains { explanation = RequestExplanation(userAgent: settings.client.userAgent, diagnostics) }
        let source = try source(description)
        let keys = try APIKeys(source, settings, explanation, given: description.request.givenKeys)
        let first: HTTPRequest
        do throws(HTTPFailure) {
            first = try SourceRequests(source, base: settings.baseURL, keys: keys.sent).page(.start, size: nil)
        } catch {
            throw ToolFailure(.usage, "\(settings.baseURL == nil ? "--learn" : "--base-url"): \(error.message)")
        }
        report.fetch = RunReport.Fetch()
        let limit = description.request.cuttableNames.isEmpty ? ListProbe.usualLimit : ListProbe.largeLimit
        if settings.isPlan { return try plan(first, settings.client.rate, limit, explanation) }
        if request.content != nil {
            diagnostics.note("a POST is sent several times, so it must be one that only reads")
        }
        var probe = try ListProbe(settings, limit: limit, keys: keys.sent, explanation: explanation, diagnostics)
        for (request, response) in recorded { try probe.know(response, description, to: request) }
        var run = LearnRun(diagnostics: diagnostics, probe: probe, description: description)
        defer {
            (report.bytesIn, report.bytesOut) = (run.probe.bytesReceived, run.bytesOut)
            report.fetch?.requests = run.probe.sent
            report.fetch?.isComplete = run.isComplete
        }
        let result = Result { () throws(ToolFailure) in try run.run() }
        if run.bytesOut > 0 { run.tell("next: \(next(run.description, settings))") }
        try result.get()
        return .done
    }

    // MARK: What people have

    private typealias Recorded = [(request: ListRequest, response: HTTPResponse)]

    /// - Returns: the request that is learnt from, and those whose answers are known already.
    private static func request(
        _ text: String, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> (ListRequest, Recorded) {
        let isInput = text == "-"
        let word = text.drop { " \t\n$".contains($0) }.prefix { !$0.isWhitespace }
        let isCurl = ["curl", "curl.exe"].contains(where: word.hasSuffix)
        guard isInput || isCurl || text.contains(where: \.isWhitespace) else { return (try typed(text), []) }
        var (command, entries) = (text, [RecordedTraffic.Entry]())
        if isInput { (command, entries) = try standardInput() }
        let words = command.split(whereSeparator: \.isWhitespace)
        if isInput, words.count == 1, words[0].contains("://") { return (try typed(String(words[0])), []) }
        do throws(UsageError) {
            let copied = if let entry = entries.first { entry.request } else { try CurlCommand.request(command) }
            let (list, notes) = try copied.taken()
            for note in notes { diagnostics.note("\(note)") }
            let recorded: Recorded = entries.compactMap { entry in
                (try? entry.request.listRequest()).map { ($0, entry.response) }
            }
            return (list, recorded)
        } catch {
            if isInput { throw ToolFailure(.badData, "<stdin>: \(error.message)") }
            throw ToolFailure(.usage, "--learn: \(error.message)")
        }
    }

    private static func standardInput() throws(ToolFailure) -> (String, [RecordedTraffic.Entry]) {
        var buffer = PieceBuffer()
        var isWhole = false
        // A longer command isn't one.
        while !isWhole, buffer.text.count < 1 << 20 {
            isWhole = try ToolFailure.of(buffer.read(.standardInput)) == 0
            let mark = buffer.text.byteOrderMarkSize
            buffer.drop(mark)
            if buffer.text.array.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
                return ("", try RecordedTraffic.read(&buffer))
            }
        }
        guard isWhole, let text = String(validating: buffer.text.array, as: UTF8.self) else {
            throw ToolFailure(.badData, "<stdin> is neither a curl command nor a HAR")
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw ToolFailure(.badData, "<stdin> is empty; give it a curl command as a browser copies it, or a HAR")
        }
        return (text, [])
    }

    private static func typed(_ text: String) throws(ToolFailure) -> ListRequest {
        let url: HTTPURL
        do throws(HTTPFailure) { url = try HTTPURL(text) } catch {
            guard FileLocation.status(ofPath: text)?.isRegular == true else {
                throw ToolFailure(.usage, "--learn: \(error.message)")
            }
            throw ToolFailure(
                .usage, "--learn takes a URL; for a HAR or a curl command write --learn - < \(ShellWord.path(text))"
            )
        }
        guard url.plainText == url.text.prefix(while: { $0 != "#" }) else {
            throw ToolFailure(
                .usage,
                "--learn takes a URL without a user and a password; for these give --learn - a curl command on stdin"
            )
        }
        var request = ListRequest(url)
        do throws(UsageError) {
            try request.checkReadsOnly()
            if let session = request.takeSession() {
                throw UsageError("\(session) in the URL's path is a session of one person; leave it out")
            }
            try request.checkPath()
        } catch { throw ToolFailure(.usage, "--learn: \(error.message)") }
        let secret = request.parameters.first { parameter in
            // The ids of what is listed are public.
            let isID = SecretNames.isUUID(parameter.value) && !SecretNames.isSecret(parameter.name)
            return !isID && SecretWalk.isSecret(parameter.value, named: parameter.name)
        }
        if let name = secret?.name {
            throw ToolFailure(
                .usage,
                "\(name) in the URL would show a key to everybody and keep it in the description; leave it out: a "
                    + "place in the list is found without it, and a key is taken from a curl command on stdin, --learn -"
            )
        }
        return request
    }

    // MARK: Before the first request

    /// - Throws: status 64 if no description can have the request.
    private static func source(_ description: LearntDescription) throws(ToolFailure) -> Source {
        do throws(DescriptionError) { return try description.source() } catch {
            guard case .mistakes(let mistakes) = error, let mistake = mistakes.first else {
                throw ToolFailure(.usage, "--learn takes a request that a description can have")
            }
            throw ToolFailure(.usage, "--learn: \(mistake)")
        }
    }

    /// The responses say which of these requests are needed, and their URLs.
    private static let purposes = [
        "the list", "the list from its start, the first page again, or half of it", "the second page",
        "the second page by another parameter", "the first page by its number or offset", "the last page",
        "a page past the end, or larger pages", "a picture, or one record",
    ]

    private static func plan(
        _ first: HTTPRequest, _ rate: Rate?, _ limit: Int, _ explanation: RequestExplanation?
    ) throws(ToolFailure) -> ExitStatus {
        explanation?.tell(first)
        let secondsBetween = rate?.intervalSeconds ?? 0
        let cuts = Array(repeating: "the list with fewer header fields", count: limit - purposes.count)
        let lines = (purposes.prefix(1) + cuts + purposes.dropFirst()).enumerated().map { index, purpose in
            ByteBuffer.object { object in
                object.addMember("request", index + 1)
                object.addMember("method", first.method)
                object.addMember("for", purpose)
                if index == 0 { object.addMember("url", first.url.text) }
                object.addMember("startSeconds", seconds: Double(index) * secondsBetween)
            }.text + "\n"
        }
        let summary = ByteBuffer.object { object in
            object.addMember("requests", limit)
            object.addMember("seconds", seconds: Double(limit - 1) * secondsBetween)
            object.addMember("rate", rate.map { "\($0)" })
            object.addMember("more", false)
        }
        return try Tool.print(lines.joined() + summary.text + "\n")
    }

    /// What to do with the description.
    private static func next(_ description: LearntDescription, _ settings: FetchSettings) -> String {
        let file = Descriptor.standardOutput.openPath
        // Without a sign of a path it would be the name of a source.
        var path = file ?? description.name + ".json"
        if !path.contains("/"), !path.contains(".") { path = "./" + path }
        var command = "fetch-characters --source \(ShellWord.path(path))"
        if let base = settings.baseURL { command += " --base-url \(ShellWord.quoted(base))" }
        let keys = description.request.keys.filter { $0.text != nil }.map { key in
            let prefix = key.prefix.nonEmpty.map { " without '\($0)'" }
            return "\(key.variable ?? "") to the request's \(key.name)\(prefix ?? "")"
        }
        var first = keys.nonEmpty.map { "set " + $0.joined(separator: ", and ") + ", " } ?? ""
        if file == nil { first += "keep the description in \(path), " }
        return (first.nonEmpty.map { $0 + "and try " } ?? "") + command + " --limit 3"
    }
}
