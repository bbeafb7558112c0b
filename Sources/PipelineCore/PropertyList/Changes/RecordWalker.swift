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
