// Decides which members of the records the description names, where a picture is proved by its bytes, and how one record is
// requested.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    mutating func chooseMembers() throws(ToolFailure) {
        let choice = MemberChoice(pages, isCounted: description.pagination.total != nil || pages.count == 1)
        var missing: [String] = []
        for name in Source.CommonName.allCases {
            let path = name == .imageURL ? try picture(of: choice) : choice.path(of: name)
            guard let path, isChosen(path, name) else {
                missing.append(name.rawValue)
                continue
            }
            let text = MemberChoice.text(of: path)
            // A description would read it as a text with parts.
            guard !text.contains("{$") else { continue }
            let isName = description.members.contains { $0 == (.name, text) }
            description.members.append((name, isName ? address(within: path) : text))
        }
        if let path = choice.addressOfMore.map(MemberChoice.text),
            !description.members.contains(where: { $0.path == path })
        {
            leftOut.append("what \(path) of each record leads to; see expand in man castline-source")
        }
        let found = description.members.map { name, path in "\(name.rawValue) from \(path)" }
        if !found.isEmpty { recordFindings.append("members: " + found.joined(separator: ", ")) }
        if !missing.isEmpty { recordFindings.append("not found: " + missing.joined(separator: ", ")) }
        if description.members.first?.name == .id, let path = choice.path(of: .id) { try proveItem(path, choice) }
    }

    /// No two records have one id.
    private func isChosen(_ path: [JSONTree.Step], _ name: Source.CommonName) -> Bool {
        guard name == .id else { return true }
        let keys = pages.flatMap { RecordKeys($0.page.records, in: $0.text.span, id: path) }
        return Set(keys).count == keys.count
    }

    // MARK: Pictures

    /// Downloads the likeliest picture to prove it; tries the next only if a request for a record remains.
    private mutating func picture(of choice: MemberChoice) throws(ToolFailure) -> [JSONTree.Step]? {
        for (path, least) in zip(choice.pictures, [0, 2]) where probe.left >= least {
            guard let doubt = try doubt(ofPicture: choice.sample(of: path)) else { return path }
            leftOut.append("imageURL from \(MemberChoice.text(of: path)), \(doubt)")
        }
        return nil
    }

    /// Lists of files have the name of a picture's file alone, beside which the picture is.
    private func address(within path: [JSONTree.Step]) -> String {
        let list = description.request.baseURL + description.request.ownPath
        return "\(list.prefix(through: list.lastIndex(of: "/") ?? list.startIndex)){\(path.path)}"
    }

    /// Why a URL isn't proved to be a picture's; nil if its bytes are one.
    private mutating func doubt(ofPicture text: String) throws(ToolFailure) -> String? {
        guard !probe.hides(text) else { return "which has the key in it" }
        guard probe.left > 0 else { return "as no request is left to look at one" }
        do throws(HTTPFailure) {
            let (url, list) = (try start.response.url.resolving(text), start.response.url)
            var request = HTTPRequest(url, limitBytes: 64 << 20)
            request.refusesPrivateAddresses = url.origin != list.origin
            if url.origin == list.origin { request.redirectOrigins = [] }
            let response = try probe.response(to: request, for: "a picture")
            guard (try? ImageInfo(of: response.body.span)) != nil else { return "whose bytes aren't a picture" }
            return nil
        } catch {
            if error.isRunEnd { throw ToolFailure(error) }
            return "as the picture couldn't be fetched: \(error)"
        }
    }

    // MARK: One record

    private mutating func proveItem(_ path: [JSONTree.Step], _ choice: MemberChoice) throws(ToolFailure) {
        guard description.request.content == nil, let page = pages.last, let last = page.page.records.last else {
            return
        }
        let record = page.text.span.extracting(last.range)
        var described = description
        guard let id = JSONTree.scalar(at: path, in: record), probe.left > 0,
            let item = item(id, choice.ownAddresses(in: record)), !probe.hides(item)
        else { return }
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
        guard JSONTree.scalar(at: path, in: text.span.extracting(record.range)) == id else { return }
        description.item = item
        recordFindings.append("one record is at \(item)")
    }

    /// The path of a record, with a placeholder for its id: what its own addresses say, or one below the list's.
    private func item(_ id: String, _ addresses: [String]) -> String? {
        let plain = id.replacing(":", with: "")
        let list = description.request.path
        guard HTTPURL.percentEncoded(plain) == plain, id.contains(where: { $0 != "." }), !list.contains("?") else {
            return nil
        }
        let base = probe.mirror ?? description.request.baseURL
        for url in addresses where url.hasPrefix(base + "/") {
            guard !url.contains("?"), let end = ["/\(id)", "/\(id)/"].first(where: url.hasSuffix) else { continue }
            let item = url.dropFirst(base.count).dropLast(end.count) + end.replacing(id, with: "{id}")
            guard Placeholders.names(in: String(item)) == ["id"] else { return nil }
            return String(item)
        }
        return list.hasSuffix("/") ? list + "{id}/" : list + "/{id}"
    }
}

extension HTTPFailure {
    fileprivate var isRunEnd: Bool { [.interrupted, .deadline].contains(reason) }
}
