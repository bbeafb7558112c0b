// Where two records differ, as normalized paths (RFC 9535, section 2.7).
//
//     {"id":1,"films":["a","b"]}   {"id":1,"films":["a","c"],"x":0}     $['films'][1]  $['x']
//
// Objects are compared by name, whatever the order of their members, arrays by index, everything else as it is stored: in a
// property list 1 and 1.0 differ, and in JSON Lines they are one number.

struct RecordDifference {
    private static let limit = 100
    /// The most bytes of them but for the last one: a name may be as long as a record.
    private static let limitBytes = 1 << 20

    /// In the order of the new record, then what only the old one has.
    private(set) var paths: [[UInt8]] = []
    private(set) var more = 0
    /// The first place where a date or data has become a text, most often since `--date` or `--data` was left out.
    private(set) var untyped: (path: [UInt8], old: StoredElement)?
    private let ignored: Set<RecordPlace>
    private var place = RecordPlace()
    private var path: [UInt8] = [UInt8(ascii: "$")]
    private var bytes = 0

    init(_ old: Span<UInt8>, _ new: Span<UInt8>, ignoring ignored: Set<RecordPlace> = []) {
        self.ignored = ignored
        var readers = (old: RecordDecoder(old), new: RecordDecoder(new))
        let first = (readers.old.next(), readers.new.next())
        compare(&readers.old, first.0, &readers.new, first.1)
    }

    var isEmpty: Bool { paths.isEmpty }

    private var isIgnored: Bool { !ignored.isEmpty && ignored.contains(place) }

    /// Reports the value on the path, unless there are too many.
    private mutating func report() {
        if isIgnored { return }
        guard paths.count < Self.limit, bytes < Self.limitBytes else {
            more += 1
            return
        }
        paths.append(path)
        bytes += path.count
    }

    /// Compares two values whose first parts were just read, to their ends.
    private mutating func compare(
        _ old: inout RecordDecoder, _ first: StoredElement, _ new: inout RecordDecoder, _ second: StoredElement
    ) {
        if isIgnored {
            old.skipRest(of: first)
            new.skipRest(of: second)
        } else if first == .beginDictionary, second == .beginDictionary {
            compareMembers(&old, &new)
        } else if first == .beginArray, second == .beginArray {
            compareElements(&old, &new)
        } else {
            let isSame = Self.areSame(first, old.text, second, new.text)
            old.skipRest(of: first)
            new.skipRest(of: second)
            if isSame { return }
            if second == .string, untyped == nil {
                switch first {
                case .date, .data: untyped = (path, first)
                default: break
                }
            }
            report()
        }
    }

    /// Reals and dates are compared bit by bit, so that 0 and -0 differ and NaN doesn't.
    /// The numbers of lines are compared as numbers, however they are spelt.
    private static func areSame(
        _ first: StoredElement, _ firstText: Span<UInt8>, _ second: StoredElement, _ secondText: Span<UInt8>
    ) -> Bool {
        switch (first, second) {
        case (.real(let first), .real(let second)), (.date(let first), .date(let second)):
            first.bitPattern == second.bitPattern
        case (.number, .number): JSONNumberOrder.between(firstText, secondText) == .equal
        default: first == second && (!first.hasText || firstText.equals(secondText))
        }
    }

    // MARK: The path

    private typealias Level = (count: Int, place: RecordPlace)

    /// - Returns: the level before, for `leave`.
    private mutating func enter(_ append: (inout [UInt8]) -> Void) -> Level {
        let level = (path.count, place)
        append(&path)
        if !ignored.isEmpty { place = place.child(path.span.extracting(level.0...)) }
        return level
    }

    private mutating func enter(_ name: [UInt8]) -> Level {
        enter { JSONLocation.appendStep(name: name.span, to: &$0) }
    }

    private mutating func enter(_ index: Int) -> Level { enter { JSONLocation.append(.index(index), to: &$0) } }

    private mutating func leave(_ level: Level) {
        path.removeLast(path.count - level.count)
        place = level.place
    }

    private mutating func compareElements(_ old: inout RecordDecoder, _ new: inout RecordDecoder) {
        var index = 0
        while true {
            let (first, second) = (old.next(), new.next())
            guard first != .endArray, second != .endArray else {
                if first != .endArray { reportRest(of: &old, from: first, at: index) }
                if second != .endArray { reportRest(of: &new, from: second, at: index) }
                return
            }
            let level = enter(index)
            compare(&old, first, &new, second)
            leave(level)
            index += 1
        }
    }

    private mutating func reportRest(of reader: inout RecordDecoder, from first: StoredElement, at start: Int) {
        var (element, index) = (first, start)
        while element != .endArray {
            reader.skipRest(of: element)
            let level = enter(index)
            report()
            leave(level)
            element = reader.next()
            index += 1
        }
    }

    // MARK: Objects

    private mutating func compareMembers(_ old: inout RecordDecoder, _ new: inout RecordDecoder) {
        let mark = paths.count
        while true {
            let (first, second) = (old.next(), new.next())
            if first == .key, second == .key, old.text.equals(new.text) {
                // Members in the same order, as nearly all are, need no search.
                let name = new.text.array
                let values = (old.next(), new.next())
                let level = enter(name)
                compare(&old, values.0, &new, values.1)
                leave(level)
            } else if first == .key || second == .key {
                return search(Members(&old, from: first), Members(&new, from: second), &old, &new, mark)
            } else {
                return
            }
        }
    }

    private struct Members {
        var names: [[UInt8]] = []
        var values: [Int] = []
        var end: Int
        /// Of several members of one name the last counts, as in JSON.
        var numbers: [[UInt8]: Int] = [:]

        init(_ reader: inout RecordDecoder, from first: StoredElement) {
            var element = first
            while element == .key {
                numbers[reader.text.array] = names.count
                names.append(reader.text.array)
                values.append(reader.position)
                let value = reader.next()
                reader.skipRest(of: value)
                element = reader.next()
            }
            end = reader.position
        }

        var hasRepeats: Bool { numbers.count < names.count }
    }

    private mutating func search(
        _ mine: Members, _ theirs: Members, _ old: inout RecordDecoder, _ new: inout RecordDecoder, _ mark: Int
    ) {
        for (index, name) in theirs.names.enumerated() {
            let level = enter(name)
            if let number = mine.numbers[name] {
                old.seek(mine.values[number])
                new.seek(theirs.values[index])
                let first = (old.next(), new.next())
                compare(&old, first.0, &new, first.1)
            } else {
                report()
            }
            leave(level)
        }
        for name in mine.names where theirs.numbers[name] == nil {
            let level = enter(name)
            report()
            leave(level)
        }
        old.seek(mine.end)
        new.seek(theirs.end)
        // Which of two members of one name counts is up to the reader, so then the object itself differs.
        let hasRepeats = mine.hasRepeats || theirs.hasRepeats
        if hasRepeats, paths.count == mark { report() }
    }
}
