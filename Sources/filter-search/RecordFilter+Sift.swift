// Many lines at once: most are decided by two letters of the query, most others by the text of their one field.

import PipelineCore

extension RecordFilter {
    /// Decides the first lines of a block, as long as that takes no more than their field's text and a quick check: some
    /// that don't match, then some that do. Where none can be decided so, the first has to be read.
    /// - Parameters:
    ///   - limitBytes: a longer line isn't decided.
    ///   - wanted: it stops after that many matches.
    mutating func sift(_ block: Span<UInt8>, limitBytes: Int, wanted: Int) -> Sifted {
        var sifted = Sifted()
        guard siftsBlocks else {
            sieve?.pass(block, limitBytes, &sifted)
            return sifted
        }
        var scan = FieldScan(block, finders[0], limitBytes: limitBytes)
        while sifted.matches < wanted {
            if hasMatched {
                // The next record most likely has to be checked as well: its text is found on the way.
                guard let (text, end) = record(block, sifted.bytes, limitBytes) else {
                    hasMatched = false
                    if sifted.matches > 0 { return sifted }
                    continue
                }
                hasMatched = isFound(text, in: block)
                sifted.add(lineUpTo: end, isMatch: hasMatched)
            } else {
                sieve?.pass(block, limitBytes, &sifted)
                scan.skip(to: sifted.bytes)
                var isMatch = false
                switch scan.advance() {
                case .end, .unsure: return sifted
                case .other: break
                case .text(let text): isMatch = isFound(text, in: block)
                }
                guard !isMatch || isRecord(block, scan.lineStart, scan.name) else { return sifted }
                hasMatched = isMatch
                sifted.add(lineUpTo: scan.next, isMatch: isMatch)
            }
            if !hasMatched, sifted.matches > 0 { return sifted }
        }
        return sifted
    }

    /// The field's text in the line that begins at `start`, where that is a record, and where the next line begins.
    private func record(_ block: Span<UInt8>, _ start: Int, _ limitBytes: Int) -> (text: JSONString, end: Int)? {
        guard let end = block.firstIndex(of: 0x0A, from: start), end - start > 4, end - start <= limitBytes,
            block[start + 2] != UInt8(ascii: "$"),
            let text = RecordCheck.text(ofMember: finders[0].name, in: block, from: start, to: end)
        else { return nil }
        return (text, end + 1)
    }

    private mutating func isFound(_ text: JSONString, in block: Span<UInt8>) -> Bool {
        guard text.hasEscapes || query.mayMatch(in: block, text.range) else { return false }
        query.begin()
        compare(text, in: block)
        return query.isSatisfied
    }

    /// Whether a line that has the query is a record, its field is its own, and nothing else is demanded.
    private func isRecord(_ block: Span<UInt8>, _ start: Int, _ name: Int) -> Bool {
        conditions.isEmpty && !query.requiresAll && RecordCheck.isRecord(block, from: start, withMemberAt: name)
    }
}
