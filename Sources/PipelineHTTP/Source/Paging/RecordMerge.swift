// Joins records that a service sends in parts, as MediaWiki does: each page has the same records with other members.
//
//     {"pageid":9,"title":"Lamp"}    {"pageid":9,"original":{…}}    ->    {"pageid":9,"title":"Lamp","original":{…}}
//
// What is added to a record keeps its bytes, and so does what nothing is added to.

package import PipelineCore

/// The records that wait for further parts, in the order in which they first came.
package struct RecordMerge: ~Copyable {
    /// The most text that may wait.
    private static let limitBytes = RecordStream.limitBytes

    /// What is wrong with a part, and what to do about it.
    package struct Fault: Error, Equatable, Sendable {
        package let text: String

        /// - Parameter id: of a record that isn't waiting any more.
        package static func late(_ id: [UInt8]) -> Fault {
            Fault(
                text: "id \(id.span.text) came again after its record was complete; check merge and members.id, or run it "
                    + "again if the list has changed")
        }
    }

    /// What a part is to those before it.
    package enum Part: Equatable, Sendable {
        case first
        case added
        /// The record has all of it already.
        case known
    }

    /// Finds ids.
    private var mapper: RecordMapper
    private let limitBytes: Int
    private var texts: [[UInt8]] = []
    /// Indices of `texts` by id.
    private var places: [[UInt8]: Int] = [:]
    private var byteCount = 0

    package init(_ source: Source, limitBytes: Int = limitBytes) {
        mapper = RecordMapper(source, isRaw: true)
        self.limitBytes = limitBytes
    }

    package var isEmpty: Bool { texts.isEmpty }

    package func contains(_ id: [UInt8]) -> Bool { places[id] != nil }

    /// The id of a part.
    /// - Parameter part: a checked object.
    package mutating func id(of part: Span<UInt8>) throws(Fault) -> [UInt8] {
        do throws(JSONError) { try mapper.map(part) } catch {
            throw Fault(text: "a record is too large for the paths of the description: \(error)")
        }
        mapper.removeLines()
        guard !mapper.id.isEmpty else { throw Fault(text: "a record in parts has no id; check members.id") }
        return mapper.id
    }

    /// Adds a part to the record that has its id.
    /// - Parameter part: a checked object.
    package mutating func add(_ part: Span<UInt8>, id: [UInt8]) throws(Fault) -> Part {
        guard let place = places[id] else {
            places[id] = texts.count
            texts.append(part.array)
            try count(part.count)
            return .first
        }
        let earlier = texts[place]
        let joined: [UInt8]
        do throws(Contradiction) { joined = try Self.join(earlier.span, part, []) } catch {
            throw Fault(
                text: "id \(id.span.text) came with another \(error.member) in a later part; the id isn't unique, or the "
                    + "record has changed: check members.id, or run it again")
        }
        guard joined != earlier else { return .known }
        try count(joined.count - earlier.count)
        texts[place] = joined
        return .added
    }

    private mutating func count(_ bytes: Int) throws(Fault) {
        byteCount += bytes
        guard byteCount > limitBytes else { return }
        throw Fault(
            text: "records of more than \(limitBytes >> 20) MiB wait for further parts; check merge, or ask for smaller "
                + "pages with --page-size")
    }

    package mutating func removeAll() {
        texts.removeAll()
        places.removeAll()
        byteCount = 0
    }

    /// The records that wait, one after another, as the whole ones that they are from now on.
    package mutating func take() -> (text: [UInt8], outline: RecordOutline) {
        defer { removeAll() }
        var outline = RecordOutline()
        let text = Array(texts.joined())
        var start = 0
        for record in texts {
            outline.add(start..<start + record.count, of: text.span)
            start += record.count
        }
        return (text, outline)
    }

    // MARK: Values

    private struct Contradiction: Error {
        /// `original.width`
        let member: String
    }

    /// Joins two values of a member.
    /// - Parameter names: those that lead to it.
    private static func join(
        _ earlier: Span<UInt8>, _ later: Span<UInt8>, _ names: [String]
    ) throws(Contradiction) -> [UInt8] {
        if later.equals("null") || earlier.equals(later) { return earlier.array }
        if earlier.equals("null") { return later.array }
        if isContainer(earlier), isContainer(later) {
            // Some languages write an empty object as an empty array.
            if later.isEmptyContainer { return earlier.array }
            if earlier.isEmptyContainer { return later.array }
        }
        switch (earlier[0], later[0]) {
        case (UInt8(ascii: "{"), UInt8(ascii: "{")): return try joinMembers(earlier, later, names)
        case (UInt8(ascii: "["), UInt8(ascii: "[")):
            var elements = earlier.extracting(..<(earlier.count - 1)).array
            elements.append(UInt8(ascii: ","))
            elements.append(later.extracting(1...))
            return elements
        default:
            guard areSame(earlier, later) else { throw Contradiction(member: names.joined(separator: ".")) }
            return earlier.array
        }
    }

    private static func joinMembers(
        _ earlier: Span<UInt8>, _ later: Span<UInt8>, _ names: [String]
    ) throws(Contradiction) -> [UInt8] {
        var members = members(of: earlier)
        var places: [[UInt8]: Int] = [:]
        for index in members.indices.reversed() { places[members[index].name] = index }
        for member in Self.members(of: later) {
            if let place = places[member.name] {
                let value = members[place].value
                members[place].value = try join(
                    value.span, member.value.span, names + [member.name.span.text])
            } else {
                places[member.name] = members.count
                members.append(member)
            }
        }
        var object: [UInt8] = []
        for member in members {
            object += object.isEmpty ? "{".utf8 : ",".utf8
            object += member.label
            object += member.value
        }
        object += "}".utf8
        return object
    }

    /// The members of an object: their names, how these are written up to the colon, and their values.
    private static func members(of object: Span<UInt8>) -> [(name: [UInt8], label: [UInt8], value: [UInt8])] {
        var elements = RecordElements()
        elements.addMembers(of: object, at: 0)
        return zip(elements.names, elements.ranges).map { name, value in
            let label = object.extracting(name.lowerBound - 1..<value.lowerBound)
            return (
                text(object.extracting(name)), label.array, object.extracting(value).array
            )
        }
    }

    private static func areSame(_ earlier: Span<UInt8>, _ later: Span<UInt8>) -> Bool {
        let quote = UInt8(ascii: "\"")
        if earlier[0] == quote, later[0] == quote {
            return text(earlier.extracting(1..<earlier.count - 1)) == text(later.extracting(1..<later.count - 1))
        }
        guard isNumber(earlier), isNumber(later) else { return false }
        return JSONNumberOrder.between(earlier, later) == .equal
    }

    private static func isContainer(_ value: Span<UInt8>) -> Bool {
        value[0] == UInt8(ascii: "{") || value[0] == UInt8(ascii: "[")
    }

    private static func isNumber(_ value: Span<UInt8>) -> Bool {
        value[0] == UInt8(ascii: "-") || (0x30...0x39).contains(value[0])
    }

    /// What a string says. As written if that is no text.
    private static func text(_ content: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        return JSONStringDecoder.append(content, to: &text) ? text : content.array
    }
}
