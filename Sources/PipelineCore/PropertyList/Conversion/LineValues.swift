// The values of a JSON line as parts, exactly: a number is its text, and null is null. So lines can be compared that are
// spelt differently, and described.
//
//     {"n": 1e2, "name": "Bj\u00f6rk"}        beginDictionary  key n  number 1e2  key name  string Björk  endDictionary

package enum LineValues {
    /// - Parameter line: that has been checked.
    package static func put<Sink: PropertyListSink & ~Copyable>(
        _ line: Span<UInt8>, into sink: inout Sink
    ) throws(BadRecord) {
        var reader = JSONReader(line)
        var text: [UInt8] = []
        while let token = try BadRecord.of(reader.next()) {
            switch token {
            case .beginObject: try sink.put(.beginDictionary)
            case .endObject: try sink.put(.endDictionary)
            case .beginArray: try sink.put(.beginArray)
            case .endArray: try sink.put(.endArray)
            case .name(let name):
                decode(name, line, &text)
                try sink.put(.key, text.span)
            case .string(let string):
                decode(string, line, &text)
                try sink.put(.string, text.span)
            case .number(let number): try sink.put(.number, line.extracting(number.range))
            case .boolean(let value): try sink.put(.boolean(value))
            case .null: try sink.put(.null)
            }
        }
    }

    /// Half of a surrogate pair isn't text. Such a string is its escapes, after a byte that no text has.
    private static func decode(_ string: JSONString, _ line: Span<UInt8>, _ text: inout [UInt8]) {
        text.removeAll(keepingCapacity: true)
        let content = line.extracting(string.range)
        guard string.hasEscapes else { return text.append(content) }
        if JSONStringDecoder.append(content, to: &text) { return }
        text = [0xFF] + content.array
    }

    /// The names of a record's own members that have a value other than null, in their order.
    static func forEachMember(of line: Span<UInt8>, _ take: (Span<UInt8>) -> Void) {
        var reader = JSONReader(line)
        var text: [UInt8] = []
        // It has been checked.
        do throws(JSONError) {
            try reader.beginRecord()
            while case .name(let name)? = try reader.next(), let value = try reader.next() {
                try reader.skipRest(of: value)
                if value == .null { continue }
                decode(name, line, &text)
                take(text.span)
            }
        } catch {}
    }
}
