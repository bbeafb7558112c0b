// Lines that are read to their ends whatever is in them, as conditions alone decide, or as --strict or -v ask for it.
// Where what decides is one own member each, the check finds it on its way, and no line is parsed:
//
//     --where 'age >= 3'        {"name":"Mick","age":4,"films":[]}     checked once, and compared
//     --strict mick             {"name":"Mick","age":4,"films":[]}     checked once, and searched
//
// A line that the check can't decide, as one with two such members, is left to the parser.

import PipelineCore

struct CheckedLines {
    /// The member to search; nil if conditions alone decide.
    private let field: [UInt8]?
    private let isInverted: Bool

    /// - Returns: nil if a record has to be parsed to decide, or needs no check to its end.
    init?(_ settings: FilterSettings, _ names: [[UInt8]], _ conditions: [Condition], parsesMatches: Bool) {
        guard !parsesMatches, conditions.allSatisfy({ $0.member != nil }) else { return nil }
        if settings.hasConditionsOnly {
            field = nil
        } else {
            guard settings.matching.isInverted || settings.isStrict, names.count == 1, FieldName(names[0]) != nil
            else {
                return nil
            }
            field = names[0]
        }
        isInverted = settings.matching.isInverted
    }

    /// Decides the first lines of a block: some that are not wanted, some that are, and one that isn't.
    /// - Parameters:
    ///   - limitBytes: a longer line isn't decided.
    ///   - wanted: stop after this many lines that are.
    func decide(
        _ block: Span<UInt8>, limitBytes: Int, wanted: Int, _ queries: inout QuerySet,
        _ conditions: inout [Condition]
    ) -> DecidedLines {
        var decided = DecidedLines()
        while decided.matches < wanted {
            let start = decided.bytes
            guard let end = block.firstIndex(of: 0x0A, from: start), end - start <= limitBytes,
                Self.isPlain(block, start..<end),
                let isMatch = matches(block, start..<end, &queries, &conditions)
            else { return decided }
            let isWanted = isMatch != isInverted
            decided.add(lineUpTo: end + 1, isMatch: isWanted)
            // The lines that are wanted are one range.
            if !isWanted, decided.matches > 0 { return decided }
        }
        return decided
    }

    /// No seal, nothing before the record or behind it, and room for a member.
    private static func isPlain(_ block: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard line.count > 4, block[line.lowerBound] == UInt8(ascii: "{"),
            block[line.upperBound - 1] == UInt8(ascii: "}")
        else { return false }
        return block[line.lowerBound + 1] == UInt8(ascii: "\"") && block[line.lowerBound + 2] != UInt8(ascii: "$")
    }

    /// - Returns: nil if the check can't tell, or the line isn't a record.
    private func matches(
        _ block: Span<UInt8>, _ line: Range<Int>, _ queries: inout QuerySet, _ conditions: inout [Condition]
    ) -> Bool? {
        let check = JSONValidator(block, end: line.upperBound)
        if let field {
            guard let text = check.text(ofMember: field, from: line.lowerBound) else { return nil }
            queries.begin()
            queries.compare(text, in: block)
            guard queries.isSatisfied else { return false }
        }
        for index in conditions.indices {
            guard let name = conditions[index].member, let member = check.member(name, from: line.lowerBound) else {
                return nil
            }
            guard conditions[index].holds(for: member, of: block) else { return false }
        }
        return true
    }
}
