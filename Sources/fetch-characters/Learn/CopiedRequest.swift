// A request that somebody made with another program, taken apart as a description has it: keys are told from other header
// fields by their names, and so are parameters and members of the body.

import PipelineCore
import PipelineHTTP

/// A request as a curl command or a recording has it.
struct CopiedRequest {
    var method = "GET"
    var url = ""
    /// Header fields; a variable stands for what the environment holds.
    var fields: [(name: String, value: [ShellText.Part])] = []
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
        let (address, user) = withoutUser
        let url: HTTPURL
        do throws(HTTPFailure) { url = try HTTPURL(address) } catch { throw UsageError("\(error)") }
        var request = ListRequest(url)
        request.isCopied = true
        request.isPost = method == "POST" || body != nil
        request.content = try content
        for field in fields { try take(field.name, field.value, &request) }
        if let login = login ?? user { request.keys.append(LearntKey(placement: nil, text: login)) }
        for parameter in request.parameters where LearntNames.isSecret(parameter.name) && !parameter.value.isEmpty {
            request.keys.append(LearntKey(placement: parameter.place, text: parameter.value))
            request = request.removing([parameter.place])
        }
        return request
    }

    /// The URL without a user and a password, and these.
    private var withoutUser: (url: String, login: String?) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return (url, nil) }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return (url, nil) }
        let plain = String(url[..<start]) + String(url[url.index(after: at)...])
        return (plain, HTTPURL.percentDecoded(String(url[start..<at])))
    }

    // MARK: Header fields

    private func take(
        _ name: String, _ value: [ShellText.Part], _ request: inout ListRequest
    ) throws(UsageError) {
        let plain = LearntNames.plain(name)
        guard !name.hasPrefix(":"), !LearntNames[.ownField].contains(plain) else { return }
        let text = ShellText.Word(parts: value).text
        let hasVariable = ShellText.Word(parts: value).hasVariable
        guard hasVariable || LearntNames.isSecret(name) else {
            guard Placeholders.names(in: text).isEmpty else {
                throw UsageError(
                    "the header field \(name) has braces, which a description can't have; leave it out")
            }
            request.headers.removeAll { HTTPHeaders.areEqual($0.name, name) }
            return request.headers.append(Source.Parameter(name, text))
        }
        var key = LearntKey(placement: .header(name))
        let known = request.keys.firstIndex { $0.placement == key.placement }
        if plain == "cookie", !hasVariable, let known, let before = request.keys[known].text {
            request.keys[known].text = "\(before); \(text)"
            return
        }
        if hasVariable {
            guard case .variable(let variable)? = value.last,
                value.dropLast().allSatisfy({ $0 != .variable(variable) }),
                value.count <= 2
            else {
                throw UsageError("the header field \(name) has more than one variable at its end; write its value")
            }
            key.variable = variable
            key.prefix = text
        } else if plain.hasSuffix("authorization"), let space = text.firstIndex(of: " ") {
            let word = text[..<space]
            let rest = String(text[text.index(after: space)...])
            let decoded = word.lowercased() == "basic" ? Base64.decoded(rest.utf8Bytes.span) : nil
            if let decoded, plain == "authorization", decoded.contains(UInt8(ascii: ":")) {
                key = LearntKey(placement: nil, text: String(decoding: decoded, as: UTF8.self))
            } else {
                key.prefix = word + " "
                key.text = rest
            }
        } else {
            key.text = text
        }
        request.keys.append(key)
    }

    // MARK: Body

    /// - Throws: where the body is neither JSON nor a form, or changes something.
    private var content: RequestContent? {
        get throws(UsageError) {
            guard let body else { return method == "POST" ? .form([]) : nil }
            let type = fields.last { HTTPHeaders.areEqual($0.name, "Content-Type") }
            let media = type.map { ShellText.Word(parts: $0.value).text.lowercased() } ?? ""
            if let tree = Self.tree(body) {
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
            let fields = body.split(separator: "&").map { (field) -> Source.Parameter in
                let parts: [String] = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map {
                        HTTPURL.percentDecoded(String($0).replacing("+", with: " "))
                    }
                return Source.Parameter(parts[0], parts.count > 1 ? parts[1] : "")
            }
            guard Set(fields.map(\.name)).count == fields.count else {
                throw UsageError("the form has a field twice, which a description can't have")
            }
            return .form(fields)
        }
    }

    private static func tree(_ text: String) -> JSONTree? {
        guard let tree = try? JSONTree.read(text.utf8Bytes.span), case .object = tree else { return nil }
        return tree
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

    /// The request for the list with the most records, and how many those are.
    private var best: (request: CopiedRequest, response: HTTPResponse, count: Int)?
    /// Answers to GET with a list.
    private var others: [HTTPResponse] = []

    /// Reads a recording from stdin.
    /// - Parameter buffer: that has the beginning.
    /// - Throws: status 65 for one without a list, or that is cut.
    static func read(
        _ buffer: inout PieceBuffer
    ) throws(ToolFailure) -> (request: CopiedRequest, responses: [HTTPResponse]) {
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
        request.fields = Self.headers(asked).fields.map { ($0.name, [.text($0.value)]) }
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
