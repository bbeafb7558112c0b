// The requests for one record: below the list's path, or where the record's own URL says.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Takes the path of single records if the last one of a page comes by it.
    mutating func proveItem(
        _ path: [JSONLocation.PathStep], _ choice: MemberChoice, _ page: LearntPage
    ) throws(ToolFailure) {
        guard let record = page.page.records.last,
            let id = RecordKeys.text(at: path, in: page.text.span.extracting(record.range)),
            let item = item(id, choice.ownAddresses(in: page.text.span.extracting(record.range)))
        else { return }
        var described = description
        described.item = item
        guard !probe.requests.hides(item), probe.left > 0, let request = probe.item(id, described) else { return }
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try probe.response(to: request, for: "one record").get()
        } catch {
            if error.isRunEnd { throw ToolFailure(error) }
            return
        }
        var reader = PageReader(try LearntPage.source(described))
        do throws(SourcePage.Fault) {
            let page = try reader.read(response.body, response.headers, isList: false)
            let text = page.text ?? response.body
            guard page.records.count == 1, let record = page.records.first,
                RecordKeys.text(at: path, in: text.span.extracting(record.range)) == id
            else { return }
            description.item = item
            findings.item = "one record comes by \(item)"
        } catch {
            // The service answers something else there.
        }
    }

    /// The path of a record, with a placeholder for its id.
    /// - Parameter addresses: of the record, at the API itself.
    private func item(_ id: String, _ addresses: [String]) -> String? {
        let isPlain = id.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_.:".contains(Character(scalar)))
        }
        guard isPlain, !id.isEmpty, id.contains(where: { $0 != "." }), !description.address.path.contains("?")
        else {
            return nil
        }
        let base = probe.base(of: description)
        for url in addresses where url.hasPrefix(base + "/") {
            let path = url.dropFirst(base.count)
            for end in ["/\(id)", "/\(id)/"] where path.hasSuffix(end) && !path.contains("?") {
                let item = path.dropLast(end.count) + end.replacing(id, with: "{id}")
                return Placeholders.names(in: String(item)) == ["id"] ? String(item) : nil
            }
        }
        let list = description.address.path
        return list.hasSuffix("/") ? list + "{id}/" : list + "/{id}"
    }
}

extension HTTPFailure {
    /// Nothing else can be requested either.
    var isRunEnd: Bool { reason == .interrupted || reason == .deadline }
}
