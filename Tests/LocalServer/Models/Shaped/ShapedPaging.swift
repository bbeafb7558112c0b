// How a list of an API is paged: what the request's position means, and what the answer says about the next page.

import PipelineCore

struct ShapedPaging {
    enum Kind: String { case none, page, offset, cursor }

    /// What there is behind the last page.
    enum Past {
        case emptyPage
        case failure(ShapedFailure)
        /// The last page, again and again.
        case lastPage
    }

    let kind: Kind
    let place: RequestPlace?
    /// The number of the first page.
    private let first: Int
    /// What the first record is called where records are counted; 0 for nearly all.
    private let firstOffset: Int
    private let sizePlace: RequestPlace?
    private let size: Int
    /// The largest page that it gives, whatever was asked for.
    private let cap: Int
    let past: Past
    /// It gives no page behind this one, and says nothing about that before.
    private let last: Int?
    /// The last page has a cursor too, its own.
    private let isEndless: Bool
    /// What a request for a further page must have besides the cursor.
    private let together: [RequiredValue]

    init(_ value: JSONTree?, _ place: String) throws(ToolFailure) {
        let known = ["type", "parameter", "first", "size", "past", "last", "endless", "together"]
        let reader = try ShapeReader(value ?? .object([]), place, known: known)
        guard let kind = Kind(rawValue: try reader.text("type") ?? "none") else {
            throw reader.failure("type", "is not known")
        }
        self.kind = kind
        self.place = try reader.place("parameter")
        let first = try reader.number("first")
        self.first = kind == .offset ? 1 : first ?? 1
        firstOffset = kind == .offset ? first ?? 0 : 0
        let sizes = try ShapeReader(
            reader.value("size") ?? .object([]), "\(place).size", known: ["parameter", "value", "cap"])
        sizePlace = try sizes.place("parameter")
        size = try sizes.number("value") ?? 10
        cap = try sizes.number("cap") ?? 1000
        past =
            switch reader.value("past") {
            case nil: .emptyPage
            case .string("last-page")?: .lastPage
            case let value?: .failure(try ShapedFailure(value, "\(place).past"))
            }
        last = try reader.number("last")
        isEndless = try reader.flag("endless")
        together = try reader.elements("together") { (value, place) throws(ToolFailure) in
            try RequiredValue(value, place)
        }
    }

    /// The part of the list that is asked for, nil for a position that isn't one.
    func window(_ request: Request, _ captures: [String: String], count: Int) -> Window? {
        guard kind != .none else { return Window(offset: 0, size: count) }
        let asked = sizePlace.flatMap { $0.text(in: request, captures) }.flatMap { Int($0) }
        let size = min(max(1, asked ?? size), cap)
        let start = Window(offset: 0, size: size)
        guard let text = place.flatMap({ $0.text(in: request, captures) }) else { return start }
        switch kind {
        case .none: return nil
        case .page: return Int(text).map { .page($0 - first + 1, size: size) }
        case .offset: return Int(text).map { Window(offset: max(0, $0 - firstOffset), size: size) }
        case .cursor:
            guard text != "*", !text.isEmpty else { return start }
            guard together.allSatisfy({ $0.isThere(in: request, captures) }) else { return nil }
            return Self.offset(text).map { Window(offset: $0, size: size) }
        }
    }

    /// The window as it is answered; nil for one behind the end of a list that ends with a failure.
    func answered(_ window: Window, count: Int) -> Window? {
        if let last, window.page > last { return nil }
        guard window.offset >= window.total(count), window.offset > 0 else { return window }
        switch past {
        case .emptyPage: return window
        case .failure: return nil
        case .lastPage: return .page(pages(window, count), size: window.size)
        }
    }

    private func pages(_ window: Window, _ count: Int) -> Int {
        max(1, (window.total(count) + window.size - 1) / max(1, window.size))
    }

    /// What the placeholders of an answer stand for.
    /// - Parameters:
    ///   - count: places in the list.
    ///   - total: records in it.
    func values(_ window: Window, count: Int, total: Int, _ request: Request) -> [String: JSONTree] {
        let hasNext = window.hasNext(count)
        var values: [String: JSONTree] = [
            "total": .integer(window.total(total)), "pages": .integer(pages(window, count)),
            "page": .integer(window.page + first - 1), "size": .integer(window.size),
            "offset": .integer(window.offset), "more": .boolean(hasNext), "last": .boolean(!hasNext),
        ]
        if hasNext || isEndless { values["cursor"] = .string(Self.cursor(min(window.end, window.total(count)))) }
        if hasNext {
            values["nextPage"] = .integer(window.page + first)
            values["next"] = link(window.page + first, window.end, request)
        }
        values["asked"] = place?.text(in: request, [:]).map { .string($0) }
        if window.offset > 0 {
            values["previous"] = link(window.page + first - 2, max(0, window.offset - window.size), request)
        }
        return values
    }

    /// The URL of the request with another position.
    private func link(_ page: Int, _ offset: Int, _ request: Request) -> JSONTree? {
        guard case .query(let name)? = place else { return nil }
        let position =
            switch kind {
            case .none, .page: "\(page)"
            case .offset: "\(offset)"
            case .cursor: Self.cursor(offset).replacing("+", with: "%2B").replacing("=", with: "%3D")
            }
        let others = request.rawQuery.split(separator: "&").filter { pair in
            Request.decoded(pair.prefix { $0 != "=" }) != name
        }
        let query = (others + ["\(name)=\(position)"]).joined(separator: "&")
        return .string("http://\(request.header("host") ?? "localhost")\(request.path)?\(query)")
    }

    /// With signs that must be escaped in a query.
    private static func cursor(_ offset: Int) -> String { "k+\(offset)==" }

    private static func offset(_ cursor: String) -> Int? {
        guard cursor.hasPrefix("k+"), cursor.hasSuffix("==") else { return nil }
        return Int(cursor.dropFirst(2).dropLast(2))
    }
}
