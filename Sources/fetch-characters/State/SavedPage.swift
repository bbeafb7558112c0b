// A page as the state notes it, so that a run that goes on judges the pages behind it as if it had read them itself.
//
//     {"records":50,"count":7438,"unseen":50,"distinct":50,"repeats":0,"content":"9f0c…","next":null}
//
// What says nothing is left out. `next` is where the page leads:
//
//     {"cursor":["\"QW5…\"",null]}     {"link":"https://api.example/list?page=2"}

import PipelineCore

extension PageFacts {
    var text: String {
        ByteBuffer.object { object in
            object.addMember("records", records)
            if listed != records { object.addMember("listed", listed) }
            object.addMember("count", count)
            object.addMember("least", least)
            object.addMember("flag", flag?.rawValue)
            object.addMember("unseen", unseen)
            object.addMember("distinct", distinct)
            object.addMember("repeats", repeats)
            if doubled != 0 { object.addMember("doubled", String(doubled, radix: 16)) }
            if let first { object.addMember("first", String(first, radix: 16)) }
            if let last { object.addMember("last", String(last, radix: 16)) }
            object.addMember("content", String(content, radix: 16))
            if let sequence { object.addMember("sequence", String(sequence, radix: 16)) }
            if isVaried { object.addMember("varied", true) }
            object.addMember("next", json: next?.json ?? "null")
            object.addMember("stride", stride?.rawValue)
            if leadsFurther { object.addMember("further", true) }
            object.addMember("kind", kind?.rawValue)
            if !valued.isEmpty {
                object.addMember("valued", json: JSONTree.array(valued.map { .string($0) }).json)
            }
            if outcome != .page { object.addMember("outcome", outcome.rawValue) }
        }.text
    }

    init?(_ tree: JSONTree, _ pagination: Pagination) {
        guard let records = tree["records"]?.count, let unseen = tree["unseen"]?.count,
            let distinct = tree["distinct"]?.count, let repeats = tree["repeats"]?.count, let next = tree["next"],
            let content = Self.hash(tree["content"]), let outcome = Self.word(tree["outcome"], or: Outcome.page)
        else { return nil }
        let counts = [tree["count"], tree["least"]].map { $0?.integer }
        guard counts.allSatisfy({ $0 ?? 0 >= 0 }) else { return nil }
        let position = PagePosition(next, pagination)
        if position == nil, next.kind != "null" { return nil }
        self.init(
            outcome: outcome, records: records, listed: tree["listed"]?.count ?? records, count: counts[0],
            least: counts[1], next: position, leadsFurther: tree["further"]?.boolean ?? false, unseen: unseen,
            distinct: distinct, repeats: repeats, doubled: Self.hash(tree["doubled"]) ?? 0,
            first: Self.hash(tree["first"]), last: Self.hash(tree["last"]), content: content,
            sequence: Self.hash(tree["sequence"]), isVaried: tree["varied"]?.boolean ?? false)
        flag = tree["flag"]?.string.flatMap { PageLead.Flag(rawValue: $0) }
        stride = tree["stride"]?.string.flatMap { PagePosition.Stride(rawValue: $0) }
        kind = tree["kind"]?.string.flatMap { PageBeside.Kind(rawValue: $0) }
        if case .array(let paths)? = tree["valued"] { valued = paths.compactMap(\.string) }
    }

    private static func hash(_ tree: JSONTree?) -> UInt64? { tree?.string.flatMap { UInt64($0, radix: 16) } }

    /// - Returns: nil for a word that isn't known.
    private static func word<Word: RawRepresentable>(_ tree: JSONTree?, or usual: Word) -> Word?
    where Word.RawValue == String {
        guard let tree else { return usual }
        return tree.string.flatMap { Word(rawValue: $0) }
    }
}

extension PagePosition {
    /// As a JSON object. Nil for positions that no page leads to.
    var json: String? {
        switch self {
        case .start, .number, .offset: nil
        case .cursor(let values):
            JSONTree.object([("cursor", .array(values.map { $0.map { .string($0.json) } ?? .null }))]).json
        case .link(let url): JSONTree.object([("link", .string(url))]).json
        }
    }

    /// - Returns: nil if it doesn't fit the pagination.
    init?(_ tree: JSONTree, _ pagination: Pagination) {
        switch pagination.kind {
        case .cursor(let cursors):
            guard case .array(let values)? = tree["cursor"], values.count == cursors.count else { return nil }
            self = .cursor(values.map { $0.string.flatMap { try? .read(Array($0.utf8).span) } })
        case .link:
            guard let url = tree["link"]?.string else { return nil }
            self = .link(url)
        case .none, .page, .offset: return nil
        }
    }
}
