// Services leave out a list that is empty: the last page, or that of a parent without children, has its other members or is
// `{}`. A page of an error lacks the list too, but it has none of those members.

import PipelineCore
import PipelineHTTP

/// What the answers of one description have beside their lists.
struct ListPromise: Sendable {
    /// When an answer may lack what leads to its records.
    enum Lack: Sendable {
        case never
        /// Where a wildcard or filter follows: it is a later page, or that of a search.
        case laterPage
        /// It is the first page of one of many lists.
        case oneOfMany
    }

    private let path: JSONPath
    private let isOpen: Bool
    /// The members of the first answer that has the list. Nil before that.
    private var known: Set<String>?
    /// Those of answers before, which lack it.
    private var lacking: Set<String> = []
    private var hasLacked = false
    /// The most members that an answer is known by.
    private static let nameLimit = 100

    init(_ path: JSONPath) {
        self.path = path
        isOpen = path.fixedPart != nil
    }

    /// Answers lacked the list, and none had it.
    var isUnkept: Bool { hasLacked && known == nil }

    func allows(_ lack: Lack) -> Bool {
        switch lack {
        case .never: false
        case .laterPage: isOpen
        case .oneOfMany: true
        }
    }

    /// Adds a checked answer.
    /// - Throws: `.broken` if it lacks the list and has none of the members of the others.
    mutating func enter(_ body: Span<UInt8>, isLacking: Bool) throws(SourcePage.Fault) {
        guard isLacking || known == nil else { return }
        let names = Set(JSONDocument.memberNames(of: body, limit: Self.nameLimit))
        guard isLacking else {
            known = names
            if !lacking.isEmpty, lacking.isDisjoint(with: names) {
                throw .broken(
                    "\(lacking.sorted().joined(separator: ", ")) in earlier answers, but no '\(path.text)'")
            }
            return
        }
        hasLacked = true
        if body.isEmptyContainer { return }
        if let known {
            guard !known.isDisjoint(with: names) else { throw .missing(path, in: body) }
        } else {
            guard !names.isEmpty else { throw .missing(path, in: body) }
            lacking.formUnion(names)
        }
    }
}
