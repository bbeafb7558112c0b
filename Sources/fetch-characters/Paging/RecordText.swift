// Makes records of what is none: the members of an object, texts and numbers.
//
//     {"a":{"name":"X"},"b":{"id":7},"c":5}      {"id":"a","name":"X"}{"id":"b","_id":7}{"id":"c","value":5}
//     ["a",5]                                    {"value":"a"}{"value":5}

import PipelineCore
import PipelineHTTP

/// The text of the records made from the values of an answer, one after another.
struct RecordText {
    private(set) var bytes: [UInt8] = []
    private(set) var records: [Range<Int>] = []
    /// The member that takes the value's name.
    private let key: [UInt8]
    /// `{"id":`
    private let start: [UInt8]
    /// What stands before a value that isn't an object.
    private let value: [UInt8]
    private var decoded: [UInt8] = []

    /// - Parameter key: the name of the member that takes the value's name.
    init(key: String?) {
        self.key = Array((key ?? "").utf8)
        var start = [UInt8(ascii: "{")]
        if let key {
            JSONWriter.appendString(key, to: &start)
            start.append(UInt8(ascii: ":"))
        }
        self.start = start
        value = Array((key == "value" ? "\"_value\":" : "\"value\":").utf8)
    }

    /// Appends a record.
    /// - Parameters:
    ///   - text: checked JSON that has the value.
    ///   - name: the range of its name, between the quotes. Nil for an element of an array.
    mutating func append(_ text: Span<UInt8>, _ range: Range<Int>, name: Range<Int>?) {
        let first = bytes.count
        let json = text.extracting(range)
        let isObject = json[0] == UInt8(ascii: "{")
        defer { records.append(first..<bytes.count) }
        guard let name else {
            guard !isObject else { return bytes.append(json) }
            return appendWrapped(json, after: start)
        }
        bytes += start
        bytes.append(UInt8(ascii: "\""))
        bytes.append(text.extracting(name))
        bytes.append(UInt8(ascii: "\""))
        guard isObject else { return appendWrapped(json, after: [UInt8(ascii: ",")]) }
        if !json.isEmptyContainer { bytes.append(UInt8(ascii: ",")) }
        appendMembers(of: json)
    }

    private mutating func appendWrapped(_ json: Span<UInt8>, after start: [UInt8]) {
        bytes += start
        bytes += value
        bytes.append(json)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends an object without its first brace. A member that has the key's name gets underscores before it, one
    /// more than any other member has before that name.
    private mutating func appendMembers(of object: Span<UInt8>) {
        var copied = 1
        let (members, underscores) = membersInTheWay(of: object)
        for start in members {
            bytes.append(object.extracting(copied..<start))
            bytes += [UInt8](repeating: UInt8(ascii: "_"), count: underscores)
            copied = start
        }
        bytes.append(object.extracting(copied...))
    }

    /// - Returns: where the names of the members begin that have the key's name, and the least number of underscores
    ///   that makes it one that no member has.
    private mutating func membersInTheWay(of object: Span<UInt8>) -> (members: [Int], underscores: Int) {
        var members: [Int] = []
        var taken: Set<Int> = []
        var reader = JSONReader(object)
        // The text has been checked.
        do throws(JSONError) {
            _ = try reader.next()
            while case .name(let name)? = try reader.next(), let token = try reader.next() {
                try reader.skipRest(of: token)
                guard let count = underscores(before: object.extracting(name.range), name.hasEscapes) else {
                    continue
                }
                if count == 0 { members.append(name.range.lowerBound) } else { taken.insert(count) }
            }
        } catch {}
        var free = 1
        while taken.contains(free) { free += 1 }
        return (members, free)
    }

    /// The number of underscores before the key's name, nil for any other name.
    private mutating func underscores(before name: Span<UInt8>, _ hasEscapes: Bool) -> Int? {
        guard hasEscapes else { return Self.underscores(in: name, before: key) }
        decoded.removeAll(keepingCapacity: true)
        JSONStringDecoder.append(name, to: &decoded)
        return Self.underscores(in: decoded.span, before: key)
    }

    private static func underscores(in name: Span<UInt8>, before key: [UInt8]) -> Int? {
        let count = name.count - key.count
        guard count >= 0, name.extracting(count...).equals(key.span) else { return nil }
        for index in 0..<count where name[index] != UInt8(ascii: "_") { return nil }
        return count
    }
}

extension Span<UInt8> {
    /// Whether an array or object in checked JSON has nothing in it.
    var isEmptyContainer: Bool {
        var index = 1
        while index < count - 1, self[index] <= 0x20 { index += 1 }
        return index >= count - 1
    }
}
