// A list that came in one answer, as far as anything shows.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// - Throws: status 76 if there may be more records than came.
    mutating func checkIsWhole(_ start: LearntPage) throws(ToolFailure) {
        let count = start.page.listed
        let totals = TotalPlace.all(in: envelope, beside: place, start.response.headers)
        let end = ListEnd(envelope, beside: place, start.response.headers, count: count)
        if let reason = reasonForMore(totals, end, count) { throw unproved(reason) }
        try checkSizes(start)
        if let other = probe.otherPlaces.first, place.isHard(toTellFrom: other) {
            description.unproved = [.records, .pagination]
            throw twoLists(other)
        }
        let total = totals.first { $0.unit == .records && $0.value == count }
        if !end.saysEnd, !(total?.isSure ?? false) { try checkCount(count) }
        _ = try probe.startAgain(description, start)
        description.pagination.total = total
        findings.paging = "one answer has them all, as far as anything shows"
        if let total { findings.total = "\(total.text) is \(total.value)" }
    }

    /// What says, or may say, that there are more.
    private func reasonForMore(_ totals: [TotalPlace], _ end: ListEnd, _ count: Int) -> String? {
        if let total = totals.first(where: { $0.unit == .records && $0.value > count }) {
            return "\(total.text) says \(total.value), and \(count) came"
        }
        if let pages = totals.first(where: { $0.unit == .pages && $0.value > 1 }) {
            return "\(pages.text) says that there are \(pages.value) pages"
        }
        if let more = end.more { return more }
        if let purpose = probe.othersSeen { return "other records came for \(purpose)" }
        if findings.hasDeadEnd { return "the answer names a next page" }
        if let name = description.address.parameter(asking: count) {
            return "\(name)=\(count) asks for the \(count) that came, and there may be more"
        }
        return typedPosition.map { "\($0.name) in the URL leads to no page of the list" }
    }

    /// - Throws: status 76 if the records may be one page of several, where nothing says that they are all.
    private func checkCount(_ count: Int) throws(ToolFailure) {
        if let refusal = probe.refusals.first {
            throw unproved("nothing says that the \(count) are all, and \(refusal)")
        }
        guard ListEnd.isUsualPageSize(count) else { return }
        throw unproved("\(count) came, as on one page of several, and nothing says that they are all")
    }

    /// Asks for larger pages, under all the usual names at once.
    private mutating func checkSizes(_ start: LearntPage) throws(ToolFailure) {
        guard probe.left > 2, description.address.size == nil else { return }
        var described = description
        for name in PageParameter.sizes {
            described.address = described.address.setting(name, to: "\(start.page.listed * 2 + 1)")
        }
        guard let answer = try probe.page(described, nil, for: "larger pages"),
            answer.keys.fresh(beside: start.keys) > 0
        else { return }
        throw unproved("larger pages have more records")
    }

    private func unproved(_ finding: String) -> ToolFailure {
        let tried = findings.triedInVain.isEmpty ? "" : " (\(findings.triedInVain.joined(separator: "; ")))"
        return ToolFailure(
            .protocolError,
            "how the list goes on isn't proved: \(finding)\(tried); write pagination by hand, {\"type\": \"none\"} if they are all; see man castline-source"
        )
    }

    // MARK: Two lists

    /// Checks that the pages show which of an answer's lists is meant.
    mutating func checkPlace(_ proof: LearnProof) throws(ToolFailure) {
        for other in probe.otherPlaces where !place.isBetterNamed(than: other) {
            guard
                try ListProbe.changes(
                    other, from: proof.start.response, to: proof.second.response, proof.description)
            else { continue }
            description.unproved = [.records]
            throw twoLists(other)
        }
    }

    private func twoLists(_ other: RecordsPlace) -> ToolFailure {
        ToolFailure(
            .protocolError,
            "the answer has two lists, \(place.path) (\(place.count)) and \(other.path) (\(other.count)), and either "
                + "may be meant; write records by hand")
    }
}
