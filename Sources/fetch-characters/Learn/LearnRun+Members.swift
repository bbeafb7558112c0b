// The members of the records that are the common ones, with the proof that a picture is one, and the requests for one record.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    mutating func chooseMembers() throws(ToolFailure) {
        let choice = MemberChoice(pages, isCounted: description.pagination.total != nil || pages.count == 1)
        var missing: [String] = []
        for name in Source.CommonName.allCases {
            guard let path = try path(of: name, choice) else {
                missing.append(name.rawValue)
                continue
            }
            let text = MemberChoice.text(of: path)
            let isName = name == .imageURL && description.members.contains { $0 == (.name, text) }
            // A description would read it as a text with parts.
            if !text.contains("{$") { description.members.append((name, isName ? address(within: path) : text)) }
        }
        if let path = choice.addressOfMore,
            !description.members.contains(where: { $0.1 == MemberChoice.text(of: path) })
        {
            leftOut.append(
                "what \(MemberChoice.text(of: path)) of each record leads to; see expand in man castline-source")
        }
        let found = description.members.map { name, path in "\(name.rawValue) from \(path)" }
        if !found.isEmpty { recordFindings.append("members: " + found.joined(separator: ", ")) }
        if !missing.isEmpty { recordFindings.append("not found: " + missing.joined(separator: ", ")) }
        if description.members.first?.name == .id, let path = choice.path(of: .id) { try proveItem(path, choice) }
    }

    private mutating func path(
        of name: Source.CommonName, _ choice: MemberChoice
    ) throws(ToolFailure) -> [JSONLocation.PathStep]? {
        guard name == .imageURL else {
            return choice.path(of: name).flatMap { name != .id || areDistinct($0) ? $0 : nil }
        }
        // Downloads the likeliest picture to prove it; tries the next only if a request for a record remains.
        for (index, path) in choice.pictures.prefix(2).enumerated() where index == 0 || probe.left > 1 {
            guard let doubt = try doubt(ofPicture: choice.sample(of: path)) else { return path }
            leftOut.append("\(name.rawValue) from \(MemberChoice.text(of: path)), \(doubt)")
        }
        return nil
    }

    /// Lists of files have the name of a picture's file alone, beside which the picture is.
    private func address(within path: [JSONLocation.PathStep]) -> String {
        let list = description.request.baseURL + description.request.ownPath
        let folder = list.prefix(through: list.lastIndex(of: "/") ?? list.startIndex)
        return "\(folder){\(JSONLocation.path(of: path, style: .rooted))}"
    }

    private func areDistinct(_ path: [JSONLocation.PathStep]) -> Bool {
        let keys = pages.flatMap { RecordKeys($0.page.records, in: $0.text.span, id: path) }
        return Set(keys).count == keys.count
    }

    /// Why a URL isn't proved to be a picture's; nil if its bytes are one.
    private mutating func doubt(ofPicture text: String) throws(ToolFailure) -> String? {
        guard !probe.hides(text) else { return "which has the key in it" }
        guard probe.left > 0 else { return "as no request is left to look at one" }
        do throws(HTTPFailure) {
            let url = try start.response.url.resolving(text)
            var request = HTTPRequest(url, limitBytes: 64 << 20)
            if url.origin == start.response.url.origin {
                request.redirectOrigins = []
            } else {
                request.refusesPrivateAddresses = true
            }
            let response = try probe.response(to: request, for: "a picture")
            return (try? ImageInfo(of: response.body.span)) == nil ? "whose bytes aren't a picture" : nil
        } catch {
            if error.isRunEnd { throw ToolFailure(error) }
            return "as the picture couldn't be fetched: \(error)"
        }
    }

    private mutating func proveItem(_ path: [JSONLocation.PathStep], _ choice: MemberChoice) throws(ToolFailure) {
        guard description.request.content == nil, let page = pages.last, let last = page.page.records.last else {
            return
        }
        let record = page.text.span.extracting(last.range)
        guard let id = AnswerValue.scalar(at: path, in: record),
            let item = item(id, choice.ownAddresses(in: record)),
            !probe.hides(item), probe.left > 0
        else { return }
        var described = description
        described.item = item
        guard let request = try? probe.requests(described).item(id) else { return }
        let response: HTTPResponse
        do throws(HTTPFailure) { response = try probe.response(to: request, for: "one record") } catch {
            if error.isRunEnd { throw ToolFailure(error) }
            return
        }
        var reader = PageReader(try described.readable())
        // Some services answer something else there.
        guard let single = try? reader.read(response.body, response.headers, isList: false),
            single.records.count == 1, let record = single.records.first
        else { return }
        let text = single.text ?? response.body
        guard AnswerValue.scalar(at: path, in: text.span.extracting(record.range)) == id else { return }
        description.item = item
        recordFindings.append("one record is at \(item)")
    }

    /// The path of a record, with a placeholder for its id: what its own addresses say, or one below the list's.
    private func item(_ id: String, _ addresses: [String]) -> String? {
        let plain = id.replacing(":", with: "")
        guard HTTPURL.percentEncoded(plain) == plain, id.contains(where: { $0 != "." }),
            !description.request.path.contains("?")
        else { return nil }
        let base = probe.mirror ?? description.request.baseURL
        for url in addresses where url.hasPrefix(base + "/") {
            let path = url.dropFirst(base.count)
            for end in ["/\(id)", "/\(id)/"] where path.hasSuffix(end) && !path.contains("?") {
                let item = path.dropLast(end.count) + end.replacing(id, with: "{id}")
                return Placeholders.names(in: String(item)) == ["id"] ? String(item) : nil
            }
        }
        let list = description.request.path
        return list.hasSuffix("/") ? list + "{id}/" : list + "/{id}"
    }
}

extension HTTPFailure {
    fileprivate var isRunEnd: Bool { reason == .interrupted || reason == .deadline }
}
