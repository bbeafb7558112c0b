// Decides what the request of a page has to say, its position in the list, and how one position differs from another.

import PipelineCore
import PipelineHTTP

enum PagePosition: Hashable, Sendable {
    /// The list itself, before any page has given the position of the next.
    case start
    case number(Int)
    /// The number of records before it, or that of its first record.
    case offset(Int)
    /// The values of the pagination's cursors, at least one. Nil for one that the previous page didn't give.
    case cursor([JSONTree?])
    /// The URL of the next page: as the API wrote it, then as it is requested.
    case link(String)
}

extension JSONTree: Hashable {
    static func == (left: JSONTree, right: JSONTree) -> Bool { left.json == right.json }

    func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension PagePosition {
    /// The number that requests it, or else 0.
    var count: Int {
        switch self {
        case .number(let count), .offset(let count): count
        case .start, .cursor, .link: 0
        }
    }

    /// How the position that a page gives differs from its own.
    enum Stride: String, Sendable {
        /// In a number, of pages or records: it leads elsewhere once the list has changed.
        case number
        /// In what the service alone understands.
        case token
        /// In both. A first page's link has besides the position what the service assumes without it, as `format=json`.
        case unclear
    }

    /// - Parameter url: of the page that gave it.
    func stride(from url: HTTPURL) -> Stride? {
        switch self {
        case .start: return nil
        case .number, .offset: return .number
        case .cursor(let values):
            return values.contains { $0.map { Self.isNumber($0.text) } ?? false } ? .number : .token
        case .link(let next):
            let old = Set(Self.pieces(of: url.text))
            let changed = Self.pieces(of: next).filter { !old.contains($0) }
            let numbers = changed.count { Self.isNumber($0.value) }
            if numbers == 0 { return .token }
            return numbers == changed.count ? .number : .unclear
        }
    }

    private static func isNumber(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private struct Piece: Hashable {
        let name: Substring
        let value: Substring
    }

    /// The segments of the path, without names, and the parameters of the query.
    private static func pieces(of url: String) -> [Piece] {
        let parts = url.split(separator: "?", maxSplits: 1)
        let segments = parts[0].split(separator: "/").map { Piece(name: "", value: $0) }
        let parameters = parts.dropFirst().flatMap { $0.split(separator: "&") }.map { parameter in
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Piece(name: pair[0], value: pair.count > 1 ? pair[1] : "")
        }
        return segments + parameters
    }
}

extension Pagination {
    var first: PagePosition { position(pagesBefore: 0) ?? .start }

    /// Nil if only the previous page leads to it.
    /// - Parameter offset: of the page, where offsets request it; nil for the first.
    func position(pagesBefore pages: Int, offset: Int? = nil) -> PagePosition? {
        switch kind {
        case .page(_, let first): .number(first + pages)
        case .offset(_, let first): .offset(offset ?? first)
        case .none, .cursor, .link: nil
        }
    }
}
