// The line on stderr that tells of a match: `{"line":3,"field":"name","start":19,"end":23,"rule":"anywhere"}`.

import PipelineCore

/// Where and how a record matched.
struct MatchExplanation: Sendable {
    /// Nil if only one file is read.
    let file: String?
    let line: Int
    /// The path of the string that matched, and the bytes of the line; nil if the conditions alone decided.
    let place: (field: String, range: Range<Int>)?
    let rule: String

    /// - Parameter rank: under `--best` the record's place among them, from 1.
    func text(rank: Int? = nil) -> String {
        ByteBuffer.object { object in
            if let file { object.addMember("file", file) }
            object.addMember("line", line)
            if let place {
                object.addMember("field", place.field)
                object.addMember("start", place.range.lowerBound)
                object.addMember("end", place.range.upperBound)
            }
            object.addMember("rule", rule)
            if let rank { object.addMember("rank", rank) }
        }.text
    }
}
