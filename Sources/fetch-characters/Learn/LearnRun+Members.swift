// The common members of the records, and the proof that a picture is one.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// The most that a picture may have to prove what it is.
    private static let pictureLimitBytes = 64 << 20

    /// Chooses the members by the values of all records that came.
    /// - Parameter pages: the first one first.
    mutating func chooseMembers(_ pages: [LearntPage]) throws(ToolFailure) {
        var figures = MemberFigures(origin: pages[0].url.origin)
        for page in pages { page.addRecords(to: &figures) }
        let isCounted = description.pagination.total != nil || pages.count == 1
        let choice = MemberChoice(figures, isCounted: isCounted)
        var members: [(name: Source.CommonName, path: String)] = []
        for name in Source.CommonName.allCases {
            guard let path = choice.path(of: name), name != .id || areDistinct(path, pages) else {
                findings.missing.append(name.rawValue)
                continue
            }
            let text = MemberChoice.text(of: path)
            // A description would read it as a text with parts.
            guard !text.contains("{$") else { continue }
            if name == .imageURL, let doubt = try doubt(ofPicture: choice.sample(of: path), beside: pages[0].url) {
                findings.leftOut.append("\(name.rawValue) from \(text), \(doubt)")
                continue
            }
            members.append((name, text))
        }
        if let path = choice.addressOfMore {
            findings.leftOut.append(
                "what \(MemberChoice.text(of: path)) of each record leads to; see expand in man castline-source")
        }
        description.members = members
        findings.members = members.map { name, path in "\(name.rawValue) from \(path)" }
        if members.first?.name == .id, let path = choice.path(of: .id), let last = pages.last {
            try proveItem(path, choice, last)
        }
    }

    /// Whether no two records of the pages have one id, however many there are.
    private func areDistinct(_ path: [JSONLocation.PathStep], _ pages: [LearntPage]) -> Bool {
        let keys = pages.map { RecordKeys($0.page.records, in: $0.text.span, id: path) }
        let all = keys.dropFirst().reduce(keys[0]) { $0.joined(with: $1) }
        return all.distinct == all.count
    }

    /// Why a URL isn't proved to be a picture's; nil if its bytes are one.
    private mutating func doubt(ofPicture text: String, beside list: HTTPURL) throws(ToolFailure) -> String? {
        guard !probe.requests.hides(text) else { return "which has the key in it" }
        guard probe.left > 0 else { return "as no request is left to look at one" }
        let result = picture(text, beside: list)
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try result.get()
        } catch {
            if error.isRunEnd { throw ToolFailure(error) }
            return "as the picture didn't come: \(error)"
        }
        do throws(ImageError) {
            _ = try ImageInfo(of: response.body.span)
            return nil
        } catch {
            return "whose bytes aren't a picture"
        }
    }

    /// Requests a picture. At another origin than the list's it has to have a public address.
    private mutating func picture(
        _ text: String, beside list: HTTPURL
    ) -> Result<HTTPResponse, HTTPFailure> {
        let url: HTTPURL
        do throws(HTTPFailure) { url = try list.resolving(text) } catch { return .failure(error) }
        var request = HTTPRequest(url, limitBytes: Self.pictureLimitBytes)
        if url.origin == list.origin {
            request.redirectOrigins = []
        } else {
            request.refusesPrivateAddresses = true
        }
        return probe.response(to: request, for: "a picture")
    }
}
