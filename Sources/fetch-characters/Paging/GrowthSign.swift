// Whether a response that should have the whole list says that more follow, in the names that services use for it. A list
// that fitted into one response when it was described may have grown since.
//
//     {"data":[…],"next":"https://…?page=2"}    {"items":[…],"paging":{"has_more":true}}    {"value":[…],"total":45}
//     X-Total-Count: 45

import PipelineCore
import PipelineHTTP

struct GrowthSign {
    /// What is deeper is data.
    private static let depthLimit = 4

    /// The records that the response has.
    let records: Int

    /// - Parameters:
    ///   - body: checked JSON.
    ///   - path: the names that lead to the records. Without any, all members are theirs. Nil if an object is a record,
    ///     unless it has an array, which may be the records.
    func isIn(_ body: Span<UInt8>, besides path: [[UInt8]]?) -> Bool {
        guard path?.isEmpty != true, let answer = try? AnswerValue.read(body) else { return false }
        if path == nil {
            guard case .object(let members, _, _) = answer,
                members.contains(where: { if case .array = $0.value { true } else { false } })
            else { return false }
        }
        return isIn(answer, [], besides: path?.map { $0.span.text })
    }

    private func isIn(_ value: AnswerValue, _ names: [String], besides path: [String]?) -> Bool {
        let plain = WellKnownNames.plain(names.last ?? "")
        switch value {
        case .object(let members, _, _):
            guard names != path, names.count < Self.depthLimit else { return false }
            return members.contains { isIn($0.value, names + [$0.name], besides: path) }
        case .array, .null: return false
        case .boolean(let isTrue): return Self.isFlag(plain, isTrue)
        case .number(let text):
            guard let number = Int(text) else { return false }
            let isMore = WellKnownNames.leadsOn(names) || ["more", "hasmore"].contains(plain)
            return number > 0 && isMore || isLarger(number, names.suffix(2).map(WellKnownNames.plain))
        case .text(let text):
            let text = text.lowercased()
            if ["true", "false"].contains(text) { return Self.isFlag(plain, text == "true") }
            if let (last, whole) = CountText.part(text), last < whole { return true }
            let digits = text.hasSuffix("+") ? String(text.dropLast()) : text
            if isLarger(CountText.number(digits) ?? 0, names.suffix(2).map(WellKnownNames.plain)) { return true }
            // Airtable's cursor is an `offset`.
            let leadsOn =
                WellKnownNames.leadsOn(names) || WellKnownNames[.offset].contains(plain) && Int(text) == nil
            return leadsOn && !["", "0", "-1", "null", "none"].contains(text)
        }
    }

    /// Of what is true, or false, as long as more follow.
    private static func isFlag(_ plain: String, _ isTrue: Bool) -> Bool {
        let atEnd = plain.hasPrefix("is") ? String(plain.dropFirst(2)) : plain
        return isTrue
            ? WellKnownNames.has(plain, .moreFlag) || ["exceeded", "limitreached"].contains(where: plain.contains)
            : WellKnownNames[.last].contains(atEnd)
    }

    private func isLarger(_ number: Int, _ names: [String]) -> Bool {
        var name = names.last ?? ""
        // Elasticsearch's `hits.total.value`.
        if name == "value", names.count > 1 { name = names[0] }
        let isOfPages = names.count > 1 && names[0] == "page" && ["total", "last"].contains(name)
        if isOfPages || ["pages", "totalpages", "pagecount", "lastpage"].contains(name) { return number > 1 }
        let noun = name.hasPrefix("total") ? String(name.dropFirst("total".count)) : nil
        let counts =
            noun.map { ["", "count", "size"].contains($0) || WellKnownNames[.records].contains($0) } ?? false
        return number > records && (counts || name == "count" || WellKnownNames[.total].contains(name))
    }

    func isIn(_ headers: HTTPHeaders) -> Bool {
        headers.fields.contains { field in
            let plain = WellKnownNames.plain(field.name)
            let name = plain.hasPrefix("x") ? String(plain.dropFirst()) : plain
            let text = field.value.lowercased()
            if name == "contentrange" { return text.split(separator: "/").last.flatMap { Int($0) } ?? 0 > records }
            if name.contains("total"), !name.contains("time"), let number = Int(text) {
                return number > (name.hasSuffix("pages") ? 1 : records)
            }
            guard !["", "0", "false", "null"].contains(text) else { return false }
            return WellKnownNames.isNext(name) || name.contains("continuation")
                || ["true", "1"].contains(text) && WellKnownNames.has(name, .moreFlag)
        }
    }
}

enum CountText {
    /// `45`, `45.0` and `1,045`.
    static func number(_ text: String) -> Int? {
        JSONTree.string(text.replacing(",", with: "")).wholeNumber
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
