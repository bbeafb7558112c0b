// From the tokens of a line to the parts of a property list, by the rules of the run.
//
//     {"id":7,"age":null,"id":8}  ->  beginDictionary  key "id"  integer 8  endDictionary
//
// The last of two equal names wins. The loser is only known when the second one comes, so such a line, and no
// other, is converted twice; the second pass skips the members that lost.

struct RecordConversion {
    private let rules: ValueRules
    private let format: StoreFormat
    private let hash = ByteHash()
    private var names = MemberNames()
    private var known = KnownNames()
    private var decoded: [UInt8] = []
    /// The offsets of names that lost to a later one; empty for nearly every line.
    private var losers: Set<Int> = []
    private var isSecondPass = false
    var choices = Substitutions()
    private var typed: TypedMembers?
    /// Whether different names may be stored as the same one.
    private let replacesInNames: Bool

    init(rules: ValueRules, format: StoreFormat) {
        (self.rules, self.format) = (rules, format)
        replacesInNames = rules.isLossy && format.losses.contains(.controls)
        typed = TypedMembers(rules)
    }

    /// Converts a line that is one record. After an error the sink is as it was.
    mutating func convert<Sink: RecordSink & ~Copyable>(
        _ line: Span<UInt8>, into sink: inout Sink
    ) throws(BadRecord) {
        if format.keepsLines { return try keep(line, in: &sink) }
        let mark = sink.checkpoint()
        let before = choices
        do throws(BadRecord) {
            losers.removeAll(keepingCapacity: true)
            isSecondPass = false
            try pass(line, &sink)
            guard !losers.isEmpty else { return }
            goBack(&sink, to: mark)
            choices = before
            choices.duplicatesDropped += losers.count
            isSecondPass = true
            try pass(line, &sink)
        } catch {
            goBack(&sink, to: mark)
            choices = before
            throw error
        }
    }

    /// Checks a line, which is stored as it came.
    private mutating func keep<Sink: RecordSink & ~Copyable>(
        _ line: Span<UInt8>, in sink: inout Sink
    ) throws(BadRecord) {
        var reader = JSONReader(line)
        try BadRecord.of(reader.beginRecord())
        if rules.refusesDuplicates {
            try refuseDuplicates(line, &reader)
        } else {
            try BadRecord.of(reader.skipToEnd())
        }
        try sink.put(.line, line)
    }

    private mutating func refuseDuplicates(_ line: Span<UInt8>, _ reader: inout JSONReader) throws(BadRecord) {
        names.removeAll()
        names.beginObject()
        while let token = try BadRecord.of(reader.next()) {
            switch token {
            case .beginObject: names.beginObject()
            case .endObject: names.endObject()
            case .name(let name): _ = try remember(name, line)
            default: break
            }
        }
    }

    /// The sink's notes may come from the record that is rolled back.
    private mutating func goBack<Sink: RecordSink & ~Copyable>(_ sink: inout Sink, to mark: Sink.Mark) {
        sink.rollBack(to: mark)
        sink.forgetKeys()
        known.removeAll()
    }

    private mutating func pass<Sink: RecordSink & ~Copyable>(
        _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(BadRecord) {
        names.removeAll()
        var reader = JSONReader(line)
        try BadRecord.of(reader.beginRecord())
        names.beginObject()
        known.beginRecord(isUsed: !isSecondPass)
        try sink.put(.beginDictionary)
        try BadRecord.of(typed?.beginRecord(line))
        while true {
            if let found = known.next(&reader) {
                names.insert(new: found.name, hash: found.hash)
                guard let first = try BadRecord.of(reader.next()) else { continue }
                guard try !omitsNull(first, at: reader.tokenStart) else { continue }
                if found.note >= 0 { sink.key(remembered: found.note) } else { try newKey(found.name, line, &sink) }
                try value(first, at: reader.tokenStart, line, &sink)
                continue
            }
            guard let token = try BadRecord.of(reader.next()) else { return }
            if case .name(let name) = token {
                try newName(name, line, &reader, &sink)
            } else {
                try element(token, at: reader.tokenStart, line, &sink)
            }
        }
    }

    /// Converts a member whose name is new at this position, up to the first token of its value.
    private mutating func newName<Sink: RecordSink & ~Copyable>(
        _ name: JSONString, _ line: Span<UInt8>, _ reader: inout JSONReader, _ sink: inout Sink
    ) throws(BadRecord) {
        let start = reader.tokenStart
        guard let first = try BadRecord.of(reader.next()) else { return }
        if isSecondPass, losers.contains(start) { return try BadRecord.of(reader.skipRest(of: first)) }
        var hash: UInt64 = 0
        if !isSecondPass { hash = try remember(name, line) }
        known.add(name, line, hash: hash)
        guard try !omitsNull(first, at: reader.tokenStart) else { return }
        try newKey(name, line, &sink)
        try value(first, at: reader.tokenStart, line, &sink)
    }

    private mutating func newKey<Sink: RecordSink & ~Copyable>(
        _ name: JSONString, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(BadRecord) {
        try text(name, line, &sink, isKey: true)
        if known.isNew { known.note(sink.rememberKey()) }
    }

    private mutating func remember(_ name: JSONString, _ line: Span<UInt8>) throws(BadRecord) -> UInt64 {
        let hash: UInt64
        if name.hasEscapes || replacesInNames {
            decodeAsStored(name, line)
            hash = self.hash.hash(decoded.span)
        } else {
            hash = self.hash.hash(line.extracting(name.range))
        }
        guard let earlier = names.insert(name, hash: hash), areEqual(earlier, name, line) else { return hash }
        guard !rules.refusesDuplicates else {
            throw BadRecord(.duplicateKey(in: format), at: name.range.lowerBound - 1)
        }
        losers.insert(earlier.range.lowerBound - 1)
        return hash
    }

    private mutating func areEqual(_ left: JSONString, _ right: JSONString, _ line: Span<UInt8>) -> Bool {
        decodeAsStored(left, line)
        let text = decoded
        decodeAsStored(right, line)
        return text == decoded
    }

    private mutating func decodeAsStored(_ name: JSONString, _ line: Span<UInt8>) {
        decode(name, line)
        if replacesInNames, let replaced = XMLText.replacingExcluded(in: decoded.span) { decoded = replaced.text }
    }

    @inline(__always)
    private mutating func omitsNull(_ value: JSONToken, at start: Int) throws(BadRecord) -> Bool {
        guard value == .null else { return false }
        switch rules.null {
        case .omitMembers, .omit:
            choices.nullsOmitted += 1
            return true
        case .fault: throw BadRecord(.null("member", in: format), at: start)
        case .text: return false
        }
    }

    private mutating func element<Sink: RecordSink & ~Copyable>(
        _ token: JSONToken, at start: Int, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(BadRecord) {
        if token == .null {
            switch rules.null {
            case .omitMembers, .fault: throw BadRecord(.null("element", in: format), at: start)
            case .omit:
                choices.nullsOmitted += 1
                return
            case .text: break
            }
        }
        try value(token, at: start, line, &sink)
    }

    @inline(__always)
    private mutating func value<Sink: RecordSink & ~Copyable>(
        _ token: JSONToken, at start: Int, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(BadRecord) {
        if typed != nil, let demand = typed?.demand(at: start),
            try typedValue(token, as: demand, at: start, line, &sink)
        {
            return
        }
        switch token {
        case .beginObject:
            names.beginObject()
            known.beginObject()
            try sink.put(.beginDictionary)
        case .endObject:
            names.endObject()
            known.endObject()
            try sink.put(.endDictionary)
        case .beginArray: try sink.put(.beginArray)
        case .endArray: try sink.put(.endArray)
        case .string(let string), .name(let string): try text(string, line, &sink, isKey: false)
        case .number(let number): try self.number(number, line, &sink)
        case .boolean(let value): try sink.put(.boolean(value))
        case .null: try null(at: start, &sink)
        }
    }

    private mutating func null<Sink: RecordSink & ~Copyable>(at start: Int, _ sink: inout Sink) throws(BadRecord) {
        guard case .text(let text) = rules.null else { return }
        choices.nullsReplaced += 1
        try Self.text(text.span, at: start, &sink, isKey: false)
    }

    @inline(__always)
    private mutating func text<Sink: RecordSink & ~Copyable>(
        _ string: JSONString, _ line: Span<UInt8>, _ sink: inout Sink, isKey: Bool
    ) throws(BadRecord) {
        let start = string.range.lowerBound - 1
        guard string.hasEscapes else {
            return try Self.text(line.extracting(string.range), at: start, &sink, isKey: isKey)
        }
        if !decode(string, line) {
            guard rules.isLossy else { throw BadRecord(.loneSurrogate, at: start) }
            choices.surrogatesReplaced += 1
        }
        try Self.text(decoded.span, at: start, &sink, isKey: isKey)
    }

    @inline(__always)
    private static func text<Sink: RecordSink & ~Copyable>(
        _ text: Span<UInt8>, at start: Int, _ sink: inout Sink, isKey: Bool
    ) throws(BadRecord) {
        try BadRecord.of(sink.put(isKey ? .key : .string, text), at: start)
    }

    /// - Returns: false if the text has half of a surrogate pair.
    @discardableResult
    private mutating func decode(_ string: JSONString, _ line: Span<UInt8>) -> Bool {
        decoded.removeAll(keepingCapacity: true)
        return JSONStringDecoder.append(line.extracting(string.range), to: &decoded)
    }

    private mutating func number<Sink: RecordSink & ~Copyable>(
        _ number: JSONNumber, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(BadRecord) {
        let digits = line.extracting(number.range)
        if number.isInteger, let value = NumberText.integer(digits) { return try sink.put(.integer(value)) }
        if number.isInteger {
            guard rules.isLossy else { throw BadRecord(.bigInteger, at: number.range.lowerBound) }
            choices.bigIntegersAsText += 1
            return try Self.text(digits, at: number.range.lowerBound, &sink, isKey: false)
        }
        guard let value = NumberText.real(digits) else {
            throw BadRecord(.infiniteNumber, at: number.range.lowerBound)
        }
        try BadRecord.of(sink.put(.real(value)), at: number.range.lowerBound)
    }

    /// Converts a value that `--date`, `--data` or the old store has a say in.
    /// - Returns: false if it is an ordinary value after all.
    private mutating func typedValue<Sink: RecordSink & ~Copyable>(
        _ token: JSONToken, as demand: TypedMembers.Demand, at start: Int, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(BadRecord) -> Bool {
        guard case .string(let string) = token else {
            guard demand.allowsOthers else { throw BadRecord(demand.reason, at: start) }
            return false
        }
        decode(string, line)
        let text = decoded
        switch try typed?.value(of: text.span, demand, at: start) {
        case .date(let seconds)?: try BadRecord.of(sink.put(.date(seconds)), at: start)
        case .data(let content)?: try sink.put(.data, content.span)
        case nil: return false
        }
        return true
    }
}
