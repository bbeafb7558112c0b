// `--same-shape`: whether records lost a member that nearly all stored ones have. An API that renames a member gives
// whole lists of records without it, with status 0.

/// Counts the members of records, old and new.
package struct ShapeCheck {
    /// The most names that are counted of either, each of which nearly all records have or none.
    private static let namesLimit = 10_000

    /// How many records have each name.
    private struct Tally {
        var records = 0
        var counts: [[UInt8]: Int] = [:]
        /// In the order in which they came.
        var names: [[UInt8]] = []

        mutating func take(_ record: Span<UInt8>) {
            var reader = RecordDecoder(record)
            guard !reader.isAtEnd, reader.next() == .beginDictionary else { return }
            records += 1
            while reader.next() == .key {
                let name = reader.text.array
                if let count = counts[name] {
                    counts[name] = count + 1
                } else if names.count < ShapeCheck.namesLimit {
                    counts[name] = 1
                    names.append(name)
                }
                let value = reader.next()
                reader.skipRest(of: value)
            }
        }

        func count(_ name: [UInt8]) -> Int { counts[name] ?? 0 }
    }

    /// A member, and how many records had it before and have it now.
    package struct Member: Equatable {
        package let name: String
        package let old: Int
        package let new: Int
    }

    private var old = Tally()
    private var new = Tally()

    package init() {}

    package var oldRecords: Int { old.records }
    package var newRecords: Int { new.records }

    mutating func takeOld(_ record: borrowing RecordEncoder) { old.take(record.record) }
    mutating func takeNew(_ record: borrowing RecordEncoder) { new.take(record.record) }
    mutating func forgetOld() { old = Tally() }

    /// Members that nine in ten of the old records have and fewer than one in ten of the new.
    package var lost: [Member] { members(usualIn: old, rareIn: new) }

    /// Members of which the opposite is true.
    package var gained: [Member] { members(usualIn: new, rareIn: old) }

    private func members(usualIn many: Tally, rareIn few: Tally) -> [Member] {
        guard old.records > 0, new.records > 0 else { return [] }
        return many.names.filter { many.count($0) * 10 >= many.records * 9 && few.count($0) * 10 < few.records }
            .map { Member(name: $0.span.text, old: old.count($0), new: new.count($0)) }
    }
}
