// A list that came in one response: whether that has all of it, by what it says and by what was tried in vain.

import PipelineCore
import PipelineHTTP

/// A list that has one page now, as the empty one after it shows.
struct OnePage {
    /// How it would go on.
    let pagination: LearntPagination
    /// What came where a second page would be.
    let next: LearntPage?
    /// The paths of what leads to that from the first page, though it leads no further.
    var leads: [String] = []
}

/// What was tried to get to a second page, and didn't lead there.
struct LearnAttempts {
    /// What was requested when records came that aren't on the first page: then one page isn't the whole list.
    var others: String?
    /// What the service refused first, or answered with something other than a page: nothing is known of that.
    var refusal: String?
    /// A parameter was refused with 400 or the like: some services refuse all that they don't know.
    var refusesParameters = false
    private var idle: [String] = []
    private var lost: [String] = []
    private var findings: [String] = []

    /// - Returns: nil, for a way that leads to no proof.
    mutating func changesNothing(_ names: [String]) -> LearnProof? { Self.add(names, to: &idle) }

    mutating func leadsNowhere(_ names: [String]) -> LearnProof? { Self.add(names, to: &lost) }

    mutating func inVain(_ finding: String) -> LearnProof? { Self.add([finding], to: &findings) }

    private static func add(_ texts: [String], to list: inout [String]) -> LearnProof? {
        list += texts.filter { !list.contains($0) }
        return nil
    }

    /// For a message, in parentheses, after a space.
    var text: String {
        let clauses = [Self.clause(lost, "leads to no other records", "lead to no other records")]
        let all = (clauses + [Self.clause(idle, "changes nothing", "change nothing")]).compactMap(\.self) + findings
        return all.isEmpty ? "" : " (\(all.joined(separator: "; ")))"
    }

    private static func clause(_ names: [String], _ singular: String, _ plural: String) -> String? {
        guard let first = names.first else { return nil }
        if names.count == 1 { return "\(first) \(singular)" }
        let shown = names.count > 5 ? Array(names.prefix(4)) : Array(names.dropLast())
        let rest = names.count - shown.count
        return
            "\(shown.joined(separator: ", ")) and \(rest > 1 ? "\(rest) others" : names[names.count - 1]) \(plural)"
    }
}

extension LearnRun {
    /// - Throws: status 76 if there may be more records than came.
    mutating func checkIsWhole() throws(ToolFailure) {
        let count = start.count
        let envelope = start.envelope(description)
        let end = ListEnd(envelope, besides: onePage?.leads ?? [])
        let isSaid = end.saysEnd || onePage != nil
        if let finding = contradiction(envelope, end) {
            throw unlearnt(
                finding,
                description.request.isGraphQL
                    ? "declare $after in the query, and send it in variables"
                    : "name in pagination what requests the next page")
        }
        if let reason = doubt(envelope) ?? (isSaid ? nil : end.unknown) { throw unproved(reason) }
        try checkSizes()
        let asked = description.request.path.split(separator: "/").map(String.init)
        let isAsked = place.names.contains(where: asked.contains)
        let rival = otherPlaces.first { other in
            place.isHard(toTellFrom: other)
                || !isAsked && place.names.dropLast() == other.names.dropLast() && !place.isBetterNamed(than: other)
        }
        description.unproved = [.records, .pagination]
        if let rival { throw twoLists(rival) }
        if let innerList { throw .unlearnt("the records may be at \(innerList); write records by hand") }
        // `facets`, unless it is what the URL asks for.
        if place.isBeside, !isAsked {
            throw .unlearnt(
                "the response's only list is \(place.path) (\(count)), and a list of that name usually stands beside the "
                    + "records; write records by hand")
        }
        description.unproved = [.pagination]
        if !isSaid, !isShort, count >= 10 || ListEnd.isUsualPageSize(count), let refusal = tried.refusal {
            throw unproved("nothing says that there are no more than \(count), and \(refusal)")
        }
        guard isSaid || isShort || !ListEnd.isUsualPageSize(count) else {
            throw unproved(
                "the response has \(RecordStream.count(count)), as on one page of several, and nothing shows that they are all"
            )
        }
        try startAgain(description)
        listFindings.append(
            end.saysEnd
                ? "one response has them all, as it says"
                : isSaid ? "the next page is empty, so these are all" : "one response seems to have the whole list")
        if let pagination = onePage?.pagination {
            description.pagination = pagination
            description.pagination.size = nil
            if !pagination.leads { description.request = description.request.removing(pagination.places) }
        }
        let counted = envelope.totals.first { $0.unit == .records && $0.value == count }
        // A run whose response is as long as was requested is refused.
        if onePage == nil || counted != nil, let size = description.request.size, size.value > count {
            description.pagination.size = Pagination.Size(parameter: size.place, value: size.value, limit: nil)
        }
        // A list that grows later says so here.
        description.pagination.more = onePage?.pagination.type == .offset ? nil : envelope.growth
        let isTotal = counted.map { TotalPlace.meaning(of: $0.place.names)?.rank == 0 } ?? false
        // A number that is only the records' may count those of one page.
        description.pagination.isAssumed =
            onePage == nil && description.pagination.more == nil && !isTotal && place.format.hasEnvelope
        if !isSaid, end.isBare || description.pagination.isAssumed {
            let cure =
                "; if one response always has all, remove \"assumed\" from the description: it ends a run with 76 "
                + "whose records are as many as services send at a time, such as 50 or 100"
            diagnostics.warning(
                "nothing says that these \(count) are all\(description.pagination.isAssumed ? cure : "")")
        }
        guard let total = counted ?? end.countPlace else { return }
        // One that differs there counts the page.
        if let empty = onePage?.next, try !self.isSaid(total, by: [empty]) { return }
        description.pagination.total = total
        listFindings.append("\(total.place.text) is \(total.value)")
    }

    /// Fewer records than a page has: services that give fewer than requested have pages of a usual size, of ten or more.
    private var isShort: Bool {
        let (count, isUsual) = (start.count, ListEnd.isUsualPageSize(start.count))
        guard let size = description.request.size else { return count < 10 && !isUsual }
        return size.value > count && (count < 10 || !isUsual)
    }

    /// A list in the elements of the list, where they are few, have no ids, and have what belongs to a list.
    private var innerList: String? {
        guard start.count < 10, id == nil || start.count == 1, let record = start.page.records.first,
            let answer = try? AnswerValue.read(start.text.span.extracting(record.range)),
            let inner = RecordsPlace.all(in: answer).first, inner.isArray
        else { return nil }
        let envelope = Envelope(
            of: answer, beside: inner.names, HTTPHeaders(), description.request.list, count: inner.count)
        let isList =
            envelope.values.contains { $0.moreFlag != nil || WellKnownNames.leadsOn($0.names) }
            || id == nil && !envelope.totals.isEmpty
        let isBare = envelope.values.allSatisfy { $0.value.text == nil || WellKnownNames.is($0.name, .harmless) }
        guard isList || isBare && id == nil else { return nil }
        return place.path + "[*]" + inner.path.dropFirst()
    }

    /// What says that there are more.
    private func contradiction(_ envelope: Envelope, _ end: ListEnd) -> String? {
        let count = start.count
        // Totals are estimates where a flag and an empty page say that these are all.
        let isEnd = onePage != nil && envelope.isFlaggedEnd
        if !isEnd, let total = envelope.totals.first(where: { $0.value > ($0.unit == .pages ? 1 : count) }) {
            return "\(total.place.text) is \(total.value), and the response has \(RecordStream.count(count))"
        }
        if let more = isEnd ? end.fault : end.more { return more }
        if WebLink.namesFurther(in: envelope.linkFields) {
            return "the header Link names a later page than the next one as the last"
        }
        if let others = tried.others { return "\(others) had other records" }
        return envelope.nexts(of: description.request).isEmpty || envelope.isFlaggedEnd
            || onePage?.leads.isEmpty == false
            ? nil : "the response names a next page"
    }

    /// What the request has that may leave others out.
    private func doubt(_ envelope: Envelope) -> String? {
        let count = start.count
        if onePage != nil || envelope.totals.contains(where: { $0.unit == .pages && $0.value == 1 }) { return nil }
        if let size = description.request.number(equalTo: count) {
            return "\(size), and \(count) arrived, so there may be more"
        }
        if let place = description.request.pageBeside { return "\(place) may select a page" }
        // Whoever counts all records would count those of other pages.
        let isCounted = envelope.totals.contains { $0.unit == .records && $0.value == count }
        if let selecting, !isCounted { return "\(selecting) in the request may select a page" }
        let isFull = description.request.size.map { $0.value <= count } ?? ListEnd.isUsualPageSize(count)
        if isCounted && !isFull || isShort || envelope.isFlaggedEnd { return nil }
        return typedPosition.map { "\($0.name) in the request leads to no page of the list" }
    }

    /// Asks for larger pages, under all the usual names at once.
    private mutating func checkSizes() throws(ToolFailure) {
        guard probe.left > 2, description.request.content == nil, description.request.size == nil, onePage == nil
        else { return }
        let names = [
            "limit", "per_page", "pageSize", "page_size", "perPage", "size", "count", "rows", "page[size]", "take",
        ]
        var described = description
        for name in names {
            described.request = described.request.setting(.query(name), to: "\(start.count * 2 + 1)")
        }
        let answer = try ask(described, for: "larger pages")?.page
        if answer?.keys.fresh(beside: start.keys) ?? 0 > 0 {
            throw unlearnt(
                "a larger page size (\(names[0]), \(names[1]) or the like) returns more records",
                "ask for more in the URL, or name in pagination what requests the next page")
        }
    }

    private func unproved(_ finding: String) -> ToolFailure {
        unlearnt(
            finding,
            "add \"pagination\": {\"type\": \"none\"} to the description if these are all, else what requests the next page"
        )
    }

    private func unlearnt(_ finding: String, _ cure: String) -> ToolFailure {
        .unlearnt(Message(finding, cure: cure + "; see PAGINATION in man castline-source" + tried.text))
    }
}
