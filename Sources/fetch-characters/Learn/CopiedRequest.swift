// A request that somebody made with another program, taken apart as a description has it: keys are told from other header
// fields by their names, and so are parameters and members of the body.

import PipelineCore
import PipelineHTTP

struct CopiedRequest {
    var method = "GET"
    var url = ""
    /// Header fields; a variable stands for what the environment holds.
    var fields: [(name: String, value: ShellText.Word)] = []
    var login: String?
    var body: String?
    var notes: [String] = []

    /// - Throws: what it has that no description can have.
    func listRequest() throws(UsageError) -> ListRequest {
        guard ["GET", "POST"].contains(method) else {
            throw UsageError("\(method) may change something at the service; --learn sends only GET and POST")
        }
        var request: ListRequest
        do throws(HTTPFailure) { request = ListRequest(try HTTPURL(url)) } catch { throw UsageError(error.message) }
        request.isCopied = true
        request.content = try content
        for field in fields { try take(field.name, field.value, &request) }
        if let login = login ?? user { request.keys.append(LearntKey(placement: nil, text: login)) }
        for parameter in request.parameters
        where WellKnownNames.isSecret(parameter.name) && !parameter.value.isEmpty {
            request.keys.append(LearntKey(placement: parameter.place, text: parameter.value))
            request = request.removing([parameter.place])
        }
        return request
    }

    private var user: String? {
        let authority = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { !"/?#".contains($0) } }
        return authority.flatMap { text in
            text.lastIndex(of: "@").map { HTTPURL.percentDecoded(String(text[..<$0])) }
        }
    }

    private func take(_ name: String, _ value: ShellText.Word, _ request: inout ListRequest) throws(UsageError) {
        let plain = WellKnownNames.plain(name)
        let text = value.text
        guard !name.hasPrefix(":"), !WellKnownNames[.ownField].contains(plain) else { return }
        guard value.variable != nil || WellKnownNames.isSecret(name) else {
            guard Placeholders.names(in: text).isEmpty else {
                throw UsageError(
                    "the header field \(name) has braces, which a description can't have; leave it out")
            }
            request.headers.removeAll { HTTPHeaders.areEqual($0.name, name) }
            return request.headers.append(Source.Parameter(name, text))
        }
        guard !value.goesOn else {
            throw UsageError("the header field \(name) has more than one variable at its end; write its value")
        }
        var key = LearntKey(placement: .header(name), variable: value.variable)
        if value.variable != nil {
            key.prefix = text
        } else if plain.hasSuffix("authorization"), let space = text.firstIndex(of: " ") {
            key.prefix = String(text[...space])
            key.text = String(text[space...].dropFirst())
        } else {
            key.text = text
        }
        if plain == "authorization", key.prefix.lowercased() == "basic ", let text = key.text,
            let login = Base64.decoded(text.utf8Bytes.span), login.contains(UInt8(ascii: ":"))
        {
            key = LearntKey(placement: nil, text: String(decoding: login, as: UTF8.self))
        }
        let known = request.keys.firstIndex { $0.headerName?.lowercased() == "cookie" && $0.text != nil }
        if plain == "cookie", key.text != nil, let known {
            request.keys[known].text? += "; \(text)"
        } else {
            request.keys.append(key)
        }
    }

    /// - Throws: where the body is neither JSON nor a form, or changes something.
    private var content: RequestContent? {
        get throws(UsageError) {
            guard let body else { return method == "POST" ? .form([]) : nil }
            if let tree = try? JSONTree.read(body.utf8Bytes.span), case .object = tree {
                guard !body.contains("\"\(RequestContent.fileMember)\"") else {
                    throw UsageError("the body has a member $file, which names a file")
                }
                if let query = tree["query"]?.string, Self.isMutation(query) {
                    throw UsageError("a mutation changes something at the service; --learn takes a query")
                }
                return .json(tree)
            }
            let type = fields.last { HTTPHeaders.areEqual($0.name, "Content-Type") }
            let media = type?.value.text.lowercased() ?? ""
            guard media.isEmpty || media.contains("urlencoded"), !body.hasPrefix("--") else {
                throw UsageError("the body is neither JSON nor a form")
            }
            let fields = body.split(separator: "&").map(ListRequest.parameter)
            guard Set(fields.map(\.name)).count == fields.count else {
                throw UsageError("the form has a field twice, which a description can't have")
            }
            return .form(fields)
        }
    }

    private static func isMutation(_ query: String) -> Bool {
        var depth = 0
        let outer = query.filter { sign in
            depth += sign == "{" ? 1 : sign == "}" ? -1 : 0
            return depth == 0
        }
        return outer.split { !$0.isLetter }.contains("mutation")
    }
}
