// Finds values that have the same place in a request, or none. Of two with one place one would be lost, and a key be exposed.

import PipelineCore
import PipelineHTTP

struct PlacementCheck {
    struct Use {
        enum Role {
            case paging, cursor, search, each, since, key
            case fixed
        }

        let location: String
        let placement: Placement
        let role: Role

        /// The text of a search may be what --each gives, and a fixed parameter what others begin with.
        func givesWay(to use: Use) -> Bool {
            switch (role, use.role) {
            case (.search, .each): true
            case (.fixed, .cursor), (.fixed, .search), (.fixed, .each), (.fixed, .since):
                location.hasPrefix("$.query")
            default: false
            }
        }
    }

    let source: Source
    let findings: DescriptionFindings

    func check() {
        if let token = source.token { checkToken(token) }
        // The requests for pages of the list, and those for pages that a search has of its own.
        let list = findings.uses.filter { use in
            !["$.token", "$.search.pagination"].contains(where: use.location.hasPrefix)
        }
        let searched = findings.uses.filter { $0.location.hasPrefix("$.search.pagination") }
        let search = searched + list.filter { $0.role != .paging && $0.role != .cursor }
        check(source.search?.path == nil ? list : list.filter { $0.role != .search }, path: "$.path")
        if source.search?.path != nil || source.search?.pagination != nil {
            check(source.search?.pagination == nil ? list : search, path: "$.search.path")
        }
        for use in list + searched { checkBody(use, source.content, isPost: source.isPost) }
        BodyFit(findings).check(list + searched, source.content, of: "$.body")
        for use in list { checkPlaceholder(use) }
        if let later = source.pagination.later { checkLater(later, "$.pagination.later", list) }
        if let later = source.search?.pagination?.later { checkLater(later, "$.search.pagination.later", search) }
        if source.search?.path != nil, source.search?.pagination == nil, source.pagination.later?.path != nil {
            findings.add(
                "$.search.pagination", "is missing; later pages of a search aren't where those of the list are")
        }
    }

    /// A request for a token has what it sets by itself, and its keys.
    private func checkToken(_ token: Source.Token) {
        let keys = findings.uses.filter { $0.location.hasPrefix("$.token") }
        for use in keys { checkBody(use, token.content, isPost: token.isPost) }
        BodyFit(findings).check(keys, token.content, of: "$.token.body")
        checkClashes(token.ownUses + keys, with: token.fixedUses(keys))
    }

    private func checkLater(_ later: Pagination.Later, _ location: String, _ uses: [Use]) {
        switch (later.content, source.content) {
        case (nil, _): break
        case _ where !source.isPost:
            findings.add(location, "has a body, which GET has none of; add \"method\": \"POST\"")
        case (.json, .form), (.form, .json): findings.add(location, "has another kind of body than the first page")
        default: break
        }
        if let content = later.content { BodyFit(findings).check(uses, content, of: "\(location).body") }
        for use in uses {
            switch use.placement {
            case .query(let name) where use.role == .paging || use.role == .key:
                guard later.query?.contains(where: { $0.name == name }) == true else { continue }
                findings.add(use.location, "is a parameter of \(location).query too; each needs its own")
            case .path(let name) where use.role == .cursor || use.role == .paging:
                let texts =
                    [later.path ?? source.path] + (later.query ?? source.query).map(\.value)
                    + ((later.content ?? source.content)?.texts ?? []) + source.headers.map(\.value)
                guard !texts.contains(where: { Placeholders.names(in: $0).contains(name) }) else { continue }
                findings.add(location, "has no placeholder {\(name)} for \(use.location)")
            default: break
            }
        }
    }

    private func fixed(_ path: String) -> [Use] {
        let use = { (location: String, placement: Placement) in
            let location = DescriptionCheck.location(of: placement.name, in: location)
            return Use(location: location, placement: placement, role: .fixed)
        }
        var uses = source.query.map { use("$.query", .query($0.name)) }
        uses += source.headers.map { use("$.headers", .header($0.name)) }
        let text = path == "$.path" ? source.path : source.search?.path ?? source.path
        let query = text.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for parameter in query.split(separator: "&") {
            let name = HTTPURL.percentDecoded(String(parameter.prefix { $0 != "=" }))
            uses.append(Use(location: path, placement: .query(name), role: .fixed))
        }
        return uses
    }

    private func check(_ uses: [Use], path: String) { checkClashes(uses, with: fixed(path)) }

    private func checkClashes(_ uses: [Use], with fixed: [Use]) {
        for (index, use) in uses.enumerated() {
            let other = (uses[..<index] + fixed).first {
                $0.placement.clashes(with: use.placement) && !$0.givesWay(to: use)
            }
            guard let other else { continue }
            let mistake = "\(use.location): is the parameter of \(other.location) too; each needs its own"
            // A search with a path of its own is checked with the same values again.
            if !findings.mistakes.contains(mistake) { findings.mistakes.append(mistake) }
        }
    }

    /// A value can be in a body only if there is one of that kind.
    private func checkBody(_ use: Use, _ content: RequestContent?, isPost: Bool) {
        switch (use.placement, content) {
        case (.body, _) where !isPost, (.form, _) where !isPost:
            findings.add(use.location, "goes into a body, and GET has none; add \"method\": \"POST\"")
        case (.body, .form), (.form, .json):
            findings.add(use.location, "goes into another kind of body than the description has")
        default: break
        }
    }

    private func checkPlaceholder(_ use: Use) {
        guard let name = use.placement.placeholder else { return }
        let path = use.role == .search || use.location.hasPrefix("$.search") ? source.search?.path : nil
        let later = source.pagination.later
        let texts =
            [path ?? source.path, later?.path ?? ""] + (source.headers + source.query).map(\.value)
            + ([source.content, later?.content].flatMap { $0?.texts ?? [] }) + (later?.query ?? []).map(\.value)
        guard texts.contains(where: { Placeholders.names(in: $0).contains(name) }) else {
            return findings.add(use.location, "has no placeholder {\(name)} in the path")
        }
        if use.role == .cursor, !source.params.contains(where: { $0.name == name }) {
            findings.add(use.location, "needs {\(name)} in $.params, which has the first page's")
        }
        if use.role != .each, let item = source.item, Placeholders.names(in: item).contains(name) {
            findings.add("$.item", "has {\(name)}, which only lists have")
        }
    }
}
