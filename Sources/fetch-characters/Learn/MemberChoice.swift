// Decides which members of the records are the common ones: by their values first, by their names second. If two fit equally
// well, neither is taken.

import PipelineCore
import PipelineHTTP

struct MemberChoice {
    typealias Path = [JSONTree.Step]

    /// A response with more than this has data here, not structure.
    private static let (memberLimit, recordLimit) = (2000, 30_000)
    /// As deep as `images.jpg.image_url`, or `images[0].url`.
    private static let deepest = 3
    /// Objects that hold the members of a record.
    private static let wrappings = Set(
        """
        attributes properties fields data links source sys document snippet volumeinfo track package show resource item \
        record
        """.split(separator: " ").map(String.init))

    private let origin: String
    /// Whether weak evidence is enough for an id: the total shows if one comes twice.
    private let isCounted: Bool
    private var records = 0
    private var figures: [Path: MemberFigures] = [:]
    private var paths: [Path] = []

    init(origin: String, isCounted: Bool = true) { (self.origin, self.isCounted) = (origin, isCounted) }

    init(_ pages: [LearntPage], isCounted: Bool = true) {
        self.init(origin: pages[0].response.url.origin, isCounted: isCounted)
        for page in pages {
            let text = page.text
            for record in page.page.records {
                if let value = try? JSONTree.shape(of: text.span.extracting(record.range)) { add(value) }
            }
        }
    }

    mutating func add(_ record: JSONTree) {
        guard records < Self.recordLimit else { return }
        records += 1
        var values: [(Path, JSONTree)] = []
        record.walk { path, value in
            // The first of several values says what they are.
            guard path.count <= Self.deepest, [nil, 0].contains(path.last?.index) else { return false }
            if value.scalar.map({ !$0.isEmpty }) == true { values.append((path, value)) }
            return true
        }
        for (path, value) in values {
            if figures[path] == nil {
                guard paths.count < Self.memberLimit else { continue }
                paths.append(path)
            }
            figures[path, default: MemberFigures()].add(value, origin)
        }
    }

    /// The path of a member, nil if none is surely it. A picture's has to be proved by its bytes.
    func path(of name: Source.CommonName) -> Path? {
        switch name {
        case .id: best(idRank)
        case .name: best(nameRank)
        case .description: best { textRank($0, $1, .description, [], least: 0.5) }
        case .imageURL: pictures.first
        case .pageURL: best(webPageRank)
        }
    }

    static func text(of path: Path) -> String { JSONLocation.path(of: path, style: .short) }

    func sample(of path: Path) -> String { figures[path]?.sample ?? "" }

    func ownAddresses(in record: Span<UInt8>) -> [String] {
        let own = paths.filter { $0.count <= 2 }.filter { figures[$0]?.ownURLs == records }
        return own.compactMap { JSONTree.scalar(at: $0, in: record) }
    }

    /// A member that says little but where more of the record is, if that is so.
    var addressOfMore: Path? {
        guard paths.count <= 3 else { return nil }
        return paths.first { path in
            guard let figures = figures[path], figures.files == 0 else { return false }
            return [figures.ownURLs, figures.distinct.count].allSatisfy { $0 == records }
        }
    }

    // MARK: Ranks, the lowest for the likeliest member, nil for one that it can't be

    private func ranked(_ rank: (Path, MemberFigures) -> Int?) -> [(path: Path, rank: Int)] {
        let ranked = paths.compactMap { path in
            figures[path].flatMap { rank(path, $0) }.map { (path: path, rank: $0) }
        }
        return ranked.sorted { $0.rank < $1.rank }
    }

    /// The member of the lowest rank. Nil if there is none, or if several have it.
    private func best(_ rank: (Path, MemberFigures) -> Int?) -> Path? {
        let ranked = ranked(rank)
        guard ranked.first?.rank != ranked.dropFirst().first?.rank else { return nil }
        return ranked.first?.path
    }

    /// How well a member's names fit: an exact name at the top, in a wrapping, or the end of a name.
    private func fit(_ path: Path, _ meaning: UsualNames.Meaning?, suffixes: [String] = []) -> Int? {
        // The first of several texts comes behind a text.
        let isFirst = path.last?.index == 0
        let (steps, extra) = isFirst ? (Array(path.dropLast()), 50) : (path, 0)
        let plain = steps.names.map(UsualNames.plain)
        guard let last = plain.last, steps.last?.index == nil, Self.wrappings.isSuperset(of: plain.dropLast())
        else { return nil }
        let depth = (steps.count - 1) * 100 + extra
        let rank = meaning.map { UsualNames.rank(last, $0) } ?? UsualNames.unknown
        if rank < UsualNames.unknown { return depth + rank }
        guard !isFirst, suffixes.contains(where: last.hasSuffix) else { return nil }
        return 1000 + depth
    }

    private func hasLeast(_ part: Double, _ figures: MemberFigures) -> Bool {
        Double(figures.count) >= part * Double(records)
    }

    /// A scalar that all records have, different in each.
    private func idRank(_ path: Path, _ figures: MemberFigures) -> Int? {
        guard figures.count == records, figures.distinct.count == records, figures.bytes <= 200 * figures.count,
            path.last?.index == nil
        else { return nil }
        // `id` before `_id`.
        if let fit = fit(path, .id) { return 2 * fit + (path.last == .name("id") ? 0 : 1) }
        // So many different numbers are hardly anything else, as iTunes' `trackId`.
        if records >= 40, figures.numbers == records, path.count == 1, let fit = fit(path, nil, suffixes: ["id"]) {
            return 1000 + fit
        }
        guard isCounted, records >= 5 else { return nil }
        // The end of a name says little. Without any other id, a record's own address will do.
        if let fit = fit(path, .otherID, suffixes: ["id", "number", "key"]) { return 1000 + fit }
        guard figures.urls == records, path == [.name("url")] else { return nil }
        return 5000
    }

    private func nameRank(_ path: Path, _ figures: MemberFigures) -> Int? {
        if let rank = textRank(path, figures, .name, ["name", "title"], least: 0.9) {
            // Reddit's `name` is `t3_1abc`, beside its `title`.
            if figures.codes == figures.count { return rank + 500 }
            return rank
        }
        // `name.full`, `name.common` and the like come after all other names.
        let names = path.names.map(UsualNames.plain)
        guard path.count == 2, ["name", "title"].contains(names.first), isText(figures, least: 0.9) else {
            return nil
        }
        let parts = ["full", "common", "en", "english", "official", "rendered"]
        return parts.firstIndex(of: names.last ?? "").map { $0 + 5000 }
    }

    private func textRank(
        _ path: Path, _ figures: MemberFigures, _ meaning: UsualNames.Meaning, _ suffixes: [String], least: Double
    ) -> Int? {
        // A name may look like something else for once, and in lists of files always.
        let isOwn = [["name"], ["title"]].contains(path.names.map(UsualNames.plain))
        guard isText(figures, least: least, mayBeFile: isOwn) else { return nil }
        return fit(path, meaning, suffixes: suffixes)
    }

    /// Words, of which there are several.
    private func isText(_ figures: MemberFigures, least: Double, mayBeFile: Bool = false) -> Bool {
        let others = mayBeFile ? 0 : figures.urls + figures.pictures
        guard figures.distinct.count > 1 || figures.count < 3, hasLeast(least, figures) else { return false }
        return 20 * (figures.numbers + others) <= figures.count
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

    private func pictureRank(_ path: Path, _ figures: MemberFigures) -> Int? {
        let names = path.names.map(UsualNames.plain)
        let places = names.compactMap(UsualNames.pictureRank)
        // Whatever it is called, a URL that ends as a picture's does is one, or one beside no page's.
        var other: Int?
        if figures.pictures * 2 > figures.count { other = 80 }
        if path == [.name("url")], figures.distinct.count * 2 > figures.count, figures.files + figures.ownURLs == 0
        {
            other = 95
        }
        guard let place = places.min() ?? other else { return nil }
        let sizes = ["url", "original", "full", "large", "lg", "regular", "normal", "medium", "src", "href", "web"]
        let own = path.count > 1 ? names.last : sizes.first
        let size = sizes.firstIndex(of: own ?? "") ?? sizes.count
        return place * 100 + path.count * 20 + size + (figures.urls == 0 ? 50 : 0)
    }

    /// The address of a page for people: not the API's own, and another one in each record.
    private func webPageRank(_ path: Path, _ figures: MemberFigures) -> Int? {
        let names = path.names.map(UsualNames.plain)
        guard figures.urls == figures.count, figures.ownURLs == 0, figures.files == 0, hasLeast(0.5, figures),
            figures.distinct.count * 10 >= figures.count * 9,
            names.allSatisfy({ UsualNames.pictureRank($0) == nil })
        else { return nil }
        if [["links", "html"], ["links", "web"]].contains(names) { return 60 }
        return fit(path, .webPage, suffixes: ["url", "uri", "link"])
    }
}

/// The figures of one member, over the records that have a value there: a number, or a text that isn't empty.
private struct MemberFigures {
    var (count, numbers, bytes) = (0, 0, 0)
    /// Texts that are URLs, those within the API's origin, and those that are the path of one.
    var (urls, ownURLs, paths) = (0, 0, 0)
    /// Texts with a `_` and without a space.
    var codes = 0
    /// Texts that end as the path of a picture does, and as that of any file which isn't a page.
    var (pictures, files) = (0, 0)
    var distinct: Set<Int> = []
    var sample = ""

    private static let fileEndings = [".json", ".xml", ".csv", ".pdf", ".mp3", ".mp4", ".zip", ".txt"]

    mutating func add(_ value: JSONTree, _ origin: String) {
        let text = value.scalar ?? ""
        if count == 0 { sample = text }
        count += 1
        distinct.insert(text.hashValue)
        guard value.string != nil else { return numbers += 1 }
        bytes += text.utf8.count
        if ["http://", "https://"].contains(where: text.hasPrefix) { urls += 1 }
        if text.hasPrefix(origin + "/") { ownURLs += 1 }
        if text.hasPrefix("/"), !text.contains(" ") { paths += 1 }
        if text.contains("_"), !text.contains(" ") { codes += 1 }
        let end = text.prefix { !"?#".contains($0) }.suffix(5).lowercased()
        if end.contains("."), ImageType.isNamed(by: end) {
            pictures += 1
            files += 1
        } else if Self.fileEndings.contains(where: end.hasSuffix) {
            files += 1
        }
    }
}

extension JSONTree.Step {
    fileprivate var index: Int? { if case .index(let index) = self { index } else { nil } }
}

extension UsualNames {
    /// The place of a name that has one of a picture's in it.
    fileprivate static func pictureRank(_ name: String) -> Int? {
        Self[.picture].firstIndex(of: name) ?? Self[.picture].firstIndex(where: name.contains).map { $0 + 30 }
    }
}
