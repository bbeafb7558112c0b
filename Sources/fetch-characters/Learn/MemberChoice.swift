// Which members of the records are the common ones: by their values first, by their names second. If two fit equally well, neither is taken.

import PipelineCore
import PipelineHTTP

struct MemberChoice {
    typealias Path = [JSONLocation.PathStep]

    /// The figures of one member, over the records that have a value there: a number, or a text that isn't empty.
    struct Figures: Sendable {
        var count = 0
        var numbers = 0
        /// Texts that are URLs, those within the API's origin, and those that are the path of one.
        var urls = 0
        var ownURLs = 0
        var paths = 0
        /// Texts with a `_` and without a space.
        var codes = 0
        /// Texts that end as the path of a picture does, and as that of any file which isn't a page.
        var pictures = 0
        var files = 0
        var bytes = 0
        var distinct: Set<Int> = []
        var sample = ""
    }

    /// A response with more than this has data here, not structure.
    private static let (memberLimit, recordLimit) = (2000, 30_000)
    /// As deep as `images.jpg.image_url`, or `images[0].url`.
    private static let depthLimit = 3
    /// Objects that hold the members of a record.
    private static let wrappings = [
        "attributes", "properties", "fields", "data", "links", "source", "sys", "document", "snippet", "volumeinfo",
        "track", "package", "show", "resource", "item", "record",
    ]

    private let origin: String
    /// Whether weak evidence is enough for an id: the total shows if one comes twice.
    private let isCounted: Bool
    private var records = 0
    private var figures: [Path: Figures] = [:]
    private var paths: [Path] = []

    init(origin: String, isCounted: Bool = true) {
        self.origin = origin
        self.isCounted = isCounted
    }

    init(_ pages: [LearntPage], isCounted: Bool = true) {
        self.init(origin: pages[0].response.url.origin, isCounted: isCounted)
        for page in pages {
            let text = page.text
            for record in page.page.records {
                if let value = try? AnswerValue.read(text.span.extracting(record.range)) { add(value) }
            }
        }
    }

    mutating func add(_ record: AnswerValue) {
        guard records < Self.recordLimit else { return }
        records += 1
        add(record, [])
    }

    private mutating func add(_ value: AnswerValue, _ path: Path) {
        switch value {
        case .object(let members, _, _):
            guard path.count < Self.depthLimit else { return }
            for member in members { add(member.value, path + [.name(member.name)]) }
        case .array(let elements, _, _):
            guard !path.isEmpty, path.count < Self.depthLimit, let first = elements.first else { return }
            add(first, path + [.index(0)])
        case .text(let text) where !text.isEmpty: count(text, isNumber: false, path)
        case .number(let text): count(text, isNumber: true, path)
        case .text, .boolean, .null: break
        }
    }

    private mutating func count(_ text: String, isNumber: Bool, _ path: Path) {
        if figures[path] == nil {
            guard paths.count < Self.memberLimit else { return }
            paths.append(path)
        }
        figures[path, default: Figures(sample: text)].add(text, isNumber, origin)
    }

    /// The path of a member, nil if none is surely it. A picture's has to be proved by its bytes.
    func path(of name: Source.CommonName) -> Path? {
        switch name {
        case .id: id
        case .name: text(UsualNames[.name], suffixes: ["name", "title"], least: 0.9)
        case .description: text(UsualNames[.description], suffixes: [], least: 0.5)
        case .imageURL: pictures.first
        case .pageURL: webPage
        }
    }

    static func text(of path: Path) -> String { JSONLocation.path(of: path, style: .short) }

    func sample(of path: Path) -> String { figures[path]?.sample ?? "" }

    func ownAddresses(in record: Span<UInt8>) -> [String] {
        let own = paths.filter { $0.count <= 2 && figures[$0]?.ownURLs == records }
        return own.compactMap { AnswerValue.scalar(at: $0, in: record) }
    }

    /// A member that says little but where more of the record is, if that is so.
    var addressOfMore: Path? {
        guard paths.count <= 3 else { return nil }
        return paths.first { path in
            guard let figures = figures[path] else { return false }
            return figures.ownURLs == records && figures.files == 0 && figures.distinct.count == records
        }
    }

    /// The members that have a rank, the lowest first, and of those that have the same the first one.
    private func ranked(_ rank: (Path, Figures) -> Int?) -> [(path: Path, rank: Int)] {
        let ranked = paths.compactMap { path in
            figures[path].flatMap { rank(path, $0) }.map { (path: path, rank: $0) }
        }
        return ranked.sorted { $0.rank < $1.rank }
    }

    /// The member of the lowest rank. Nil if there is none, or if several have it.
    private func best(_ rank: (Path, Figures) -> Int?) -> Path? {
        let ranked = ranked(rank)
        return ranked.count > 1 && ranked[0].rank == ranked[1].rank ? nil : ranked.first?.path
    }

    /// How well a member's names fit: an exact name at the top, in a wrapping, or the end of a name.
    private func fit(_ path: Path, _ names: [String], suffixes: [String] = []) -> Int? {
        // The first of several texts.
        let isFirst = path.last == .index(0)
        let steps = isFirst ? path.dropLast() : path[...]
        let plain = Self.plainNames(steps)
        guard case .name? = steps.last, let last = plain.last,
            plain.dropLast().allSatisfy({ $0.isEmpty || Self.wrappings.contains($0) })
        else { return nil }
        let depth = (steps.count - 1) * 100 + (isFirst ? 50 : 0)
        if let place = names.firstIndex(of: last) { return depth + place }
        return isFirst || !suffixes.contains(where: last.hasSuffix) ? nil : 1000 + depth
    }

    private static func plainNames(_ path: Path.SubSequence) -> [String] {
        path.compactMap { if case .name(let name) = $0 { UsualNames.plain(name) } else { nil } }
    }

    private func hasLeast(_ part: Double, _ figures: Figures) -> Bool {
        Double(figures.count) >= part * Double(records)
    }

    // MARK: Members

    /// A scalar that all records have, different in each.
    private var id: Path? {
        best { path, figures in
            guard figures.count == records, figures.distinct.count == records,
                figures.bytes <= 200 * figures.count, path.last != .index(0)
            else { return nil }
            // `id` before `_id`.
            if let fit = fit(path, UsualNames[.id]) { return 2 * fit + (path.last == .name("id") ? 0 : 1) }
            // So many different numbers are hardly anything else, as iTunes' `trackId`.
            let isNumbered = records >= 40 && figures.numbers == records && path.count == 1
            if isNumbered, let fit = fit(path, [], suffixes: ["id"]) { return 1000 + fit }
            guard isCounted, records >= 5 else { return nil }
            // The end of a name says little. Without any other id, a record's own address will do.
            if let fit = fit(path, UsualNames[.otherID], suffixes: ["id", "number", "key"]) {
                return 1000 + fit
            }
            return figures.urls == records && path == [.name("url")] ? 5000 : nil
        }
    }

    /// Words, of which there are several.
    private func text(_ names: [String], suffixes: [String], least: Double) -> Path? {
        best { path, figures in
            // A name may look like something else for once, and in lists of files always.
            let isOwn =
                !suffixes.isEmpty && names.prefix(2).contains(path.first?.plainName ?? "") && path.count == 1
            let others = isOwn ? 0 : figures.urls + figures.pictures
            let isText = 20 * (figures.numbers + others) <= figures.count
            let isVaried = figures.distinct.count > 1 || figures.count < 3
            guard isText, isVaried, hasLeast(least, figures) else { return nil }
            guard let fit = fit(path, names, suffixes: suffixes) else {
                return suffixes.isEmpty ? nil : Self.partOfName(path)
            }
            // Reddit's `name` is `t3_1abc`, beside its `title`.
            return fit + (figures.codes == figures.count ? 500 : 0)
        }
    }

    /// The rank of `name.full`, `name.common` and the like, after all other names.
    private static func partOfName(_ path: Path) -> Int? {
        let names = plainNames(path[...])
        guard path.count == 2, names.count == 2, ["name", "title"].contains(names[0]) else { return nil }
        return ["full", "common", "en", "english", "official", "rendered"].firstIndex(of: names[1]).map {
            $0 + 5000
        }
    }

    /// URLs that their names or ends say to be a picture's, the likeliest first. Of sizes named alike the first will do.
    var pictures: [Path] {
        ranked { path, figures in
            guard hasLeast(0.3, figures), figures.numbers == 0,
                [figures.urls, figures.pictures, figures.paths].contains(figures.count)
            else { return nil }
            return pictureRank(path, figures)
        }.map(\.path)
    }

    private func pictureRank(_ path: Path, _ figures: Figures) -> Int? {
        let names = Self.plainNames(path[...])
        let place = names.compactMap { name in
            UsualNames[.picture].firstIndex(of: name)
                ?? UsualNames[.picture].firstIndex(where: name.contains).map { $0 + 30 }
        }.min()
        // Whatever it is called, a URL that ends as a picture's does is one, or one beside no page's.
        let isBare =
            path == [.name("url")] && figures.files == 0 && figures.ownURLs == 0
            && figures.distinct.count * 2 > figures.count
        guard place != nil || figures.pictures * 2 > figures.count || isBare else { return nil }
        let sizes = ["url", "original", "full", "large", "lg", "regular", "normal", "medium", "src", "href", "web"]
        let size = path.count > 1 ? sizes.firstIndex(of: names.last ?? "") ?? sizes.count : 0
        return (place ?? (isBare ? 95 : 80)) * 100 + path.count * 20 + size + (figures.urls == 0 ? 50 : 0)
    }

    /// The address of a page for people: not the API's own, and another one in each record.
    private var webPage: Path? {
        best { path, figures in
            let names = Self.plainNames(path[...])
            guard figures.urls == figures.count, figures.ownURLs == 0, figures.files == 0,
                hasLeast(0.5, figures), figures.distinct.count * 10 >= figures.count * 9,
                !names.contains(where: { UsualNames[.picture].contains(where: $0.contains) })
            else { return nil }
            if names == ["links", "html"] || names == ["links", "web"] { return 60 }
            return fit(path, UsualNames[.webPage], suffixes: ["url", "uri", "link"])
        }
    }
}

extension JSONLocation.PathStep {
    fileprivate var plainName: String? { if case .name(let name) = self { UsualNames.plain(name) } else { nil } }
}

extension MemberChoice.Figures {
    private static let fileEndings = [".json", ".xml", ".csv", ".pdf", ".mp3", ".mp4", ".zip", ".txt"]

    fileprivate mutating func add(_ text: String, _ isNumber: Bool, _ origin: String) {
        count += 1
        distinct.insert(text.hashValue)
        guard !isNumber else { return numbers += 1 }
        bytes += text.utf8.count
        if text.hasPrefix("http://") || text.hasPrefix("https://") { urls += 1 }
        if text.hasPrefix(origin + "/") { ownURLs += 1 }
        if text.hasPrefix("/"), !text.contains(" ") { paths += 1 }
        if text.contains("_"), !text.contains(" ") { codes += 1 }
        let end = text.prefix { $0 != "?" && $0 != "#" }.suffix(5).lowercased()
        let isPicture = end.contains(".") && ImageType.isNamed(by: end)
        if isPicture { pictures += 1 }
        if isPicture || Self.fileEndings.contains(where: end.hasSuffix) { files += 1 }
    }
}
