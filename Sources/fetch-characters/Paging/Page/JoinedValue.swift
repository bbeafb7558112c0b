// Decides what a value of a record that comes in parts is: all that its parts have added so far.
//
//     {"id":9,"a":[1]}   joined by   {"a":[2],"b":5}        id, a and b as members, of which a is a value of its own: [1,2]
//
// What a part costs depends on its own size and not on the record's, so that a record in thousands of parts takes no longer
// than its bytes. Hence a value stays the text that it came as until a part differs from it, an array grows at its end, and
// members are found by their names' hashes.

import PipelineCore

final class JoinedValue {
    /// A part has another value than those before it.
    struct ConflictError: Error {
        /// The names of the members that lead to it, the innermost first.
        fileprivate(set) var names: [[UInt8]] = []

        /// At most as much as a message has room for.
        var path: String { names.reversed().map { $0.span.text }.joined(separator: ".") }
    }

    /// About what the memory for a member that has become a value of its own takes.
    private static let childBytes = 96

    /// Nil once the value has become `members`.
    private var text: [UInt8]?
    private var members: JoinedMembers?
    private var kind: JSONNode.Kind
    private var isEmptyArray = false

    /// - Parameter text: checked JSON.
    init(_ text: [UInt8]) {
        self.text = text
        kind = JSONNode.Kind(firstByte: text[0])
        isEmptyArray = kind == .array && text.span.isEmptyContainer
    }

    /// Adds what a later part has.
    /// - Returns: by how many bytes the value has grown, nil if it had all of the part.
    func join(_ later: Span<UInt8>) throws(ConflictError) -> Int? {
        if let text, text.span.equals(later) { return nil }
        switch (kind, JSONNode.Kind(firstByte: later[0])) {
        case (_, .null): return nil
        case (.null, _): return replace(by: later)
        case (.object, .object): return try joinMembers(later)
        // Some languages write an empty object as an empty array.
        case (.object, .array) where later.isEmptyContainer, (.array, .array) where later.isEmptyContainer:
            return nil
        case (.array, .object) where isEmptyArray, (.array, .array) where isEmptyArray:
            return replace(by: later)
        case (.array, .array):
            text?.removeLast()
            text?.append(UInt8(ascii: ","))
            text?.append(later.extracting(1...))
            return later.count - 1
        case (let kind, let other):
            guard kind == other, isEqual(later) else { throw ConflictError() }
            return nil
        }
    }

    private func replace(by later: Span<UInt8>) -> Int {
        let growth = later.count - (text?.count ?? 0)
        text = later.array
        kind = JSONNode.Kind(firstByte: later[0])
        isEmptyArray = kind == .array && later.isEmptyContainer
        return growth
    }

    /// Whether a number or a text is the same, however it is written.
    private func isEqual(_ later: Span<UInt8>) -> Bool {
        guard let text else { return false }
        return switch kind {
        case .number: JSONNumberOrder.between(text.span, later) == .equal
        case .string: Self.decoded(text.span) == Self.decoded(later)
        default: false
        }
    }

    private func joinMembers(_ later: Span<UInt8>) throws(ConflictError) -> Int? {
        if let text { members = JoinedMembers(text.span) }
        text = nil
        var growth: Int?
        let found = RecordElements(membersOf: later)
        for (name, range) in zip(found.names, found.ranges) {
            let label = later.extracting(name.lowerBound - 1..<range.lowerBound)
            let decoded = Self.decoded(later.extracting(name))
            let value = later.extracting(range)
            do throws(ConflictError) {
                guard let more = try join(value, decoded, label) else { continue }
                growth = (growth ?? 0) + more
            } catch {
                var conflict = error
                conflict.names.append(decoded)
                throw conflict
            }
        }
        return growth
    }

    private func join(
        _ value: Span<UInt8>, _ name: [UInt8], _ label: Span<UInt8>
    ) throws(ConflictError) -> Int? {
        guard let place = members?.place(of: name) else { return members?.append(label, value, name) }
        if let child = members?.child(at: place) { return try child.join(value) }
        guard let earlier = members?.text(at: place, unless: value) else { return nil }
        let child = JoinedValue(earlier)
        guard let growth = try child.join(value) else { return nil }
        members?.setChild(child, at: place)
        return growth + Self.childBytes
    }

    func append(to output: inout [UInt8]) {
        if let text { output += text }
        members?.append(to: &output)
    }

    /// What a string or the name of a member says. As written if that is no text.
    private static func decoded(_ string: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        return JSONStringDecoder.append(string, to: &text) ? text : string.array
    }

    fileprivate static func name(_ string: Span<UInt8>) -> [UInt8] { decoded(string) }
}

/// The members of an object. Few of a record's become values of their own; of the others only their place is kept.
private struct JoinedMembers {
    private struct Member {
        let start: Int32
        let valueStart: Int32
        let end: Int32
        /// Holds the value in place of the text if a part has added to it.
        var child: JoinedValue?
    }

    private static let hash = ByteHash()

    /// Names and values as they came, `"a":1`, one after another.
    private var text: [UInt8] = []
    private var members: [Member] = []
    /// By the hash of the name. Of members with the same name the first.
    private var places: [UInt64: Int32] = [:]

    /// - Parameter object: checked JSON.
    init(_ object: Span<UInt8>) {
        let found = RecordElements(membersOf: object)
        text.reserveCapacity(object.count)
        for (name, range) in zip(found.names, found.ranges) {
            _ = append(
                object.extracting(name.lowerBound - 1..<range.lowerBound), object.extracting(range),
                JoinedValue.name(object.extracting(name)))
        }
    }

    func place(of name: [UInt8]) -> Int? { places[Self.hash.hash(name.span)].map { Int($0) } }

    func child(at place: Int) -> JoinedValue? { members[place].child }

    mutating func setChild(_ child: JoinedValue, at place: Int) { members[place].child = child }

    /// The value as it came, nil if that is this one.
    func text(at place: Int, unless value: Span<UInt8>) -> [UInt8]? {
        let own = text.span.extracting(Int(members[place].valueStart)..<Int(members[place].end))
        return own.equals(value) ? nil : own.array
    }

    /// - Parameter label: the name with its quotes and the colon.
    /// - Returns: by how many bytes the object has grown.
    mutating func append(_ label: Span<UInt8>, _ value: Span<UInt8>, _ name: [UInt8]) -> Int {
        let start = text.count
        text.append(label)
        text.append(value)
        let place = Int32(members.count)
        members.append(
            Member(start: Int32(start), valueStart: Int32(start + label.count), end: Int32(text.count)))
        let key = Self.hash.hash(name.span)
        if places[key] == nil { places[key] = place }
        return label.count + value.count + (place > 0 ? 1 : 0)
    }

    func append(to output: inout [UInt8]) {
        var separator = UInt8(ascii: "{")
        if members.isEmpty { output.append(separator) }
        for member in members {
            output.append(separator)
            separator = UInt8(ascii: ",")
            let end = member.child == nil ? member.end : member.valueStart
            output.append(text.span.extracting(Int(member.start)..<Int(end)))
            member.child?.append(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}
