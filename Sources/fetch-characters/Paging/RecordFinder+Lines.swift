// The records of an answer in JSON Lines: a value on each line.

import PipelineCore
import PipelineHTTP

extension RecordFinder {
    /// Finds the records of an answer that has a value on each line.
    /// - Parameter check: is given each value.
    mutating func findLines(of body: Span<UInt8>, _ check: inout RefusalCheck) throws(SourcePage.Fault) {
        var elements = RecordElements()
        var lines = TextLines(body)
        while let line = lines.next() {
            try Self.check(body.extracting(line), lines.number, isLast: lines.isAtEnd, &check)
            elements.add(line, isObject: body[line.lowerBound] == UInt8(ascii: "{"))
        }
        try take(elements, of: body)
    }

    /// Finds the records of whole lines, up to the first that isn't as promised.
    /// - Parameter count: the lines of the answer before these.
    /// - Returns: what was used.
    /// - Throws: if it is the first one.
    mutating func takeLines(
        of text: Span<UInt8>, after count: Int, _ check: inout RefusalCheck
    ) throws(SourcePage.Fault) -> (bytes: Int, lines: Int) {
        var elements = RecordElements()
        var lines = TextLines(text)
        var used = (bytes: text.count, lines: 0)
        while true {
            let (start, number) = (lines.position, lines.number)
            guard let line = lines.next() else {
                used.lines = lines.number
                break
            }
            do throws(SourcePage.Fault) {
                guard line.count <= RecordStream.limitBytes else { throw .longLine(count + lines.number) }
                try Self.check(text.extracting(line), count + lines.number, isLast: lines.isAtEnd, &check)
            } catch {
                guard !elements.ranges.isEmpty else { throw error }
                used = (start, number)
                break
            }
            elements.add(line, isObject: text[line.lowerBound] == UInt8(ascii: "{"))
        }
        try take(elements, of: text)
        return used
    }

    private static func check(
        _ value: Span<UInt8>, _ number: Int, isLast: Bool, _ check: inout RefusalCheck
    ) throws(SourcePage.Fault) {
        do throws(SourcePage.Fault) {
            try JSONDocument.check(value, from: 0)
            if value[0] == UInt8(ascii: "[") { try checkDepth(value) }
        } catch {
            guard case .broken(let finding) = error else {
                // Only the last line can have been cut.
                if isLast { throw error }
                throw .broken("line \(number): text that isn't JSON")
            }
            throw .broken("line \(number): \(finding)")
        }
        try check.check(value)
    }

    /// An array takes one level more when it becomes the member of a record.
    static func checkDepth(_ array: Span<UInt8>) throws(SourcePage.Fault) {
        var deeper = [UInt8(ascii: "[")]
        deeper.append(array)
        deeper.append(UInt8(ascii: "]"))
        try JSONDocument.check(deeper.span, from: 0)
    }
}
