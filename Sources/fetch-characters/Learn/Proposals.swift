// The ways that may lead from one page of a list to the next, in the order in which they are tried: what the response holds,
// numbers of the request, the usual names.

import PipelineCore
import PipelineHTTP

struct Proposal: Sendable {
    enum Kind: Sendable {
        case page
        case offset
        /// A number of the request may be either.
        case number(Int)
        /// The response gives the position of the next page.
        case lead(LearntPagination)
    }

    let kind: Kind
    /// Where a position may go. Of several one takes it, and all are tried at once. None for links.
    var places: [Placement]
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
        return first.name + others + (text.isEmpty ? "" : ", from \(text)")
    }

    func with(_ place: Placement) -> Proposal {
        Proposal(kind: kind, places: [place], text: text, value: value, earlier: earlier)
    }
}

/// What proposals are made from.
struct ProposalInput {
    let request: ListRequest
    let start: LearntPage
    let place: RecordsPlace
    /// The path to the records' ids.
    let id: [JSONLocation.PathStep]?
    /// A parameter of the request whose value was a position.
    let typed: Placement?
    /// Requests of a recording. A parameter of theirs with a value of this response got it from there.
    let recorded: [ListRequest]

    var all: [Proposal] {
        let shown = bodyChanges + links + [several].compactMap(\.self) + typedNumbers + echoed
        let likely = cursors(ranks: 0...0) + shownNumbers
        let usual = rows(.parameter, request.size?.place.name) + rows(.list, place.names.joined(separator: "."))
        let nothing = ProposalRow.rows(.nothing, "").compactMap(proposal)
        let others = cursors(ranks: 1...1)
        let isFlagged = start.values.contains { $0.value.flag == true && $0.header == nil }
        let known = isFlagged ? lastRecord : []
        return Self.withoutRepeats(
            shown + likely + known + usual + nothing.prefix(2) + requestNumbers + others + nothing.dropFirst(2)
                + cursors(ranks: 2...2))
    }

    /// Whether a field Link leads to a next page.
    var isLinked: Bool { (try? WebLink.next(in: start.response.headers.values("Link"))).flatMap(\.self) != nil }

    /// Whether the response holds what likely leads to another page.
    var leadsOn: Bool {
        let hasLink = start.values.contains { value in
            value.rank < 2
                && value.link.map { request.leadsOn($0, from: start.response.url, rank: value.rank) } ?? false
        }
        return hasLink || isLinked || several != nil || !cursors(ranks: 0...0).isEmpty
    }

    /// Each place once for each kind.
    private static func withoutRepeats(_ proposals: [Proposal]) -> [Proposal] {
        var seen: Set<String> = []
        return proposals.compactMap { proposal in
            let kind =
                switch proposal.kind {
                case .page: "page"
                case .offset: "offset"
                case .number: "number"
                case .lead: proposal.text
                }
            let fresh = proposal.places.filter { seen.insert("\(kind) \($0)").inserted }
            guard proposal.places.isEmpty || !fresh.isEmpty else { return nil }
            var rest = proposal
            rest.places = fresh
            return rest
        }
    }

    private func rows(_ seen: ProposalRow.Seen, _ name: String?) -> [Proposal] {
        name.map { ProposalRow.rows(seen, $0).compactMap(proposal) } ?? []
    }

    /// In a body that names its variables others are refused.
    private func proposal(_ row: ProposalRow) -> Proposal? {
        let places = request.places(row.parameters)
        guard !places.isEmpty else { return nil }
        return Proposal(kind: row.kind == .page ? .page : .offset, places: places)
    }

    // MARK: What the response holds

    private var links: [Proposal] {
        var found: [(rank: Int, proposal: Proposal)] = []
        if isLinked {
            let pagination = LearntPagination(type: .linkHeader)
            found.append((-1, Proposal(kind: .lead(pagination), places: [], text: "the URL in the header Link")))
        }
        for value in start.values {
            guard let link = value.link, request.leadsOn(link, from: start.response.url, rank: value.rank) else {
                continue
            }
            let pagination = LearntPagination(type: .nextURL, next: value.next)
            let proposal = Proposal(
                kind: .lead(pagination), places: [], text: "the URL at \(value.text)", value: link)
            found.append((value.rank, proposal))
        }
        return Self.sorted(found)
    }

    private static func sorted(_ found: [(rank: Int, proposal: Proposal)]) -> [Proposal] {
        found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.proposal)
    }

    /// A link with a body for the next request: what differs from the body of the first one is the cursor.
    private var bodyChanges: [Proposal] {
        let sent = request.parameters
        return start.values.compactMap { value in
            guard let place = value.place, let text = value.value.scalar, value.rank < 3,
                !sent.contains(where: { $0.place == place && $0.value == text })
            else { return nil }
            let pagination = LearntPagination(type: .cursor, next: value.next)
            return Proposal(kind: .lead(pagination), places: [place], text: value.text, value: text)
        }
    }

    /// MediaWiki's `"continue":{"gcmcontinue":"…","continue":"…"}`: the next page needs all of these values.
    private var several: Proposal? {
        let parts = start.values.filter { $0.header == nil && $0.names.dropLast().last == "continue" }
        // More would be no cursor.
        guard !parts.isEmpty, parts.count <= 8, parts.allSatisfy({ $0.value.scalar != nil }) else { return nil }
        let paths = parts.map { (name: $0.name, value: JSONTree.string($0.path ?? "")) }
        let pagination = LearntPagination(
            type: .cursor, places: parts.map { .query($0.name) }, next: .object([("values", .object(paths))]))
        return Proposal(kind: .lead(pagination), places: [], text: "the values at $.continue")
    }

    /// Texts, and numbers whose name says that they are the next page's, that the request doesn't have.
    private func cursors(ranks: ClosedRange<Int>) -> [Proposal] {
        let sent = Set(request.parameters.map(\.value))
        var found: [(rank: Int, proposal: Proposal)] = []
        for value in start.values where value.header == nil && value.place == nil && ranks.contains(value.rank) {
            let isNumber = value.value.text == nil && value.rank == 0 && value.value.wholeNumber ?? 0 > 0
            guard let text = value.token ?? (isNumber ? value.value.scalar : nil) else { continue }
            let own = recorded.places(of: text) + [typed].compactMap(\.self)
            guard !own.isEmpty || !sent.contains(text), !value.names.contains("continue") else { continue }
            let names = ProposalRow.rows(.member, value.name)
            let parameters = names.dropLast().flatMap(\.parameters) + Self.ownNames(value.name)
            let places = own + bound + request.places(parameters + (names.last?.parameters ?? []))
            guard !places.isEmpty else { continue }
            let pagination = LearntPagination(type: .cursor, next: value.next)
            found += split(places.withoutRepeats, own.count).map { places in
                let rank = value.rank * 2 + (isNumber ? 1 : 0)
                return (rank, Proposal(kind: .lead(pagination), places: places, text: value.text, value: text))
            }
        }
        return Self.sorted(found)
    }

    /// The likeliest place alone, since services that know no other parameters refuse them, then the others at once.
    private func split(_ places: [Placement], _ certain: Int) -> [[Placement]] {
        let likeliest = places.prefix(max(certain, 1)).map { [$0] }
        let rest = Array(places.dropFirst(max(certain, 1)))
        return rest.isEmpty ? likeliest : likeliest + [rest]
    }

    /// `nextPageToken` goes to `pageToken`.
    private static func ownNames(_ name: String) -> [String] {
        var rest = name
        for prefix in ["next", "Next", "end", "search-"] where rest.hasPrefix(prefix) {
            rest.removeFirst(prefix.count)
        }
        rest = String(rest.drop { $0 == "_" || $0 == "-" || $0 == "." })
        let lowered = rest.prefix(1).lowercased() + rest.dropFirst()
        return [lowered, name].filter { !$0.isEmpty }.withoutRepeats
    }

    /// The variables that a query in GraphQL binds to the argument of a cursor, whatever they are called.
    private var bound: [Placement] { request.variables(of: ["after", "cursor"]) }

    /// The last record's id, which requests the page after it.
    var lastRecord: [Proposal] {
        let (text, values) = (start.text, start.page.records.suffix(2))
        let ids = values.compactMap { record in
            id.flatMap { AnswerValue.scalar(at: $0, in: text.span.extracting(record.range)) }
        }
        guard let id, let path = place.lastRecord, let value = ids.last else { return [] }
        let own = [typed].compactMap(\.self) + recorded.places(of: value)
        let next = path + JSONLocation.path(of: id, style: .rooted).dropFirst()
        var pagination = LearntPagination(type: .cursor, next: .string(next))
        // It comes with each page, so only a flag says that none follows.
        pagination.more = start.values.first { $0.value.flag == true && $0.header == nil }?.path
        return ([own] + ProposalRow.rows(.record, "id").map { request.places($0.parameters) }).filter {
            !$0.isEmpty
        }
        .map { places in
            let earlier = Int(value) == nil ? nil : ids.first
            return Proposal(kind: .lead(pagination), places: places, text: next, value: value, earlier: earlier)
        }
    }

    // MARK: Numbers

    /// The parameters in the URLs of the response that have a number, as they may request any page.
    private var shownNumbers: [Proposal] {
        let targets = start.response.headers.values("Link").flatMap { WebLink.links(in: $0).links.map(\.target) }
        let links = targets + start.values.compactMap(\.link)
        let parameters = links.flatMap { link in
            ListRequest.parameters(of: link).filter {
                Int($0.value) != nil && request.size?.place != .query($0.name)
            }
        }
        return parameters.compactMap { number(.query($0.name), $0.value, isKnown: true) }
    }

    /// A number beside the records that is called as the parameter of a page is, and is that of the first one.
    private var echoed: [Proposal] {
        start.values.flatMap { value -> [Proposal] in
            guard let number = value.value.wholeNumber, (0...1).contains(number), value.rank == 2 else { return [] }
            // Strapi has the names of objects in those of parameters.
            let outer = value.names.dropLast().last ?? ""
            let names = outer == "pagination" ? ["pagination[\(value.name)]", value.name] : [value.name]
            return request.places(names).prefix(2).compactMap { place in
                self.number(place, "\(number)", isKnown: true, as: value.name)
            }
        }
    }

    private func number(
        _ place: Placement, _ value: String, isKnown: Bool, as name: String? = nil
    ) -> Proposal? {
        guard let number = Int(value), number >= 0 else { return nil }
        let name = name ?? place.name
        if UsualNames.is(name, .page) { return Proposal(kind: .page, places: [place]) }
        if UsualNames.is(name, .offset) { return Proposal(kind: .offset, places: [place]) }
        return isKnown ? nil : Proposal(kind: .number(number), places: [place])
    }

    /// What was a position in the request.
    private var typedNumbers: [Proposal] {
        guard let typed, !UsualNames.is(typed.name, .cursor) else { return [] }
        return [number(typed, "1", isKnown: false)].compactMap(\.self)
    }

    /// Numbers of the request that have no known name: filters, or what selects a page.
    private var requestNumbers: [Proposal] {
        request.parameters.compactMap { parameter in
            parameter.place == request.size?.place || parameter.value == "\(start.count)"
                ? nil : number(parameter.place, parameter.value, isKnown: false)
        }
    }
}

extension [ListRequest] {
    func places(of value: String) -> [Placement] {
        // The 50th record often has the id 50.
        flatMap(\.parameters).filter { $0.value == value && !UsualNames.is($0.name, .size) }.map(\.place)
            .withoutRepeats
    }
}
