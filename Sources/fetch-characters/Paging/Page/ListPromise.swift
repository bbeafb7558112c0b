// Decides whether a page without its list is an empty one, as services leave out a list that is empty: such a page has its
// other members, or is `{}`. A page of an error lacks the list too, but has none of those members.

import PipelineCore

struct ListPromise: Sendable {
    private let path: JSONPath
    private let hasIDs: Bool
    /// The members of the first response that has the list. Nil before that.
    private var known: Set<String>?
    /// Those of responses before, which lack it.
    private var lacking: Set<String> = []
    private var hasLacked = false
    /// The members of the first record of an array.
    private(set) var ofRecord: Set<String>?
    /// Those of an object in place of an array that isn't surely a record.
    private var ofObject: Set<String>?
    /// The most members that a response is known by.
    static let nameLimit = 100

    /// - Parameter hasIDs: all records have them.
    init(_ path: JSONPath, hasIDs: Bool) { (self.path, self.hasIDs) = (path, hasIDs) }

    /// Answers lacked the list, and none had it.
    var isUnkept: Bool { hasLacked && known == nil }

    /// - Throws: `.broken` if it lacks the list and has none of the members of the others.
    mutating func enter(_ body: Span<UInt8>, isLacking: Bool) throws(Page.Fault) {
        guard isLacking || known == nil else { return }
        let names = Set(JSONDocument.memberNames(of: body, limit: Self.nameLimit))
        guard isLacking else {
            known = names
            if !lacking.isEmpty, lacking.isDisjoint(with: names) {
                throw .broken(
                    "\(lacking.sorted().joined(separator: ", ")) in earlier responses, but no '\(path.text)'")
            }
            return
        }
        hasLacked = true
        if body.isEmptyContainer { return }
        let isPage = known.map { !$0.isDisjoint(with: names) } ?? !names.isEmpty
        guard isPage else { throw .missing(path, in: body) }
        lacking.formUnion(names)
    }

    /// Adds the first record of an array, or an object in its place: a single record, or what a service says of an error.
    /// - Throws: `.broken` if there were both, and the object isn't a record like the other.
    mutating func enter(_ record: Span<UInt8>, isAlone: Bool) throws(Page.Fault) {
        let names = Set(JSONDocument.memberNames(of: record, limit: Self.nameLimit))
        if isAlone { ofObject = names } else { ofRecord = names }
        guard let ofRecord, let ofObject, hasIDs || ofRecord.isDisjoint(with: ofObject) else { return }
        let shown = ofObject.sorted().prefix(8).joined(separator: ", ")
        throw .broken(
            "an object\(shown.isEmpty ? "" : " with \(shown)"), where other responses have an array, in '\(path.text)'"
        )
    }
}
