// Whether a list goes on after a response that leads to no second page. --learn takes it for whole if the response says so,
// or if all that stands beside the records is known to be harmless. A run takes it for cut if the response says that more
// records follow: the list may have grown since it was described. It believes fewer signs than --learn.
//
//     {"items":[…],"isLast":true}      {"items":[…],"took":3,"count":45}      {"items":[…],"size":200}
//     it ends here                     nothing is said                        there may be more

import PipelineCore

struct ListEnd {
    /// What says that more follows, in words.
    private(set) var more: String?
    /// What of it tells of a fault.
    private(set) var fault: String?
    /// The same, without what may only say why there are so few, or mark a place in a list that is whole.
    private(set) var growth: String?
    /// What says how long a page is, if the response is as long.
    private(set) var full: String?
    /// What may say it.
    private(set) var unknown: String?
    private(set) var saysEnd = false
    let isBare: Bool

    private enum Sign: Equatable {
        case more(String)
        case fault(String)
        /// A text such as `sync_token`.
        case mark
        case full(String)
        case end, harmless
        /// `"after": null`, which may repeat what was asked for.
        case noCursor
        case unknown(String)

        static let unknown = unknown("is beside the records, and may mean that there are more")
        static let leadsOn = more("leads on")
    }

    private let envelope: Envelope

    /// - Parameter known: the paths of values whose meaning is known; empty for the header Link.
    init(_ envelope: Envelope, besides known: [String] = []) {
        self.envelope = envelope
        isBare = envelope.values.allSatisfy { $0.header != nil }
        if envelope.isCut { more = "the response has more than the records that are read" }
        saysEnd = envelope.linkFields.contains {
            WebLink.links(in: $0).links.contains { $0.relations == ["empty"] }
        }
        var isWithoutCursor = false
        if !known.contains(""), let link = envelope.otherLink { more = "the header Link leads to \(link)" }
        for value in envelope.values where value.path.map({ !known.contains($0) }) ?? true {
            switch value.header == nil ? sign(of: value) : headerSign(of: value) {
            case .more(let words):
                growth = growth ?? "\(value.text) \(words)"
                more = more ?? growth
            case .full(let words):
                full = full ?? "\(value.text) \(words)"
                unknown = unknown ?? full
            case .fault(let words):
                fault = fault ?? "\(value.text) \(words)"
                more = more ?? fault
            case .mark: more = more ?? "\(value.text) leads on"
            case .end: saysEnd = true
            case .noCursor: isWithoutCursor = true
            case .harmless: break
            case .unknown(let words): unknown = unknown ?? "\(value.text) \(words)"
            }
        }
        if isWithoutCursor, full == nil { saysEnd = true }
    }

    static func isUsualPageSize(_ count: Int) -> Bool {
        if count <= 4 || [7, 9, 11].contains(count) { return false }
        if count <= 12 || count % 500 == 0 || count & (count - 1) == 0 { return true }
        if count % 10 == 0, count <= 100 || count % 50 == 0 && count <= 1000 { return true }
        return [15, 18, 24, 25, 36, 48, 72, 75, 96, 99, 120, 125, 144, 175, 180, 240].contains(count)
    }

    /// What leaves open whether a list whose one response was only assumed to have all still has one.
    var doubt: String? {
        if let more { return "more records follow, as \(more)" }
        let isLimit = count >= 10 && Self.isUsualPageSize(count)
        let reason = unknown ?? (isLimit ? "many services send \(count) at a time" : nil)
        return saysEnd ? nil : reason.map { "more records may follow, as \($0)" }
    }

    private var count: Int { envelope.count }

    private func beside(_ text: some StringProtocol) -> String {
        "is \(text), and the response has \(RecordStream.count(count))"
    }

    // MARK: Values

    private func sign(of value: EnvelopeValue) -> Sign {
        let words = value.names.suffix(2).flatMap(WellKnownNames.words)
        if words.contains(where: ["rate", "ratelimit", "quota", "credits"].contains) { return .harmless }
        // What went wrong may be why there are so few, whatever says how many there are. Many warn of an old version.
        let isFine = ["ok", "none", "success"].contains(value.value.text?.lowercased() ?? "")
        if words.contains(where: WellKnownNames.isFault), value.value.isSomething, !isFine {
            return words.contains { $0.hasPrefix("warn") } ? .unknown("warns") : .fault("tells of a fault")
        }
        if !value.isUsable {
            let text = value.value.text ?? ""
            let isLink =
                envelope.list.leadsWithin(text) || text.hasPrefix("/") && text.contains("?") || Self.saysMore(text)
            return isLink || WellKnownNames.has(value.plain, .more) ? .leadsOn : .harmless
        }
        switch value.value {
        // MediaWiki's flag is empty where it is set.
        case .null, .text(""):
            let isEnd = WellKnownNames.isNext(value.plain) || value.plain == "batchcomplete"
            return isEnd ? .end : WellKnownNames.is(value.name, .cursor) ? .noCursor : .harmless
        case .boolean(let isTrue): return sign(of: isTrue, value)
        case .number: return value.value.wholeNumber.map { sign(of: $0, value) } ?? Self.known(value)
        case .text(let text): return sign(of: text, value)
        case .object, .array: return .harmless
        }
    }

    /// A number beside the records that is theirs, of a name that says nothing else.
    var countPlace: TotalPlace? {
        envelope.values.first { value in
            count > 1 && value.header == nil && value.isUsable && value.value.wholeNumber == count && !value.isPlace
                && !WellKnownNames.is(value.name, .size) && !WellKnownNames[.mark].contains(value.plain)
                && Self.known(value) != .harmless
        }.map { TotalPlace(place: $0, value: count, unit: .records) }
    }

    /// Harmless by the words of its name, else unknown.
    private static func known(_ value: EnvelopeValue) -> Sign {
        let words = WellKnownNames.words(of: value.name) + [value.plain]
        let isInner = value.names.dropLast().contains {
            WellKnownNames.is($0, .beside) || WellKnownNames.is($0, .harmless)
        }
        return isInner || value.plain == "id" || words.contains(where: WellKnownNames[.harmless].contains)
            ? .harmless : .unknown
    }

    private func sign(of isTrue: Bool, _ value: EnvelopeValue) -> Sign {
        let isMore = WellKnownNames.has(value.names.suffix(2).map(WellKnownNames.plain).joined(), .more)
        if !isTrue, ["success", "ok"].contains(value.plain) { return .fault("is false") }
        guard isMore || WellKnownNames.has(value.plain, .last) else { return Self.known(value) }
        // A search that didn't time out may have further pages all the same.
        if !isTrue, ["incomplete", "partial"].contains(where: value.plain.contains) { return .harmless }
        return isTrue == isMore ? .more("means that there are more than these \(count)") : .end
    }

    private func sign(of text: String, _ value: EnvelopeValue) -> Sign {
        // The Hydra vocabulary calls each view of a list partial.
        if value.name == "@type" { return .harmless }
        // Google's token for later changes, which the last page has alone.
        if value.plain.hasPrefix("nextsync"), envelope.values.contains(where: { $0.name == "kind" }) { return .end }
        if ["true", "y", "yes"].contains(text.lowercased()) { return sign(of: true, value) }
        if ["false", "n", "no"].contains(text.lowercased()) { return sign(of: false, value) }
        let words = WellKnownNames.words(of: value.name)
        let isMark = words.contains { WellKnownNames[.mark].contains($0) || $0.hasSuffix("token") }
        // Airtable's cursor is an `offset`.
        let leadsOn =
            WellKnownNames.leadsOn(value.names) || value.names.contains { $0.contains("continu") }
            || value.plain.hasSuffix("offset") && Int(text) == nil
        let isURL = text.contains("://") || text.hasPrefix("/")
        let isEcho = envelope.list.values.contains(text) || envelope.list.path == text
        if isEcho, value.names.dropLast().contains(where: ["request", "params"].contains) { return .harmless }
        // Relay's connections and Facebook's `paging.cursors` have a cursor on their last page too.
        let isGrowth = leadsOn && !value.names.contains("cursors")
        if words.contains(where: ["prev", "previous", "before"].contains) { return .harmless }
        if leadsOn || isMark, !["0", "-1", "*"].contains(text) {
            return envelope.isFlaggedEnd ? .harmless : isGrowth ? .leadsOn : .mark
        }
        if let number = CountText.number(text) { return sign(of: number, value) }
        if text.hasSuffix("+"), let number = CountText.number(String(text.dropLast())), number >= count {
            return .more(beside(text))
        }
        if let (last, whole) = CountText.part(text) { return last < whole ? .more(beside(text)) : .end }
        if Self.saysMore(text) { return .more("says that there are more") }
        if let number = CountText.found(text), number > count { return .more(beside("\(number)")) }
        let isStatus = words.contains { ["status", "state", "result"].contains($0) }
        if isStatus, Self.unfinished.contains(text.lowercased()) { return .fault("is \(text)") }
        if envelope.list.leadsWithin(text) {
            // The last page is the first one.
            let words = value.names.suffix(2).flatMap(WellKnownNames.words)
            if words.contains("last") {
                let isFirst = envelope.values.contains { other in
                    other.value.text == text
                        && other.names.suffix(2).flatMap(WellKnownNames.words).contains("first")
                }
                return isFirst ? .end : .unknown
            }
            let isOther =
                words.contains(where: ["self", "first", "start", "prev", "previous", "delta"].contains)
                || value.isOwnAddress || hasNoNext(beside: value)
            return isOther ? .harmless : .leadsOn
        }
        if isURL {
            let names = value.names.suffix(2).map(WellKnownNames.plain).joined()
            return WellKnownNames.has(names, .more) ? .leadsOn : .harmless
        }
        return isEcho || Self.isTime(text) ? .harmless : Self.known(value)
    }

    /// Whether an address stands beside a next one that is null, as Spotify's `href` of a list in an object.
    private func hasNoNext(beside value: EnvelopeValue) -> Bool {
        ["href", "uri", "url"].contains(value.name)
            && envelope.values.contains { $0.names == value.names.dropLast() + ["next"] && !$0.value.isSomething }
    }

    private func sign(of number: Int, _ value: EnvelopeValue) -> Sign {
        let name = value.plain
        let says = Sign.more(beside("\(number)"))
        // A part of the list may not be larger than it.
        if value.names.dropLast().contains(where: { WellKnownNames.is($0, .beside) }) {
            return number > count ? .unknown(beside("\(number)")) : .harmless
        }
        if number <= 1, WellKnownNames[.offset].contains(where: name.hasSuffix), hasBound { return .harmless }
        if envelope.isCapped(value) { return says }
        if envelope.isEchoOfSize(value), number > count { return .harmless }
        let total = TotalPlace.meaning(of: value.names)
        if total?.unit == .pages { return number > 1 ? says : number == 1 ? .end : .unknown }
        // `limit` is the most that was asked for.
        let isLimit = ["per", "limit", "size", "maxres", "maxrec"].contains(where: name.contains) || name == "max"
        let isSize = total == nil && isLimit && name != "size"
        if isSize || WellKnownNames[.size].contains(name) && number <= count && name != "count" && name != "num" {
            return number > count ? .harmless : number == count ? .full(beside("\(number)")) : .unknown
        }
        if let total {
            return number > count ? says : number < count ? .unknown : total.rank == 0 ? .end : .harmless
        }
        if WellKnownNames.has(name, .more) || name.hasPrefix("has") { return number > 0 ? .leadsOn : .end }
        if WellKnownNames.leadsOn(value.names) { return number > 0 ? .leadsOn : .end }
        if WellKnownNames[.mark].contains(name), number != 0 { return .mark }
        if ["done", "final", "complete", "islast"].contains(name), number < 2 {
            return number == 0 ? .more("says 0") : .end
        }
        let isStatus = ["code", "status", "statuscode"].contains(name) && number >= 206
        if isStatus { return .fault("is \(number)") }
        if number == count, !value.isPlace { return .harmless }
        return number > count && Self.known(value) != .harmless ? .unknown(beside("\(number)")) : Self.known(value)
    }

    /// A total that isn't exceeded, or a size that isn't reached, as far as each is judged by itself.
    private var hasBound: Bool {
        envelope.values.contains { other in
            let isBound = TotalPlace.meaning(of: other.names) != nil || WellKnownNames.is(other.name, .size)
            return isBound && (other.value.wholeNumber ?? 0) >= count
        }
    }

    /// Of header fields only hints count.
    private func headerSign(of value: EnvelopeValue) -> Sign {
        let names = value.names.map(WellKnownNames.plain)
        let all = names.joined()
        guard !["ratelimit", "access", "time"].contains(where: all.contains),
            !["contentlength", "acceptranges", "link"].contains(names[0]),
            let text = value.value.text ?? value.value.wholeNumber.map({ "\($0)" })
        else { return .harmless }
        if names[0] == "warning" { return sign(of: text, value) == .harmless ? .harmless : .more("says \(text)") }
        let isMore = ["more", "truncated", "limited", "partial", "incomplete"].contains(where: all.contains)
        if isMore || all.contains("complete"), ["1", "0", "false"].contains(text.lowercased()) {
            return isMore == (text == "1") ? .more("is \(text)") : .harmless
        }
        let hints = [
            "total", "count", "paginat", "contentrange", "next", "record", "page", "continuation", "cursor",
            "items", "results", "found", "rows", "available", "bookmark", "marker", "scroll", "resume", "hits",
        ]
        guard isMore || hints.contains(where: all.contains), text.lowercased() != "false" else { return .harmless }
        if ["perpage", "pagesize", "pageitems", "limit"].contains(where: all.hasSuffix) {
            return text == "\(count)" ? .unknown(beside(text)) : .harmless
        }
        if let number = CountText.number(text), ["pages", "pagecount", "lastpage"].contains(where: all.hasSuffix) {
            return number > 1 ? .more(beside("\(number)")) : .end
        }
        let isPlace = ["next", "continuation", "cursor", "bookmark", "marker"].contains(where: all.contains)
        if let number = CountText.number(text), number <= count, !isPlace || number == 0 {
            return number == count && all.contains("total") ? .end : .harmless
        }
        if let (last, whole) = CountText.part(text), last >= whole { return .end }
        if text.hasSuffix("/*") { return .unknown(beside(text)) }
        return .more(beside(text.prefix(80)))
    }

    // MARK: Texts

    private static let unfinished = [
        "error", "failed", "fail", "failure", "pending", "running", "timeout", "partial", "degraded",
    ]

    /// `results truncated`
    private static func saysMore(_ text: String) -> Bool {
        let words = WellKnownNames.words(of: text)
        return ["truncated", "incomplete", "partial", "omitted", "refine"].contains(where: words.contains)
            || (words.contains("more") || words.contains("first"))
                && (words.contains("results") || words.contains("records"))
    }

    /// `2026-03-01`, and what else begins so.
    private static func isTime(_ text: String) -> Bool {
        text.utf8.prefix(4).allSatisfy { (0x30...0x39).contains($0) } && text.utf8.dropFirst(4).first == 0x2D
    }
}

enum CountText {
    /// `45`, `45.0` and `1,045`.
    static func number(_ text: String) -> Int? {
        JSONTree.string(text.replacing(",", with: "")).wholeNumber
    }

    /// The number of `Found 45 records` and of `1,045 results in total`.
    static func found(_ text: String) -> Int? {
        let words = text.lowercased().prefix(100).replacing(",", with: "").split { !$0.isLetter && !$0.isNumber }
        return zip(words, words.dropFirst()).lazy.compactMap { number, noun in
            ["records", "results", "items", "entries", "matches", "hits", "rows"].contains(noun) ? Int(number) : nil
        }.first
    }

    /// The last number and the whole of `1 of 2`, `1-45 of 90` and `items 0-44/90`; the last one counts from 1.
    static func part(_ text: String) -> (last: Int, whole: Int)? {
        guard text.utf8.count < 100, text.contains(" of ") || text.contains("/") else { return nil }
        let isFromZero = text.contains("/")
        let numbers = text.replacing(",", with: "").split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 2 || numbers.count == 3, let whole = numbers.last else { return nil }
        // A date has slashes too.
        guard numbers.count == 3 || text.contains(" of "), !isFromZero || text.contains("-") else { return nil }
        return (numbers[numbers.count - 2] + (isFromZero ? 1 : 0), whole)
    }
}
