// What an answer says about whether its list goes on.

import PipelineCore

/// What is said.
package struct ListEnd {
    /// The path of a flag that says that more follows.
    package private(set) var more: String?
    /// Something says that nothing follows.
    package private(set) var saysEnd = false

    /// Usual sizes of pages. A list with as many records may be one page of several.
    package static let pageSizes: Set<Int> = [10, 12, 15, 20, 24, 25, 30, 50, 100, 200, 250, 500, 1000]

    private static let flags = ["hasmore", "hasnext", "hasnextpage", "more", "morepages", "moreresults", "ismore"]

    package init(_ answer: AnswerValue, beside place: RecordsPlace) {
        for value in EnvelopeValue.all(in: answer, beside: place) {
            let plain = value.names.map(LearntNames.plain)
            if Self.flags.contains(plain.last ?? ""), case .boolean(let isTrue) = value.value {
                if isTrue { more = value.path } else { saysEnd = true }
            }
            if case .null = value.value, plain.contains(where: { $0.contains("next") }) { saysEnd = true }
        }
    }
}
