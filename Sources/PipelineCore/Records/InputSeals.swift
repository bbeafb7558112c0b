// The seals of an input, wherever they stand in it, and the records that they have to speak for. A pipe may carry
// several lists, one after the other:
//
//     record  record  seal  record  seal           both have ended as they should: one seal with the sum is passed on
//     record  record  record  seal of one          a source has ended without a seal: none is passed on
//     record  seal of nine                         fewer records than the seal says: a filter stood before

/// Adds up seals and records.
package struct InputSeals: Equatable, Sendable {
    /// The only seal as it came, with a line feed. Empty if there are none or several.
    private var onlyLine: [UInt8] = []
    /// What the seals say together; nil if there is none.
    package private(set) var claim: SealClaim?
    private var count = 0
    /// The records that came, without the bad lines.
    private var records = 0
    /// Whether any line but blank ones came, and whether the last one was a seal.
    private var isBlank = true
    private var endsWithSeal = false

    package init() {}

    package var isEmpty: Bool { claim == nil }

    /// Whether the input is complete, as its seals say.
    package var isComplete: Bool { claim != nil && doubt == nil }

    /// The one seal to pass on. Empty if there is none, or a doubt.
    package var line: [UInt8] {
        guard let claim, doubt == nil else { return [] }
        return count == 1 ? onlyLine : claim.line
    }

    /// Why the seals don't speak for all that came.
    package var doubt: String? {
        guard let claim else { return nil }
        if let surplus { return surplus }
        if !claim.isComplete { return "a seal says that its list isn't complete; run its source again" }
        return endsWithSeal ? nil : "more came after the last seal; a source ended without one"
    }

    /// That there are more records than the seals speak of.
    package var surplus: String? {
        guard let most = claim?.records, records > most else { return nil }
        return
            "\(records) record\(records == 1 ? "" : "s") came, and the seal\(count == 1 ? " speaks" : "s speak") of "
            + "\(most); a source ended without one"
    }

    /// Takes the next line if it is a seal; otherwise counts it as a record.
    package mutating func take(_ line: Span<UInt8>) -> Bool {
        guard Seal.isSeal(line) else {
            addRecords(1)
            return false
        }
        onlyLine.removeAll()
        if isEmpty {
            onlyLine.append(line)
            onlyLine.append(0x0A)
        }
        add(SealClaim(line), count: 1)
        (isBlank, endsWithSeal) = (false, true)
        return true
    }

    /// Counts records.
    package mutating func addRecords(_ count: Int) {
        records += count
        addLine()
    }

    /// Notes a line that isn't a record.
    package mutating func addLine() { (isBlank, endsWithSeal) = (false, false) }

    /// The record counted last is a bad line.
    package mutating func rejectRecord() { records -= 1 }

    /// Adds those of the input's next part.
    package mutating func add(_ part: InputSeals) {
        records += part.records
        if let claim = part.claim {
            onlyLine = isEmpty ? part.onlyLine : []
            add(claim, count: part.count)
        }
        if !part.isBlank { (isBlank, endsWithSeal) = (false, part.endsWithSeal) }
    }

    private mutating func add(_ claim: SealClaim, count: Int) {
        self.claim = self.claim?.combined(with: claim) ?? claim
        self.count += count
    }
}
