// Links to the next page, as a response gives them.

import PipelineHTTP

extension SourceRequests {
    /// Why a link isn't followed.
    enum LinkError: Error, Equatable, Sendable {
        /// The link leads to another scheme, host or port, such as `https://host:port`.
        case elsewhere(String)
        case noURL
    }

    /// The target of the link to the next page: within the API's origin, without a key that the API may have added.
    /// - Parameter size: of the pages, if it is requested.
    func link(_ text: String, from response: HTTPURL, size: Int? = nil) throws(LinkError) -> HTTPURL {
        let found: HTTPURL
        do throws(HTTPFailure) {
            found = upgraded(try response.resolving(text))
        } catch {
            if case .refusedScheme(let scheme) = error.reason { throw .elsewhere("\(scheme):") }
            throw .noURL
        }
        guard found.origin.lowercased() == baseURL.origin.lowercased() else { throw .elsewhere(found.origin) }
        do throws(HTTPFailure) { return try HTTPURL(mended(found.text, size)) } catch { throw .noURL }
    }

    /// A proxy in front of the API may turn `https` URLs of its own host into `http`.
    func upgraded(_ url: HTTPURL) -> HTTPURL {
        guard baseURL.scheme == "https", url.scheme == "http", url.host == baseURL.host,
            url.port == baseURL.port || url.port == 80 && baseURL.port == 443
        else { return url }
        do throws(HTTPFailure) { return try HTTPURL("https" + url.text.dropFirst(4)) } catch { return url }
    }

    /// Removes the key from a link's query, and adds our parameters that it lacks.
    ///
    /// An API that builds its links from the request keeps at least one parameter, which shows that others are
    /// missing. One that keeps none has put them all into a token, and accepts nothing else, unless `keepQuery`
    /// is true. Where that is false, links are followed as they are.
    private func mended(_ text: String, _ size: Int?) -> String {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var query = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
        query.removeAll { keyParameters.contains(Self.name(of: $0)) || hasKey($0) }
        let names = Set(query.map { Self.name(of: $0) })
        let ours = parameters(size: size)
        var ourNames = ours.map { Self.name(of: $0) }
        if case .query(let name)? = source.pagination.size?.parameter {
            ourNames.append(HTTPURL.percentEncoded(name))
        }
        let hasSome = !names.isDisjoint(with: ourNames)
        if source.pagination.keepsQuery ?? hasSome {
            query += ours.filter { !names.contains(Self.name(of: $0)) }
        }
        return String(parts[0]) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// Whether the value is a key of the request, which a service may repeat under any name.
    private func hasKey(_ parameter: String) -> Bool {
        let value = parameter.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        let text = HTTPURL.percentDecoded(value).utf8
        return keys.flatMap(\.secret.hidden).contains { $0.isEqual(to: text) }
    }

    static func name(of parameter: String) -> String {
        String(parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)[0])
    }
}
