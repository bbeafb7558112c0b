// A list that came in one answer, as far as anything shows.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// - Throws: status 76 if there may be more records than came.
    mutating func checkIsWhole(_ start: LearntPage) throws(ToolFailure) {
        let count = start.page.listed
        let totals = TotalPlace.all(in: envelope, beside: place, start.response.headers)
        let values = ListEnd(envelope, beside: place)
        let more: String? =
            if let total = totals.first(where: { $0.unit == .records && $0.value > count }) {
                "\(total.text) says \(total.value), and \(count) came"
            } else if let pages = totals.first(where: { $0.unit == .pages && $0.value > 1 }) {
                "\(pages.text) says that there are \(pages.value) pages"
            } else if let flag = values.more {
                "\(flag) says that there are more than the \(count) that came"
            } else if let purpose = probe.othersSeen {
                "other records came for \(purpose)"
            } else if findings.hasDeadEnd {
                "the answer leads to a next page"
            } else { nil }
        if let more { throw unproved(more) }
        if let size = description.address.size, size.value == count {
            throw unproved("as many came as \(size.name)=\(size.value) asks for, and there may be more")
        }
        try checkSizes(start)
        if let other = probe.otherPlaces.first, place.isHard(toTellFrom: other) {
            description.unproved = [.records, .pagination]
            throw twoLists(other)
        }
        let total = totals.first { $0.unit == .records && $0.value == count }
        guard total != nil || values.saysEnd || !ListEnd.pageSizes.contains(count) else {
            throw unproved("\(count) came, which is a usual size of pages, and nothing says that they are all")
        }
        _ = try probe.startAgain(description, start)
        description.pagination.total = total
        findings.paging = "one answer has them all, as far as anything shows"
        if let total { findings.total = "\(total.text) is \(total.value)" }
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
            "how the list goes on isn't proved: \(finding)\(tried); write pagination by hand, see man castline-source"
        )
    }

    // MARK: Two lists

    /// Checks that the pages show which of an answer's lists is meant.
    mutating func checkPlace(_ proof: LearnProof) throws(ToolFailure) {
        guard let other = probe.otherPlaces.first, place.isHard(toTellFrom: other) else { return }
        var described = proof.description
        described.records = other
        guard let first = try LearntPage(proof.start.response, described, id: nil),
            let second = try LearntPage(proof.second.response, described, id: nil),
            second.keys.fresh(beside: first.keys) > 0
        else { return }
        description.unproved = [.records]
        throw twoLists(other)
    }

    private func twoLists(_ other: RecordsPlace) -> ToolFailure {
        ToolFailure(
            .protocolError,
            "the answer has two lists, \(place.path) (\(place.count)) and \(other.path) (\(other.count)), and either "
                + "may be meant; write records by hand")
    }
}
