// The requests for one record: below the list's path, or where the record's own URL says.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// Takes the path of single records if the first one comes by it.
    mutating func proveItem(_ figures: MemberFigures) throws(ToolFailure) {
        let choice = MemberChoice(figures)
        guard let path = choice.path(of: .id), let item = item(choice.sample(of: path), choice)
        else {
            return
        }
        var described = description
        described.item = item.path
        guard probe.left > 0, let request = try probe.item(item.id, described) else { return }
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
                RecordKeys.text(at: path, in: text.span.extracting(record.range)) == item.id
            else { return }
            description.item = item.path
            findings.item = "one record comes by \(item.path)"
        } catch {
            // The service answers something else there.
        }
    }

    /// The path of a record, and the id that stands in it.
    private func item(
        _ id: String, _ choice: MemberChoice
    ) -> (path: String, id: String)? {
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
        for url in choice.ownAddresses where url.hasPrefix(base + "/") {
            let path = url.dropFirst(base.count)
            for end in ["/\(id)", "/\(id)/"] where path.hasSuffix(end) && !path.contains("?") {
                return (path.dropLast(end.count) + end.replacing(id, with: "{id}"), id)
            }
        }
        let list = description.address.path
        return (list.hasSuffix("/") ? list + "{id}/" : list + "/{id}", id)
    }
}

extension HTTPFailure {
    /// Nothing else can be requested either.
    var isRunEnd: Bool { reason == .interrupted || reason == .deadline }
}
