// `--same-shape`: whether records lost a member that nearly all stored ones have. An API that renames a member gives
// whole lists of records without it, with status 0.

package struct ShapeCheck {
    /// The most names that are counted, each of which nearly all records have or none.
    private static let namesLimit = 10_000

    private struct Tally {
        var records = 0
        var names: [(name: [UInt8], count: Int)] = []
        var numbers: [[UInt8]: Int] = [:]
        /// The name that came next in the record before: nearly all records have the same names in the same order.
        private var guess = 0

        mutating func take(_ record: Span<UInt8>) {
            guess = 0
            if let line = RecordDecoder.line(of: record) {
                records += 1
                return LineValues.forEachMember(of: record.extracting(line)) { count($0) }
            }
            var reader = RecordDecoder(record)
            guard !reader.isAtEnd, reader.next() == .beginDictionary else { return }
            records += 1
            while reader.next() == .key {
                count(reader.text)
                let value = reader.next()
                reader.skipRest(of: value)
            }
        }

        private mutating func count(_ name: Span<UInt8>) {
            if !isAsGuessed(name) {
                let text = name.array
                guess = numbers[text] ?? names.count
                if guess == names.count {
                    guard guess < ShapeCheck.namesLimit else { return }
                    numbers[text] = guess
                    names.append((text, 0))
                }
            }
            names[guess].count += 1
            guess += 1
        }

        private func isAsGuessed(_ name: Span<UInt8>) -> Bool {
            guard guess < names.count else { return false }
            let usual = names[guess].name
            return usual.span.equals(name)
        }

        func count(_ name: [UInt8]) -> Int { numbers[name].map { names[$0].count } ?? 0 }

        func isUsual(_ name: [UInt8]) -> Bool { records > 0 && count(name) * 10 >= records * 9 }

        func isRare(_ name: [UInt8]) -> Bool { count(name) * 10 < records }
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
        return many.names.map(\.name).filter { many.isUsual($0) && few.isRare($0) }
            .map { Member(name: $0.span.text, old: old.count($0), new: new.count($0)) }
    }
}
