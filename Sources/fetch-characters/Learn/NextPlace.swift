// What an envelope shows to somebody who doesn't know the service: the places that may lead to the next page, the parameters
// of its links, and the totals.

import PipelineCore
import PipelineHTTP

struct NextPlace: Sendable {
    let pagination: LearntPagination
    let text: String
    /// It is the number of the next page or record, which a parameter may do without it.
    var isNumber = false
}

extension Envelope {
    /// What may lead to the next page, in the order in which it is tried.
    /// - Parameters:
    ///   - request: for the list.
    ///   - recorded: requests of a recording. A parameter of theirs with a value of this answer got it from there.
    func nexts(of request: ListRequest, typed: PageParameter? = nil, recorded: [ListRequest] = []) -> [NextPlace] {
        var places: [NextPlace] = []
        if linkTarget != nil {
            places.append(
                NextPlace(pagination: LearntPagination(type: .linkHeader), text: "the URL in the header Link"))
        }
        for value in values where value.isUsable && value.isLink(within: list) {
            let next = value.header == nil ? .string(value.path ?? "") : value.location
            places.append(
                NextPlace(
                    pagination: LearntPagination(type: .nextURL, next: next),
                    text: "the URL \(value.header == nil ? "at" : "in") \(value.text)"))
        }
        if let several { places.append(several) }
        let own = typed.flatMap { $0.kind == .cursor ? [$0.place] : nil } ?? []
        for value in values where value.header == nil && value.isUsable {
            // A request may be repeated.
            let known = value.value.text.map { list.values.contains($0) ? [] : recorded.places(of: $0) } ?? []
            guard value.isCursor || !known.isEmpty else { continue }
            let path = value.path ?? ""
            places += (known + own + request.places(Self.parameterNames(value.name))).withoutRepeats.map {
                NextPlace(
                    pagination: LearntPagination(type: .cursor, places: [$0], next: .string(path)),
                    text: "\($0.name), from \(path)",
                    isNumber: value.value.wholeNumber != nil && !WellKnownNames.has(value.plain, .mark))
            }
        }
        return places
    }

    /// What says that no other page follows, and would tell of one, as `more` of a description.
    var growth: String? {
        let own = values.filter { $0.header == nil && $0.isUsable }
        if let flag = own.first(where: { $0.moreFlag == false }) { return flag.path }
        for value in own {
            guard case .boolean(true) = value.value, WellKnownNames.is(value.name, .last) else { continue }
            return "$[?\(value.path ?? "$") == false]"
        }
        return own.first { WellKnownNames.isNext($0.plain) && !$0.value.isSomething }?.path
    }

    var links: [String] {
        [linkTarget].compactMap(\.self) + values.filter { $0.isLink(within: list) }.compactMap(\.value.text)
    }

    /// The next page by the header Link. Nil also for a header that can't be read: nothing is learnt from it.
    private var linkTarget: String? { try? WebLink.next(in: linkFields) }

    /// MediaWiki's `"continue":{"gcmcontinue":"…","continue":"…"}`: the next page needs all of these values.
    private var several: NextPlace? {
        let parts = values.filter(\.isPartOfSeveral)
        // More would be no cursor.
        guard !parts.isEmpty, parts.count <= 8, parts.allSatisfy({ $0.value.scalar != nil }) else { return nil }
        let paths = parts.map { (name: $0.name, value: JSONTree.string($0.path ?? "")) }
        return NextPlace(
            pagination: LearntPagination(
                type: .cursor, places: parts.map { .query($0.name) }, next: .object([("values", .object(paths))])),
            text: "\(parts.map(\.name).joined(separator: " and ")), from $.continue")
    }

    /// The parameters that a cursor may belong to: `nextPageToken` to `pageToken`, `endCursor` to `after`.
    private static func parameterNames(_ name: String) -> [String] {
        let plain = WellKnownNames.plain(name)
        guard plain != "endcursor" else { return ["after", "cursor"] }
        // What the end of a name stands for most often comes before the other usual ones.
        let ends = [
            "batch": ["since"], "token": ["page_token", "pagination_token", "from"],
            "nextcursor": ["start_cursor"],
        ]
        let likely = ends.first { plain.hasSuffix($0.key) }?.value ?? []
        let usual = likely + ["cursor", "after", "from", "since", "page_token", "page", "start_cursor"]
        var rest = name
        // Wikidata's `search-continue`.
        for prefix in ["next", "Next", "end", "search-"] where rest.hasPrefix(prefix) {
            rest.removeFirst(prefix.count)
        }
        rest = String(rest.drop { $0 == "_" || $0 == "-" || $0 == "." })
        let lowered = rest.prefix(1).lowercased() + rest.dropFirst()
        return ([lowered, name] + usual).filter { !$0.isEmpty }.withoutRepeats
    }

    /// The parameters that the links of the response have, and those that it repeats.
    func parameters(of request: ListRequest) -> [PageParameter] {
        let targets = linkFields.flatMap { WebLink.links(in: $0).links.map(\.target) }
        let written = (targets + values.compactMap(\.value.text)).flatMap(PageParameter.all)
        let echoed = values.flatMap { value -> [PageParameter] in
            guard value.isUsable || value.header != nil, let number = value.value.wholeNumber, number <= 1 else {
                return []
            }
            let isPage = WellKnownNames[.page].contains(value.plain) || value.plain == "number"
            guard isPage || WellKnownNames[.offset].contains(value.plain) else { return [] }
            // Strapi and Magento have the names of objects in those of parameters.
            let outer = value.names.dropLast().last ?? ""
            let names =
                outer == "search_criteria"
                ? ["searchCriteria[currentPage]"]
                : (["currentpage", "number"].contains(value.plain) ? ["page"] : [])
                    + (outer == "pagination" ? ["pagination[\(value.name)]"] : []) + [value.name]
                    + (value.plain == "pageindex" ? ["p"] : [])
            return request.places(names).prefix(2).map { PageParameter($0, isPage ? .page : .offset) }
        }
        return written + echoed
    }

    /// The places of totals, the likeliest first, and of those that are as likely the first one.
    var totals: [TotalPlace] {
        var places: [[TotalPlace]] = [[], [], []]
        // Bitbucket's `size` is of the list, and its `pagelen` of a page.
        let hasLength = values.contains { $0.plain == "pagelen" }
        for place in values where place.isUsable {
            let names = hasLength && place.plain == "size" ? ["total"] : place.names
            guard let value = place.value.wholeNumber, value > 0,
                let (unit, rank) = TotalPlace.meaning(of: names), !isCapped(place), !isEchoOfSize(place)
            else { continue }
            places[rank].append(TotalPlace(place: place, value: value, unit: unit))
        }
        return Array(places.joined())
    }
}

extension [ListRequest] {
    func places(of value: String) -> [Placement] {
        // The 50th record often has the id 50.
        flatMap(\.parameters).filter { $0.value == value && !WellKnownNames.is($0.name, .size) }.map(\.place)
            .withoutRepeats
    }
}
