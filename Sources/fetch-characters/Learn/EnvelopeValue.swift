// The values of an answer beside its records, where it says what leads on and how many there are.
//
//     {"info":{"count":900,"next":"https://…"},"data":[…]}      info.count, info.next

import PipelineCore
import PipelineHTTP

/// A scalar of an answer, and the names that lead to it.
struct EnvelopeValue {
    let names: [String]
    let value: AnswerValue
    /// A path to the value where names alone don't lead to it.
    private let ownPath: String?

    /// The last name.
    var name: String { names.last ?? "" }

    var path: String { ownPath ?? JSONLocation.path(of: names.map { .name($0) }, style: .rooted) }

    private static let depthLimit = 6
    /// More would be data.
    private static let countLimit = 2000

    /// All of them in the answer's order, without those of the records.
    static func all(in answer: AnswerValue, beside place: RecordsPlace) -> [EnvelopeValue] {
        var values: [EnvelopeValue] = []
        collect(answer, [], place.names, &values)
        return values
    }

    private static func collect(
        _ value: AnswerValue, _ names: [String], _ records: [String], _ values: inout [EnvelopeValue]
    ) {
        guard values.count < countLimit, names != records else { return }
        switch value {
        case .object(let members, _, _):
            guard names.count < depthLimit else { return }
            for member in members { collect(member.value, names + [member.name], records, &values) }
        case .array(let elements, _, _): collectLinks(elements, names, &values)
        case .text, .number, .boolean, .null:
            values.append(EnvelopeValue(names: names, value: value, ownPath: nil))
        }
    }

    /// `[{"rel":"next","href":"https://…"}]`
    private static func collectLinks(
        _ elements: [AnswerValue], _ names: [String], _ values: inout [EnvelopeValue]
    ) {
        for element in elements {
            guard case .text(let relation)? = element["rel"] else {
                if case .array(let all, _, _)? = element["rel"], all.contains(where: { $0.text == "next" }) {
                    // No path tells it from the others, but it says that the list goes on.
                    values.append(EnvelopeValue(names: names + ["next"], value: .boolean(true), ownPath: nil))
                }
                continue
            }
            guard relation.lowercased() == "next",
                let target = ["href", "url", "uri"].first(where: { element[$0]?.text != nil }),
                let link = element[target]
            else { continue }
            let array = JSONLocation.path(of: names.map { .name($0) }, style: .rooted)
            let path = "\(array)[?@.rel == '\(relation)'].\(target)"
            return values.append(EnvelopeValue(names: names + ["next"], value: link, ownPath: path))
        }
    }
}

extension RecordsPlace {
    /// The path of what leads to a previous page of the list, nil without one.
    func pathToPrevious(in answer: AnswerValue) -> String? {
        EnvelopeValue.all(in: answer, beside: self).first { value in
            let names = value.names.suffix(2).map(LearntNames.plain)
            guard names.contains(where: { $0.hasPrefix("prev") || $0.hasSuffix("previous") }) else { return false }
            return value.value.text != nil || value.value.wholeNumber ?? 0 > 0
        }?.path
    }
}
