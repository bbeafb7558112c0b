// Decides which ways may lead from one page of a list to the next, and in which order they are tried: what the response holds,
// numbers of the request, the usual names.

import PipelineCore
import PipelineHTTP

struct Proposal: Sendable {
    enum Kind: Sendable {
        case page, offset
        /// A number of the request may be either.
        case number(Int)
        /// The response gives the position of the next page.
        case lead(LearntPagination)
    }

    let kind: Kind
    /// Where a position may go. Of several one takes it, and all are tried at once. None for links.
    var places: [Placement] = []
    /// Where the response has the position, for messages.
    var text = ""
    /// What the response has there.
    var value = ""
    /// What the record before the last one has there, where that is a number, which may mean a page.
    var earlier: String?

    /// For messages.
    var name: String {
        guard let first = places.first else { return text }
        let others = places.count > 1 ? " and \(places.count - 1) others" : ""
        return [first.name + others, text].filter { !$0.isEmpty }.joined(separator: ", from ")
    }

    func with(_ places: [Placement]) -> Proposal {
        var proposal = self
        proposal.places = places
        return proposal
    }

    var isLead: Bool { if case .lead = kind { true } else { false } }

    fileprivate var isOf: String {
        switch kind {
        case .page: "page"
        case .offset: "offset"
        case .number: "number"
        case .lead: text
        }
    }
}

/// What proposals are made from.
struct ProposalInput {
    let request: ListRequest
    let start: LearntPage
    let place: RecordsPlace
    /// The path to the records' ids.
    let id: [JSONTree.Step]?
    /// A parameter of the request whose value was a position.
    let typed: Placement?
    /// Requests of a recording. A parameter of theirs with a value of this response got it from there.
    let recorded: [ListRequest]

    var all: [Proposal] {
        let shown = bodyChanges + links + [several].compactMap(\.self) + typedNumbers + echoed
        let usual =
            rows(.parameter, request.size?.place.name) + rows(.list, place.steps.names.joined(separator: "."))
        let nothing = rows(.nothing, "")
        let flagged = flag == nil ? [] : lastRecord
        let likely = cursors(0) + shownNumbers + flagged + usual + nothing.prefix(2)
        let rest = requestNumbers + cursors(1) + nothing.dropFirst(2) + cursors(2)
        var seen: Set<String> = []
        // Each place once for each kind.
        return (shown + likely + rest).compactMap { proposal in
            let fresh = proposal.places.filter { seen.insert("\(proposal.isOf) \($0)").inserted }
            guard proposal.places.isEmpty || !fresh.isEmpty else { return nil }
            return proposal.with(fresh)
        }
    }

    private var flag: BesideValue? { body.first { $0.flag == true } }

    /// What stands beside the records in the body.
    private var body: [BesideValue] { start.values.filter { $0.header == nil } }

    private func rows(_ seen: ProposalRow.Seen, _ name: String?) -> [Proposal] {
        guard let name else { return [] }
        // In a body that names its variables others are refused.
        let all = ProposalRow.rows(seen, name).map { row in
            Proposal(kind: row.kind == .page ? .page : .offset, places: request.places(row.parameters))
        }
        return all.filter { !$0.places.isEmpty }
    }

    // MARK: What the response holds

    /// Whether a field Link leads to a next page.
    var isLinked: Bool {
        let link = try? WebLink.next(in: start.response.headers.values("Link"))
        return link.flatMap(\.self) != nil
    }

    /// Whether the response holds what likely leads to another page.
    var leadsOn: Bool {
        let hasLink = leading.contains { $0.rank < 2 }
        return [hasLink, isLinked, several != nil, !cursors(0).isEmpty].contains(true)
    }

    /// The values that are URLs of other pages, as far as their shape tells.
    var leading: [BesideValue] {
        start.values.filter { value in
            value.link.map { request.leadsOn($0, from: start.response.url, rank: value.rank) } ?? false
        }
    }

    private var links: [Proposal] {
        let others = leading.stablySorted(by: \.rank).map { value in
            let pagination = LearntPagination(type: .nextURL, next: value.next)
            return Proposal(kind: .lead(pagination), text: "the URL at \(value.text)", value: value.value.text)
        }
        guard isLinked else { return others }
        let pagination = LearntPagination(type: .linkHeader)
        return [Proposal(kind: .lead(pagination), text: "the URL in the header Link")] + others
    }

    /// A link with a body for the next request: what differs from the body of the first one is the cursor.
    private var bodyChanges: [Proposal] {
        let sent = Set(request.parameters.map { "\($0.place) \($0.value)" })
        return start.values.compactMap { value in
            guard let place = value.place, let text = value.value.scalar, value.rank < 3,
                !sent.contains("\(place) \(text)")
            else { return nil }
            return cursor(value, text, [place])
        }
    }

    private func cursor(_ value: BesideValue, _ text: String, _ places: [Placement]) -> Proposal {
        let pagination = LearntPagination(type: .cursor, next: value.next)
        return Proposal(kind: .lead(pagination), places: places, text: value.text, value: text)
    }

    /// MediaWiki's `"continue":{"gcmcontinue":"…","continue":"…"}`: the next page needs all of these values.
    private var several: Proposal? {
        let parts = body.filter { $0.names.dropLast().last == "continue" }
        // More would be no cursor.
        guard (1...8).contains(parts.count), parts.allSatisfy({ $0.value.scalar != nil }) else { return nil }
        let paths = parts.map { (name: $0.name, value: JSONTree.string($0.path ?? "")) }
        let pagination = LearntPagination(
            type: .cursor, places: parts.map { .query($0.name) }, next: .object([("values", .object(paths))]))
        return Proposal(kind: .lead(pagination), text: "the values at $.continue")
    }

    /// Texts, and numbers whose name says that they are the next page's, that the request doesn't have.
    private func cursors(_ rank: Int) -> [Proposal] {
        let sent = Set(request.parameters.map(\.value))
        let values = body.filter { value in
            guard value.rank == rank, value.place == nil else { return false }
            return !value.names.contains("continue")
        }
        let words = values.filter { $0.token != nil }
        let numbers = rank > 0 ? [] : values.filter { $0.token == nil && $0.counts(beyond: 0) }
        return (words + numbers).flatMap { value -> [Proposal] in
            let text = value.value.text
            let own = recorded.places(of: text) + [typed].compactMap(\.self)
            guard !own.isEmpty || !sent.contains(text) else { return [] }
            let places = (own + self.places(for: value.name)).withoutRepeats
            return split(places, own.count).map { cursor(value, text, $0) }
        }
    }

    /// The parameters that may take a value of this name, those of the same name before those that any may go to.
    private func places(for name: String) -> [Placement] {
        let rows = ProposalRow.rows(.member, name)
        let names = rows.dropLast().flatMap(\.parameters) + Self.ownNames(name) + (rows.last?.parameters ?? [])
        // A query in GraphQL binds variables to the argument of a cursor, whatever they are called.
        return request.variables(of: ["after", "cursor"]) + request.places(names)
    }

    /// The likeliest place alone, since services that know no other parameters refuse them, then the others at once.
    private func split(_ places: [Placement], _ certain: Int) -> [[Placement]] {
        let count = max(certain, 1)
        return (places.prefix(count).map { [$0] } + [Array(places.dropFirst(count))]).filter { !$0.isEmpty }
    }

    /// `nextPageToken` goes to `pageToken`.
    private static func ownNames(_ name: String) -> [String] {
        let start = ["next", "Next", "end", "search-"].first(where: name.hasPrefix) ?? ""
        let rest = name.dropFirst(start.count).drop { "_-.".contains($0) }
        return [rest.prefix(1).lowercased() + rest.dropFirst(), name].filter { !$0.isEmpty }.withoutRepeats
    }

    /// The last record's id, which requests the page after it.
    var lastRecord: [Proposal] {
        let text = start.text
        let ids = start.page.records.suffix(2).compactMap { record in
            id.flatMap { JSONTree.scalar(at: $0, in: text.span.extracting(record.range)) }
        }
        guard let id, let path = place.lastRecord, let value = ids.last else { return [] }
        let next = path + id.path.dropFirst()
        var pagination = LearntPagination(type: .cursor, next: .string(next))
        // It comes with each page, so only a flag says that none follows.
        pagination.more = flag?.path
        let own = [typed].compactMap(\.self) + recorded.places(of: value)
        let usual = ProposalRow.rows(.record, "id").map { request.places($0.parameters) }
        return ([own] + usual).filter { !$0.isEmpty }.map { places in
            let earlier = Int(value).flatMap { _ in ids.first }
            return Proposal(kind: .lead(pagination), places: places, text: next, value: value, earlier: earlier)
        }
    }

    // MARK: Numbers

    /// The parameters in the URLs of the response that have a number, as they may request any page.
    private var shownNumbers: [Proposal] {
        let targets = start.response.headers.values("Link").flatMap { WebLink.links(in: $0).links.map(\.target) }
        let parameters = (targets + start.values.compactMap(\.link)).flatMap(ListRequest.parameters)
        return parameters.compactMap { parameter in
            guard Int(parameter.value) != nil, request.size?.place != .query(parameter.name) else { return nil }
            return numbered(.query(parameter.name), as: parameter.name)
        }
    }

    /// A number beside the records that is called as the parameter of a page is, and is that of the first one.
    private var echoed: [Proposal] {
        let firsts = start.values.filter { $0.rank == 2 }.filter { [0, 1].contains($0.number) }
        return firsts.flatMap { value -> [Proposal] in
            // Strapi has the names of objects in those of parameters.
            let isStrapi = value.names.dropLast().last == "pagination"
            let names = isStrapi ? ["pagination[\(value.name)]", value.name] : [value.name]
            return request.places(names).prefix(2).compactMap { numbered($0, as: value.name) }
        }
    }

    private func numbered(_ place: Placement, as name: String) -> Proposal? {
        if UsualNames.is(name, .page) { return Proposal(kind: .page, places: [place]) }
        guard UsualNames.is(name, .offset) else { return nil }
        return Proposal(kind: .offset, places: [place])
    }

    /// What was a position in the request.
    private var typedNumbers: [Proposal] {
        guard let typed, !UsualNames.is(typed.name, .cursor) else { return [] }
        return [numbered(typed, as: typed.name) ?? Proposal(kind: .number(1), places: [typed])]
    }

    /// Numbers of the request that have no known name: filters, or what selects a page.
    private var requestNumbers: [Proposal] {
        let others = request.parameters.filter { $0.place != request.size?.place }
        return others.compactMap { parameter in
            guard let number = Int(parameter.value), number >= 0, number != start.count else { return nil }
            let place = parameter.place
            return numbered(place, as: place.name) ?? Proposal(kind: .number(number), places: [place])
        }
    }
}

extension [ListRequest] {
    func places(of value: String) -> [Placement] {
        // The 50th record often has the id 50.
        let own = flatMap(\.parameters).filter { $0.value == value }
        return own.filter { !UsualNames.is($0.name, .size) }.map(\.place).withoutRepeats
    }
}
