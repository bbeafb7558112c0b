// No two values of a request may have the same place: one of them would be lost, and a key be exposed. Each mistake
// names both.

import PipelineCore
import PipelineHTTP

/// Checks the places of a source's values.
struct PlacementCheck {
    /// A value, where the description speaks of it, and its place.
    private struct Use {
        enum Role {
            case paging, cursor, search, each, since, key
            /// Something that the description fixes.
            case fixed
        }

        let location: String
        let placement: Placement
        let role: Role
    }

    private let source: Source
    private let mistakes: DescriptionErrors

    init(_ source: Source, _ mistakes: DescriptionErrors) {
        self.source = source
        self.mistakes = mistakes
    }

    func check() {
        let list = paging(source.pagination, "$.pagination")
        let values = values + keys
        check(list + (source.search?.path == nil ? values : values.filter { $0.role != .search }), path: "$.path")
        if source.search?.path != nil || source.search?.pagination != nil {
            let searched = source.search?.pagination.map { paging($0, "$.search.pagination") } ?? list
            check(searched + values, path: "$.search.path")
        }
        for use in list + values { checkMethod(use) }
        for (pagination, location) in [(source.pagination, "$"), (source.search?.pagination, "$.search")] {
            guard let pagination, let later = pagination.later else { continue }
            checkLater(
                later, location + ".pagination.later", paging(pagination, location + ".pagination") + values)
        }
        if source.search?.path != nil, source.search?.pagination == nil, source.pagination.later?.path != nil {
            mistakes.add(
                "$.search.pagination", "is missing; later pages of a search aren't where those of the list are")
        }
    }

    /// Requests for later pages have the same values.
    private func checkLater(_ later: Pagination.Later, _ location: String, _ uses: [Use]) {
        switch (later.content, source.content) {
        case (nil, _): break
        case _ where !source.isPost:
            mistakes.add(location, "has a body, which GET has none of; add \"method\": \"POST\"")
        case (.json, .form), (.form, .json): mistakes.add(location, "has another kind of body than the first page")
        default: break
        }
        for use in uses {
            switch use.placement {
            case .query(let name) where use.role == .paging || use.role == .key:
                guard later.query?.contains(where: { $0.name == name }) == true else { continue }
                mistakes.add(use.location, "is a parameter of \(location).query too; each needs its own")
            case .path(let name) where use.role == .cursor || use.role == .paging:
                let texts =
                    [later.path ?? source.path] + (later.query ?? source.query).map(\.value)
                    + ((later.content ?? source.content)?.texts ?? []) + source.headers.map(\.value)
                guard !texts.contains(where: { Placeholders.names(in: $0).contains(name) }) else { continue }
                mistakes.add(location, "has no placeholder {\(name)} for \(use.location)")
            default: break
            }
        }
    }

    private func paging(_ pagination: Pagination, _ location: String) -> [Use] {
        let placements = pagination.pagePlacements
        let role: Use.Role = if case .cursor = pagination.kind { .cursor } else { .paging }
        var uses = placements.map { placement in
            let isOnly = placements.count == 1
            return Use(
                location: isOnly
                    ? location + ".parameter"
                    : DescriptionCheck.location(of: placement.name, in: location + ".next.values"),
                placement: placement, role: role)
        }
        if let size = pagination.size {
            uses.append(Use(location: location + ".size.parameter", placement: size.parameter, role: .paging))
        }
        return uses
    }

    private var values: [Use] {
        let search = source.search.map {
            [Use(location: "$.search.parameter", placement: $0.parameter, role: .search)]
        }
        let each = source.each.map { each in
            let isOnly = source.each.count == 1 && each.name == each.placement.name
            return Use(
                location: DescriptionCheck.location(of: isOnly ? "parameter" : each.name, in: "$.each"),
                placement: each.placement, role: .each)
        }
        var since: [Use] = []
        if case .parameter(let placement, _)? = source.since?.means {
            since = [Use(location: "$.since.parameter", placement: placement, role: .since)]
        }
        return (search ?? []) + each + since
    }

    private var keys: [Use] {
        source.keys.map { Use(location: $0.placementLocation, placement: $0.placement, role: .key) }
    }

    /// What the description itself has in a request.
    private func fixed(_ path: String) -> [Use] {
        var uses: [Use] = []
        for (name, parameters) in [("query", source.query), ("headers", source.headers)] {
            for parameter in parameters {
                let placement = name == "query" ? Placement.query(parameter.name) : .header(parameter.name)
                let location = DescriptionCheck.location(of: parameter.name, in: "$." + name)
                uses.append(Use(location: location, placement: placement, role: .fixed))
            }
        }
        let text = path == "$.path" ? source.path : source.search?.path ?? source.path
        let query = text.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for parameter in query.split(separator: "&") {
            let name = HTTPURL.percentDecoded(String(parameter.prefix { $0 != "=" }))
            uses.append(Use(location: path, placement: .query(name), role: .fixed))
        }
        return uses
    }

    private func check(_ uses: [Use], path: String) {
        for (index, use) in uses.enumerated() {
            let others = uses[..<index].filter { other in
                // The text of a search may be what --each gives.
                !(other.role == .search && use.role == .each)
            }
            if let other = others.first(where: { $0.placement.clashes(with: use.placement) }) {
                mistake(use, other)
            } else if let other = fixed(path).first(where: { $0.placement.clashes(with: use.placement) }),
                !isFirstValue(other, of: use)
            {
                mistake(use, other)
            }
        }
    }

    private func mistake(_ use: Use, _ other: Use) {
        let text = "is the parameter of \(other.location) too; each needs its own"
        // A search with a path of its own is checked with the same values again.
        if !mistakes.all.contains("\(use.location): \(text)") { mistakes.add(use.location, text) }
    }

    /// Whether a fixed parameter is only what a cursor, a search or `--each` begins with.
    private func isFirstValue(_ fixed: Use, of use: Use) -> Bool {
        guard fixed.location.hasPrefix("$.query") else { return false }
        switch use.role {
        case .cursor, .search, .each, .since: return true
        case .paging, .key, .fixed: return false
        }
    }

    /// A value can be in a body only if there is one of that kind.
    private func checkMethod(_ use: Use) {
        switch (use.placement, source.content) {
        case (.body, _) where !source.isPost, (.form, _) where !source.isPost:
            mistakes.add(use.location, "goes into a body, and GET has none; add \"method\": \"POST\"")
        case (.body, .form), (.form, .json):
            mistakes.add(use.location, "goes into another kind of body than the description has")
        case (.path(let name), _): checkPlaceholder(name, use)
        default: break
        }
    }

    private func checkPlaceholder(_ name: String, _ use: Use) {
        let path = use.role == .search || use.location.hasPrefix("$.search") ? source.search?.path : nil
        let later = source.pagination.later
        let texts =
            [path ?? source.path, later?.path ?? ""] + (source.headers + source.query).map(\.value)
            + ([source.content, later?.content].flatMap { $0?.texts ?? [] }) + (later?.query ?? []).map(\.value)
        guard texts.contains(where: { Placeholders.names(in: $0).contains(name) }) else {
            return mistakes.add(use.location, "has no placeholder {\(name)} in the path")
        }
        if use.role == .cursor, !source.params.contains(where: { $0.name == name }) {
            mistakes.add(use.location, "needs {\(name)} in $.params, which has the first page's")
        }
        if use.role != .each, let item = source.item, Placeholders.names(in: item).contains(name) {
            mistakes.add("$.item", "has {\(name)}, which only lists have")
        }
    }
}
