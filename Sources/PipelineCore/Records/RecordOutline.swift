// Finds the records of a page and their members in the same pass that checks the page:
//
//     {"info":{"count":2,…},"data":[{"_id":7,…},{"_id":8,…}]}
//      ^ checked            ^ name   ^ ^ member  ^ record
//
// A less plain page isn't outlined; read it by other means.

/// The locations of records and members. It keeps its buffers from one text to the next.
package struct RecordOutline: Sendable {
    package struct Record: Equatable, Sendable {
        package let range: Range<Int>
        package let members: Range<Int>
    }

    /// A longer text isn't outlined, in bytes.
    package static let limitBytes = Int(UInt32.max)

    /// The records in order, in 12 bytes each: a page may have millions of small ones.
    package struct Records: RandomAccessCollection, Equatable, Sendable {
        private struct Location: Equatable, Sendable {
            let start: UInt32
            let end: UInt32
            /// The index past its last member. Its first member follows the last of the record before.
            let membersEnd: UInt32
        }

        private var offsets: [Location] = []

        package var startIndex: Int { 0 }
        package var endIndex: Int { offsets.count }

        package subscript(position: Int) -> Record {
            let offset = offsets[position]
            let membersStart = position == 0 ? 0 : Int(offsets[position - 1].membersEnd)
            return Record(
                range: Int(offset.start)..<Int(offset.end),
                members: membersStart..<Int(offset.membersEnd))
        }

        fileprivate mutating func append(_ range: Range<Int>, membersEnd: Int) {
            offsets.append(
                Location(
                    start: UInt32(range.lowerBound), end: UInt32(range.upperBound), membersEnd: UInt32(membersEnd)))
        }

        fileprivate mutating func removeAll() { offsets.removeAll(keepingCapacity: true) }
    }

    package private(set) var records = Records()
    package private(set) var members: [JSONMember] = []
    package private(set) var hasLineEnds = false

    private let hasMembers: Bool

    package init(hasMembers: Bool = true) { self.hasMembers = hasMembers }

    package mutating func removeAll() {
        records.removeAll()
        members.removeAll(keepingCapacity: true)
        hasLineEnds = false
    }

    /// Checks a text, and finds the records: the elements of an array in it.
    /// - Parameter path: the names of the nested members that lead to the array.
    /// - Returns: false if the text isn't JSON, has no such array, has an element in it that isn't an object, or
    ///   nests values more than 64 deep in a record's member. No records are found then.
    package mutating func read(_ text: Span<UInt8>, at path: [[UInt8]]) -> Bool {
        removeAll()
        guard text.count <= Self.limitBytes else { return false }
        var stream = ElementStream(
            ElementStream.Place(path: path, isObject: false), keepsRest: false, limitBytes: Self.limitBytes)
        var index = 0
        var isPage = false
        do throws(ElementStream.Fault) {
            while try stream.reachElement(text, &index, isLast: true) {
                let start = index
                stream.takeRecords(text, &index, &self)
                if index == start { break }
            }
            isPage = stream.isAtEnd && stream.hasFound
        } catch {}
        if !isPage { removeAll() }
        return isPage
    }

    /// - Parameter range: an object in a text that has been checked, within its first 4 GiB.
    package mutating func add(_ range: Range<Int>, of text: Span<UInt8>) {
        precondition(range.upperBound <= Self.limitBytes)
        let record = text.extracting(range)
        noteLineEnds(record)
        guard hasMembers else { return records.append(range, membersEnd: 0) }
        let first = members.count
        var index = 0
        if !JSONValidator(record).passRecord(&index, &members) {
            members.removeLast(members.count - first)
            // The record has been checked, so it can only be nested too deep.
            do throws(JSONError) { try Self.read(record, &members) } catch {}
        }
        records.append(range, membersEnd: members.count)
    }

    /// Checks the object that begins here, adds it, and moves past it.
    /// - Parameter text: the same for all records, of 4 GiB at most.
    /// - Returns: false if it isn't whole, isn't well-formed, or is nested deeper than a scan follows.
    mutating func take(_ text: Span<UInt8>, _ index: inout Int) -> Bool {
        let start = index
        let first = members.count
        let json = JSONValidator(text)
        let isWhole = hasMembers ? json.passRecord(&index, &members) : json.passValue(&index)
        guard isWhole, index <= Self.limitBytes else {
            members.removeLast(members.count - first)
            return false
        }
        noteLineEnds(text.extracting(start..<index))
        records.append(start..<index, membersEnd: members.count)
        return true
    }

    /// Appends the members of a record of any depth.
    static func read(_ record: Span<UInt8>, _ members: inout [JSONMember]) throws(JSONError) {
        var reader = JSONReader(record)
        try reader.beginRecord()
        while case .name(let name)? = try reader.next() {
            guard let token = try reader.next() else { return }
            let start = reader.tokenStart
            try reader.skipRest(of: token)
            members.append(
                JSONMember(name: name.range, value: start..<reader.position, isPlain: !name.hasEscapes))
        }
    }

    private mutating func noteLineEnds(_ text: Span<UInt8>) {
        hasLineEnds = hasLineEnds || text.firstIndex(of: 0x0A) != nil || text.firstIndex(of: 0x0D) != nil
    }
}

extension JSONValidator {
    /// Moves past the record that begins here, and appends its members.
    fileprivate func passRecord(_ index: inout Int, _ members: inout [JSONMember]) -> Bool {
        let start = index
        return passMembers(&index) { name, isPlain, index in
            let value = index
            guard passValue(&index) else { return false }
            members.append(
                JSONMember(
                    name: name.lowerBound &- start..<name.upperBound &- start,
                    value: value &- start..<index &- start, isPlain: isPlain))
            return true
        }
    }
}

/// The usual case, whole objects one after another, in the pass that finds their members.
extension ElementStream {
    /// Takes the elements from here on that are whole objects; stops at any other, and at what isn't well-formed.
    /// - Parameters:
    ///   - index: where the next element begins, as `reachElement` says.
    ///   - outline: of the same text. They are added to it.
    package mutating func takeRecords(_ text: Span<UInt8>, _ index: inout Int, _ outline: inout RecordOutline) {
        // One that has begun is known not to be whole: small pieces of a large one are not checked again and again.
        guard stage == .element, !place.isObject, !isSingle, extent.scanned == 0 else { return }
        let json = JSONValidator(text)
        while json[index] == UInt8(ascii: "{") {
            var end = index
            guard outline.take(text, &end) else { return }
            endElement()
            index = json.afterSpace(end)
            guard json[index] == UInt8(ascii: ",") else { return }
            index = json.afterSpace(index &+ 1)
            beginElement()
        }
    }
}
