// A request that somebody made with another program, taken apart as a description has it: keys are told from other header
// fields by their names, and so are parameters and members of the body.

import PipelineCore
import PipelineHTTP

struct CopiedRequest {
    var method = "GET"
    var url = ""
    /// Header fields; a variable stands for what the environment holds.
    var fields: [(name: String, value: ShellText.Word)] = []
    /// `user:password`
    var login: String?
    var body: String?
    /// What isn't taken of it, in words.
    var notes: [String] = []

    /// As a description has it.
    /// - Throws: what it has that no description can have.
    func listRequest() throws(UsageError) -> ListRequest {
        guard ["GET", "POST"].contains(method) else {
            throw UsageError("\(method) may change something at the service; --learn sends only GET and POST")
        }
        var request: ListRequest
        do throws(HTTPFailure) { request = ListRequest(try HTTPURL(url)) } catch { throw UsageError("\(error)") }
        request.isCopied = true
        request.content = try content
        for field in fields { try take(field.name, field.value, &request) }
        if let login = login ?? user { request.keys.append(LearntKey(placement: nil, text: login)) }
        for parameter in request.parameters where LearntNames.isSecret(parameter.name) && !parameter.value.isEmpty {
            request.keys.append(LearntKey(placement: parameter.place, text: parameter.value))
            request = request.removing([parameter.place])
        }
        return request
    }

    /// The user and the password in the URL.
    private var user: String? {
        let authority = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { !"/?#".contains($0) } }
        return authority.flatMap { text in
            text.lastIndex(of: "@").map { HTTPURL.percentDecoded(String(text[..<$0])) }
        }
    }

    // MARK: Header fields

    private func take(_ name: String, _ value: ShellText.Word, _ request: inout ListRequest) throws(UsageError) {
        let plain = LearntNames.plain(name)
        let text = value.text
        guard !name.hasPrefix(":"), !LearntNames[.ownField].contains(plain) else { return }
        guard value.variable != nil || LearntNames.isSecret(name) else {
            guard Placeholders.names(in: text).isEmpty else {
                throw UsageError(
                    "the header field \(name) has braces, which a description can't have; leave it out")
            }
            request.headers.removeAll { HTTPHeaders.areEqual($0.name, name) }
            return request.headers.append(Source.Parameter(name, text))
        }
        var key = LearntKey(placement: .header(name))
        let space = plain.hasSuffix("authorization") ? text.firstIndex(of: " ") : nil
        if let variable = value.variable {
            guard !value.goesOn else {
                throw UsageError("the header field \(name) has more than one variable at its end; write its value")
            }
            (key.variable, key.prefix) = (variable, text)
        } else if let space {
            (key.prefix, key.text) = (text[...space].description, text[space...].dropFirst().description)
            if plain == "authorization", key.prefix.lowercased() == "basic ",
                let login = Base64.decoded((key.text ?? "").utf8Bytes.span), login.contains(UInt8(ascii: ":"))
            {
                key = LearntKey(placement: nil, text: String(decoding: login, as: UTF8.self))
            }
        } else {
            key.text = text
        }
        let known = request.keys.firstIndex { $0.placement == key.placement && $0.text != nil }
        if plain == "cookie", value.variable == nil, let known {
            request.keys[known].text? += "; \(text)"
        } else {
            request.keys.append(key)
        }
    }

    // MARK: Body

    /// - Throws: where the body is neither JSON nor a form, or changes something.
    private var content: RequestContent? {
        get throws(UsageError) {
            guard let body else { return method == "POST" ? .form([]) : nil }
            let type = fields.last { HTTPHeaders.areEqual($0.name, "Content-Type") }
            let media = type?.value.text.lowercased() ?? ""
            if let tree = try? JSONTree.read(body.utf8Bytes.span), case .object = tree {
                guard !body.contains("\"\(RequestContent.fileMember)\"") else {
                    throw UsageError("the body has a member $file, which names a file")
                }
                if let query = tree["query"]?.string, Self.isMutation(query) {
                    throw UsageError("a mutation changes something at the service; --learn takes a query")
                }
                return .json(tree)
            }
            guard !media.contains("json"), media.isEmpty || media.contains("urlencoded"), !body.hasPrefix("--")
            else {
                throw UsageError("the body is neither JSON nor a form")
            }
            let fields = body.split(separator: "&").map(ListRequest.parameter)
            guard Set(fields.map(\.name)).count == fields.count else {
                throw UsageError("the form has a field twice, which a description can't have")
            }
            return .form(fields)
        }
    }

    /// Whether a document of GraphQL has a mutation among its operations, outside of all braces.
    private static func isMutation(_ query: String) -> Bool {
        var depth = 0
        let outer = query.filter { sign in
            depth += sign == "{" ? 1 : sign == "}" ? -1 : 0
            return depth == 0
        }
        return outer.split { !$0.isLetter }.contains("mutation")
    }
}

/// A recording of a browser (HAR 1.2), read entry by entry.
struct RecordedTraffic {
    /// Larger entries hold no list that a service gives in one answer.
    private static let entryBytes = 64 << 20
    /// Answers that are kept beside the list's own, as they may be other pages of it.
    private static let (keptCount, keptBytes) = (16, 1 << 20)

    typealias List = (request: CopiedRequest, responses: [HTTPResponse])

    /// The request for the list with the most records, and how many those are.
    private var best: (request: CopiedRequest, response: HTTPResponse, count: Int)?
    /// Answers to GET with a list.
    private var others: [HTTPResponse] = []

    /// Reads a recording from stdin.
    /// - Parameter buffer: that has the beginning.
    /// - Throws: status 65 for one without a list, or that is cut.
    static func read(_ buffer: inout PieceBuffer) throws(ToolFailure) -> List {
        var traffic = RecordedTraffic()
        let place = ElementStream.Place(path: [Array("log".utf8), Array("entries".utf8)], isObject: false)
        var stream = ElementStream(place, keepsRest: false, limitBytes: entryBytes)
        var isLast = false
        do throws(ElementStream.Fault) {
            while !stream.isAtEnd {
                var index = 0
                while try stream.reachElement(buffer.text, &index, isLast: isLast) {
                    guard let element = try stream.takeElement(buffer.text, &index, isLast: isLast) else { break }
                    traffic.add(buffer.text.extracting(element.value))
                }
                buffer.drop(index)
                if isLast { break }
                do throws(SystemError) { isLast = try buffer.read(.standardInput) == 0 } catch { throw .cutShort }
            }
        } catch {
            let finding =
                switch error {
                case .cutShort: "ends early; save it again"
                case .tooLarge: "has an entry of more than \(entryBytes >> 20) MiB; save one with the list alone"
                case .malformed(let fault): "isn't JSON: \(fault)"
                case .noList: "isn't a HAR; it takes a HAR or a curl command"
                }
            throw ToolFailure(.badData, "<stdin> \(finding)")
        }
        guard let best = traffic.best else {
            throw ToolFailure(
                .badData,
                stream.hasFound
                    ? "<stdin> is a HAR without a JSON list from a GET or POST; save it with content, after the list has loaded"
                    : "<stdin> is JSON but not a HAR; --learn - takes a HAR or a curl command")
        }
        guard best.request.method == "GET" else { return (best.request, [best.response]) }
        let path = best.request.url.prefix { $0 != "?" && $0 != "#" }
        let pages = traffic.others.filter { $0.redirectChain.first?.text.prefix { $0 != "?" } == path }
        return (best.request, [best.response] + pages)
    }

    private mutating func add(_ entry: Span<UInt8>) {
        // Browsers also record responses that aren't JSON, and requests with URLs of other schemes.
        guard let entry = try? JSONTree.read(entry), let asked = entry["request"], let given = entry["response"],
            let method = asked["method"]?.string, ["GET", "POST"].contains(method),
            let text = asked["url"]?.string, let url = try? HTTPURL(text),
            let status = given["status"]?.integer, (200...299).contains(status), let body = Self.body(given),
            let answer = try? AnswerValue.read(body.span),
            let count = RecordsPlace.all(in: answer).first?.count
        else { return }
        let response = HTTPResponse(
            status: status, headers: Self.headers(given), body: body, redirectChain: [url])
        if method == "GET", body.count <= Self.keptBytes {
            others = others.suffix(Self.keptCount - 1) + [response]
        }
        guard count > best?.count ?? 0 else { return }
        var request = CopiedRequest()
        request.method = method
        request.url = text
        request.body = asked["postData"]?["text"]?.string
        request.fields = Self.headers(asked).fields.map { ($0.name, ShellText.Word(text: $0.value)) }
        best = (request, response, count)
    }

    private static func body(_ response: JSONTree) -> [UInt8]? {
        guard let content = response["content"], let text = content["text"]?.string else { return nil }
        return content["encoding"]?.string == "base64" ? Base64.decoded(text.utf8Bytes.span) : Array(text.utf8)
    }

    private static func headers(_ message: JSONTree) -> HTTPHeaders {
        var headers = HTTPHeaders()
        guard case .array(let fields)? = message["headers"] else { return headers }
        for field in fields.prefix(HTTPHeaders.limitCount) {
            if let name = field["name"]?.string, let value = field["value"]?.string { headers.append(name, value) }
        }
        return headers
    }
}
