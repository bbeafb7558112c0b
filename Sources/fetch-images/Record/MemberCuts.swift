// Cuts members out of a record, each with one comma.
//
//     {"a":1, "x":2 ,"b":3}       {"x":2, "b":3}
//           └─────┘                └────┘
//     {"a":1 ,"b":3}              { "b":3}

import PipelineCore

/// The ranges of a line that are left out.
struct MemberCuts {
    private var ranges: [Range<Int>] = []
    /// The end of the last dropped member, if no kept one precedes it: a comma after it is dropped too.
    private var dropsCommaFrom: Int?
    /// Whether any member stays.
    private var hasKept = false

    /// Takes the next member, from the quote of its name to the end of its value.
    mutating func add(_ member: Range<Int>, isDropped: Bool, in line: Span<UInt8>) {
        if let end = dropsCommaFrom, let comma = line.firstIndex(of: UInt8(ascii: ","), from: end) {
            ranges.append(end..<comma + 1)
            dropsCommaFrom = nil
        }
        guard isDropped else {
            hasKept = true
            return
        }
        guard hasKept else {
            ranges.append(member)
            dropsCommaFrom = member.upperBound
            return
        }
        // Between two members there is one comma, and white space.
        var comma = member.lowerBound - 1
        while line[comma] != UInt8(ascii: ",") { comma -= 1 }
        ranges.append(comma..<member.upperBound)
    }

    /// The line without the dropped members.
    /// - Parameter brace: the index of the record's closing brace.
    func apply(to line: Span<UInt8>, brace: Int) -> InsertableLine {
        var kept: [UInt8] = []
        kept.reserveCapacity(line.count)
        var location = 0
        for range in ranges {
            kept.append(line.extracting(location..<range.lowerBound))
            location = range.upperBound
        }
        kept.append(line.extracting(location...))
        return InsertableLine(bytes: kept, brace: brace - ranges.reduce(0) { $0 + $1.count }, hasMembers: hasKept)
    }
}
