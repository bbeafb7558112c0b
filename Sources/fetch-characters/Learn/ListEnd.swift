// What an answer says about whether its list goes on, for lists of which nothing leads to a second page. Whoever says
// anything about pages, and doesn't say that this is all, may have more.
//
//     {"items":[…],"isLast":false}     {"items":[…],"size":200}     Content-Range: items 0-12/45

import PipelineCore
import PipelineHTTP

/// What is said.
struct ListEnd {
    /// What says, or may say, that more follows, in words.
    private(set) var more: String?
    /// Something says that nothing follows.
    private(set) var saysEnd = false

    private let count: Int

    private static let moreWords = ["incomplete", "more", "next", "truncated", "partial", "continue"]
    private static let lastWords = ["last", "done", "finished", "complete", "exhausted", "eof", "end"]
    private static let sizeWords = ["per", "limit", "size"]
    /// What a number beside the records may be that doesn't count them.
    private static let otherWords = [
        "took", "time", "version", "year", "status", "code", "duration", "elapsed", "date", "rate", "expire", "ttl",
        "second",
        "millis", "created", "updated",
    ]
    /// Where a list goes on, in words of some services.
    private static let markWords = [
        "scroll", "position", "offset", "state", "sync", "resume", "lastid", "maxid", "sinceid",
    ]

    /// - Parameters:
    ///   - answer: that has the list.
    ///   - count: the number of its records.
    init(_ answer: AnswerValue, beside place: RecordsPlace, _ headers: HTTPHeaders, count: Int) {
        self.count = count
        if Self.isCut(answer, [], place.names) { more = "the answer has more beside its records than is read" }
        for value in EnvelopeValue.all(in: answer, beside: place) { look(at: value) }
        for field in headers.fields { look(at: field) }
    }

    /// Whether a list may be one page of several by its length alone.
    static func isUsualPageSize(_ count: Int) -> Bool {
        if count <= 12 || count % 500 == 0 || count & (count - 1) == 0 { return true }
        if count % 10 == 0, count <= 100 || count % 50 == 0 && count <= 1000 { return true }
        return [15, 18, 24, 25, 36, 48, 72, 75, 96, 99, 120, 125, 144, 175, 180, 240].contains(count)
    }

    private mutating func doubt(_ value: EnvelopeValue, _ words: String) { more = more ?? "\(value.path) \(words)" }

    private mutating func look(at value: EnvelopeValue) {
        let name = LearntNames.plain(value.name)
        let outer = value.names.dropLast().last.map(LearntNames.plain) ?? ""
        let all = outer + name
        let has: ([String]) -> Bool = { $0.contains(where: all.contains) }
        switch value.value {
        case .null: if LearntNames.isNext(name) { saysEnd = true }
        case .text("") where LearntNames.isNext(name): saysEnd = true
        case .boolean(let isTrue):
            guard has(Self.moreWords) || Self.lastWords.contains(where: name.contains) else { return }
            if has(Self.moreWords) == isTrue {
                doubt(value, "says that there are more than the \(count) that came")
            }
            if has(Self.moreWords) != isTrue { saysEnd = true }
        case .text(let text):
            if LearntNames.leadsOn(value.names) { return doubt(value, "leads on") }
            if name.hasPrefix("has") && text == "true" || Self.markWords.contains(name) && !text.isEmpty {
                return doubt(value, "says that there are more")
            }
            if let number = Self.number(text) { look(at: number, value, name, all) }
        case .number(let text): if let number = Self.number(text) { look(at: number, value, name, all) }
        case .object, .array: break
        }
    }

    private mutating func look(at number: Int, _ value: EnvelopeValue, _ name: String, _ all: String) {
        let isMark = Self.markWords.contains(name) && name != "offset" && name != "position"
        if LearntNames.leadsOn(value.names) || isMark || name.hasPrefix("has") && number > 0 {
            return doubt(value, "leads on")
        }
        let isSize = !all.contains("total") && Self.sizeWords.contains(where: name.contains)
        if isSize {
            if number == count || number > count && name == "size" {
                doubt(value, "is \(number), and \(count) came")
            }
        } else if number > count, !Self.otherWords.contains(where: all.contains) {
            doubt(value, "says \(number), and \(count) came")
        }
    }

    private mutating func look(at field: HTTPHeaders.Field) {
        let name = LearntNames.plain(field.name)
        let words = ["total", "count", "paginat", "contentrange", "next", "more", "record", "page"]
        guard words.contains(where: name.contains), !name.contains("ratelimit"), !name.contains("access") else {
            return
        }
        if let number = Self.number(field.value), number <= count, !name.contains("next") || number == 0 { return }
        guard !field.value.isEmpty else { return }
        more = more ?? "the header \(field.name) says \(field.value.prefix(80)), and \(count) came"
    }

    /// `45`, `45.0` and `1,045`.
    private static func number(_ text: String) -> Int? {
        let plain = text.replacing(",", with: "")
        return Int(plain) ?? Double(plain).flatMap { abs($0) < 1e15 ? Int(exactly: $0) : nil }
    }

    /// Whether a part of the answer outside of the records wasn't kept.
    private static func isCut(_ value: AnswerValue, _ names: [String], _ records: [String]) -> Bool {
        guard names != records, case .object(let members, let count, _) = value else { return false }
        return members.count < count || members.contains { isCut($0.value, names + [$0.name], records) }
    }
}
