// Decides which elements of arrays and members of objects become records; null becomes none.

import PipelineCore

struct RecordElements {
    private(set) var ranges: [Range<Int>] = []
    /// The ranges of their names, between the quotes, if they are the members of an object.
    private(set) var names: [Range<Int>] = []
    private(set) var areRecords = true
    /// Those that are null, which are no records. A service counts them for the size of its page.
    private(set) var nulls = 0

    init() {}

    /// Those of the object in a checked text, none if it isn't one.
    init(membersOf text: Span<UInt8>) {
        if JSONDocument.object(in: text) != nil { addParts(of: text, at: 0, areMembers: true) }
    }

    /// Those that the service lists.
    var count: Int { ranges.count + nulls }

    mutating func addNull() { nulls += 1 }

    mutating func add(_ range: Range<Int>, isObject: Bool, name: Range<Int>? = nil) {
        ranges.append(range)
        if let name { names.append(name) }
        areRecords = areRecords && isObject && name == nil
    }

    /// - Parameters:
    ///   - start: where the checked array or object begins in its text.
    ///   - areMembers: its parts aren't to be records, and a null is a value like others.
    mutating func addParts(of container: Span<UInt8>, at start: Int, areMembers: Bool = false) {
        var reader = JSONReader(container)
        var name: Range<Int>?
        do throws(JSONError) {
            _ = try reader.next()
            while let token = try reader.next(), token != .endArray, token != .endObject {
                if case .name(let string) = token {
                    name = start + string.range.lowerBound..<start + string.range.upperBound
                    continue
                }
                let first = reader.tokenStart
                try reader.skipRest(of: token)
                if token == .null, !areMembers {
                    addNull()
                } else {
                    add(start + first..<start + reader.position, isObject: token == .beginObject, name: name)
                }
            }
        } catch {}
    }

    /// Makes records of what is none: the members of an object, texts and numbers.
    ///
    ///     {"a":{"name":"X"},"b":{"id":7},"c":5}      {"id":"a","name":"X"}{"id":"b","_id":7}{"id":"c","value":5}
    ///     ["a",5]                                    {"value":"a"}{"value":5}
    /// - Parameter key: the member that takes the value's name.
    func records(of text: Span<UInt8>, key: String?) -> (text: [UInt8], ranges: [Range<Int>]) {
        let start = Array("{".utf8) + (key.map { Array("\(JSONTree.string($0).json):".utf8) } ?? [])
        let label = Array((key == "value" ? "\"_value\":" : "\"value\":").utf8)
        let comma = [UInt8(ascii: ",")]
        var made: [UInt8] = []
        var records: [Range<Int>] = []
        for index in ranges.indices {
            let first = made.count
            let value = text.extracting(ranges[index])
            let isObject = value[0] == UInt8(ascii: "{")
            if names.isEmpty, isObject {
                made.append(value)
            } else {
                made += start
                if !names.isEmpty {
                    made.append(text.extracting(names[index].lowerBound - 1...names[index].upperBound))
                    if !isObject || !value.isEmptyContainer { made += comma }
                }
                if isObject {
                    Self.appendMembers(of: value, besides: Array((key ?? "").utf8), to: &made)
                } else {
                    made += label
                    made.append(value)
                    made.append(UInt8(ascii: "}"))
                }
            }
            records.append(first..<made.count)
        }
        return (made, records)
    }

    /// Appends an object without its first brace. A member that has the key's name gets underscores before it, so many
    /// that no other member has the result.
    private static func appendMembers(of object: Span<UInt8>, besides key: [UInt8], to text: inout [UInt8]) {
        let members = RecordElements(membersOf: object)
        let names = members.names.map { JSONStringDecoder.decoded(object.extracting($0)) }
        var free = [UInt8(ascii: "_")] + key
        while names.contains(free) { free.insert(UInt8(ascii: "_"), at: 0) }
        var copied = 1
        for (name, range) in zip(names, members.names) where name == key {
            text.append(object.extracting(copied..<range.lowerBound))
            text += free.dropLast(key.count)
            copied = range.lowerBound
        }
        text.append(object.extracting(copied...))
    }
}
