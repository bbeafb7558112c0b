// Where two records differ, as normalized paths (RFC 9535, section 2.7).
//
//     {"id":1,"films":["a","b"]}   {"id":1,"films":["a","c"],"x":0}     $['films'][1]  $['x']
//
// Objects are compared by name, arrays by index, everything else as it is stored: 1 and 1.0 differ. An object whose
// members stand in another order differs itself.

/// The differences of two encoded records.
struct RecordDifference {
    /// The most paths that are kept.
    private static let limit = 100
    /// The most bytes of them but for the last one: a name may be as long as a record.
    private static let limitBytes = 1 << 20

    /// In the order of the new record, then what only the old one has; the path of an object before those in it.
    private(set) var paths: [[UInt8]] = []
    /// Further differences.
    private(set) var more = 0
    /// The first place where a date or data has become a text, most often since `--date` or `--data` was left out.
    private(set) var untyped: (path: [UInt8], old: StoredElement)?
    /// Where differences don't count, and the node of the path there; nil where nothing below is ignored.
    private let ignored: JSONPlaces
    private var node: Int? = JSONPlaces.root
    private var path: [UInt8] = [UInt8(ascii: "$")]
    private var bytes = 0

    init(_ old: Span<UInt8>, _ new: Span<UInt8>, ignoring ignored: JSONPlaces = JSONPlaces()) {
        self.ignored = ignored
        if ignored.isEmpty { node = nil }
        var walkers = (old: RecordWalker(old), new: RecordWalker(new))
        let first = (walkers.old.next(), walkers.new.next())
        compare(&walkers.old, first.0, &walkers.new, first.1)
    }

    var isEmpty: Bool { paths.isEmpty }

    private var isIgnored: Bool { node.map { ignored.isPlace($0) } ?? false }

    private var isFull: Bool { paths.count == Self.limit || bytes >= Self.limitBytes }

    private mutating func report() {
        if !isIgnored { report(before: paths.count) }
    }

    /// Reports the value on the path before the differences that were found in it, and drops the last one if there are
    /// too many.
    private mutating func report(before mark: Int) {
        if isFull {
            more += 1
            guard mark < paths.count else { return }
            bytes -= paths.removeLast().count
        }
        paths.insert(path, at: mark)
        bytes += path.count
    }

    /// Compares two values whose first parts were just read, to their ends.
    private mutating func compare(
        _ old: inout RecordWalker, _ first: StoredElement, _ new: inout RecordWalker, _ second: StoredElement
    ) {
        if isIgnored {
            old.skipRest(of: first)
            new.skipRest(of: second)
        } else if first == .beginDictionary, second == .beginDictionary {
            compareMembers(&old, &new)
        } else if first == .beginArray, second == .beginArray {
            compareElements(&old, &new)
        } else {
            let isSame = Self.areSame(first, second) && (!first.hasText || old.text.equals(new.text))
            old.skipRest(of: first)
            new.skipRest(of: second)
            if isSame { return }
            if second == .string, first.isTyped, untyped == nil { untyped = (path, first) }
            report()
        }
    }

    /// Reals and dates are compared bit by bit, so that 0 and -0 differ and NaN doesn't.
    private static func areSame(_ first: StoredElement, _ second: StoredElement) -> Bool {
        switch (first, second) {
        case (.real(let first), .real(let second)), (.date(let first), .date(let second)):
            first.bitPattern == second.bitPattern
        default: first == second
        }
    }

    // MARK: The path

    /// A state of the path, to come back to.
    private struct Level {
        let count: Int
        let node: Int?
    }

    /// - Returns: the path before, for `leave`.
    private mutating func enter(_ index: Int) -> Level {
        let level = Level(count: path.count, node: node)
        node = node.flatMap { ignored.node($0, .index(index)) }
        path.append(contentsOf: "[\(index)]".utf8)
        return level
    }

    private mutating func enter(_ name: [UInt8]) -> Level {
        let level = Level(count: path.count, node: node)
        node = node.flatMap { ignored.node($0, .name(name)) }
        JSONLocation.appendStep(name: name.span, to: &path)
        return level
    }

    private mutating func leave(_ level: Level) {
        path.removeLast(path.count - level.count)
        node = level.node
    }

    // MARK: Arrays

    private mutating func compareElements(_ old: inout RecordWalker, _ new: inout RecordWalker) {
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

    private mutating func reportRest(of walker: inout RecordWalker, from first: StoredElement, at start: Int) {
        var (element, index) = (first, start)
        while element != .endArray {
            walker.skipRest(of: element)
            let level = enter(index)
            report()
            leave(level)
            element = walker.next()
            index += 1
        }
    }

    // MARK: Objects

    private mutating func compareMembers(_ old: inout RecordWalker, _ new: inout RecordWalker) {
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

    /// The remaining members of an object.
    private struct Members {
        var names: [[UInt8]] = []
        var values: [RecordWalker.Place] = []
        var end: RecordWalker.Place
        /// Of several members of one name the last counts, as in JSON.
        var numbers: [[UInt8]: Int] = [:]

        init(_ walker: inout RecordWalker, from first: StoredElement) {
            var element = first
            while element == .key {
                numbers[walker.text.array] = names.count
                names.append(walker.text.array)
                values.append(walker.place)
                walker.skipRest(of: walker.next())
                element = walker.next()
            }
            end = walker.place
        }

        var hasRepeats: Bool { numbers.count < names.count }
    }

    private mutating func search(
        _ mine: Members, _ theirs: Members, _ old: inout RecordWalker, _ new: inout RecordWalker, _ mark: Int
    ) {
        var last = -1
        var isInOrder = true
        for (index, name) in theirs.names.enumerated() {
            let level = enter(name)
            if let number = mine.numbers[name] {
                if !isIgnored {
                    if number < last { isInOrder = false }
                    last = number
                }
                old.go(to: mine.values[number])
                new.go(to: theirs.values[index])
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
        old.go(to: mine.end)
        new.go(to: theirs.end)
        // Which of two members of one name counts is up to the reader, so then the object itself differs.
        let hasRepeats = mine.hasRepeats || theirs.hasRepeats
        if !isInOrder || hasRepeats && paths.count == mark { report(before: mark) }
    }
}

// Walks through an encoded record, and past a value of any size at once.

/// Where the containers of an encoded record end, in the order in which they begin.
private struct ContainerEnds {
    /// Offsets of what follows each of them.
    var offsets: [Int] = []
    /// How many have begun before what follows each of them.
    var begun: [Int] = []

    init(_ record: Span<UInt8>) {
        var reader = RecordDecoder(record)
        var open: [Int] = []
        while !reader.isAtEnd {
            switch reader.next().depthChange {
            case 1:
                open.append(offsets.count)
                offsets.append(0)
                begun.append(0)
            case -1:
                guard let number = open.popLast() else { return }
                offsets[number] = reader.position
                begun[number] = offsets.count
            default: break
            }
        }
    }
}

/// Reads the parts of an encoded record. It reads the whole record once at the beginning, so that a skipped value
/// costs nothing, however deep the records are.
struct RecordWalker: ~Escapable {
    /// The place of a value, to come back to.
    struct Place {
        fileprivate let offset: Int
        fileprivate let begun: Int
    }

    private var reader: RecordDecoder
    private let ends: ContainerEnds
    /// Containers that have begun.
    private var begun = 0

    @_lifetime(copy record)
    init(_ record: Span<UInt8>) {
        reader = RecordDecoder(record)
        ends = ContainerEnds(record)
    }

    /// The text of the key or string, or the content of the data, that was read last.
    var text: Span<UInt8> {
        @_lifetime(copy self)
        get { reader.text }
    }

    /// The next part. There must be one.
    @_lifetime(self: copy self)
    mutating func next() -> StoredElement {
        let element = reader.next()
        if element.depthChange == 1 { begun += 1 }
        return element
    }

    /// Skips a value whose first part was just read.
    @_lifetime(self: copy self)
    mutating func skipRest(of first: StoredElement) {
        guard first.depthChange == 1 else { return }
        let number = begun - 1
        reader.seek(ends.offsets[number])
        begun = ends.begun[number]
    }

    /// The place of the next part.
    var place: Place { Place(offset: reader.position, begun: begun) }

    /// Goes on at a place.
    @_lifetime(self: copy self)
    mutating func go(to place: Place) {
        reader.seek(place.offset)
        begun = place.begun
    }
}
