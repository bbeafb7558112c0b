// From the tokens of a line to the parts of a property list, by the rules of the run.
//
//     {"id":7,"age":null,"id":8}  ->  beginDictionary  key "id"  integer 8  endDictionary
//
// The last of two equal names wins. The loser is only known when the second one comes, so such a line, and no
// other, is converted twice; the second pass skips the members that lost.

/// Converts records, one line at a time.
struct RecordConversion {
    let rules: ValueRules
    private let hash = ByteHash()
    private var names = MemberNames()
    private var known = KnownNames()
    /// A text after decoding its escapes.
    var decoded: [UInt8] = []
    /// The offsets of names that lost to a later one; empty for nearly every line.
    private var losers: Set<Int> = []
    private var isSecondPass = false
    var choices = Substitutions()
    /// Finds dates and data; nil if the run has none.
    private var typed: TypedMembers?
    /// Whether different names may be stored as the same one.
    private let replacesInNames: Bool

    init(rules: ValueRules, format: PropertyListFormat) {
        self.rules = rules
        replacesInNames = rules.replacesControls && format == .xml
        typed = TypedMembers(rules)
    }

    /// Forgets the choices made for a record that isn't stored.
    mutating func takeBack(to choices: Substitutions) { self.choices = choices }

    /// Converts a line that is one record. After an error the sink is as it was.
    mutating func convert<Sink: RecordSink & ~Copyable>(
        _ line: Span<UInt8>, into sink: inout Sink
    ) throws(RecordError) {
        let mark = sink.checkpoint()
        let before = choices
        do throws(RecordError) {
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

    /// The sink's notes may come from the record that is rolled back.
    private mutating func goBack<Sink: RecordSink & ~Copyable>(_ sink: inout Sink, to mark: Sink.Mark) {
        sink.rollBack(to: mark)
        sink.forgetKeys()
        known.removeAll()
    }

    private mutating func pass<Sink: RecordSink & ~Copyable>(
        _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(RecordError) {
        names.removeAll()
        var reader = JSONReader(line)
        try Self.begin(&reader)
        names.beginObject()
        known.beginRecord(isUsed: !isSecondPass)
        sink.beginDictionary()
        try findTyped(line)
        while true {
            if let found = known.next(&reader) {
                names.insert(new: found.name, hash: found.hash)
                guard let first = try Self.next(&reader) else { continue }
                guard try !isLeftOut(first, at: reader.tokenStart) else { continue }
                if found.note >= 0 { sink.key(remembered: found.note) } else { try newKey(found.name, line, &sink) }
                try value(first, at: reader.tokenStart, line, &sink)
                continue
            }
            guard let token = try Self.next(&reader) else { return }
            if case .name(let name) = token {
                try newName(name, line, &reader, &sink)
            } else {
                try element(token, at: reader.tokenStart, line, &sink)
            }
        }
    }

    private mutating func findTyped(_ line: Span<UInt8>) throws(RecordError) {
        do throws(JSONError) { try typed?.beginRecord(line) } catch { throw .json(error) }
    }

    /// Converts a member whose name is new at this position, up to the first token of its value.
    private mutating func newName<Sink: RecordSink & ~Copyable>(
        _ name: JSONString, _ line: Span<UInt8>, _ reader: inout JSONReader, _ sink: inout Sink
    ) throws(RecordError) {
        let start = reader.tokenStart
        guard let first = try Self.next(&reader) else { return }
        if isSecondPass, losers.contains(start) { return try Self.skip(first, &reader) }
        var hash: UInt64 = 0
        if !isSecondPass { hash = try remember(name, line) }
        known.add(name, line, hash: hash)
        guard try !isLeftOut(first, at: reader.tokenStart) else { return }
        try newKey(name, line, &sink)
        try value(first, at: reader.tokenStart, line, &sink)
    }

    private mutating func newKey<Sink: RecordSink & ~Copyable>(
        _ name: JSONString, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(RecordError) {
        try text(name, line, &sink, isKey: true)
        if known.isNew { known.note(sink.rememberKey()) }
    }

    // MARK: Members

    /// Checks whether the object already has the name.
    /// - Returns: the name's hash.
    private mutating func remember(_ name: JSONString, _ line: Span<UInt8>) throws(RecordError) -> UInt64 {
        let hash: UInt64
        if name.hasEscapes || replacesInNames {
            decodeAsStored(name, line)
            hash = self.hash.hash(decoded.span)
        } else {
            hash = self.hash.hash(line.extracting(name.range))
        }
        guard let earlier = names.insert(name, hash: hash), areEqual(earlier, name, line) else { return hash }
        guard !rules.refusesDuplicates else { throw Self.fault(.duplicateKey, at: name.range.lowerBound - 1) }
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

    /// Whether the value is a null whose member is left out.
    @inline(__always)
    private mutating func isLeftOut(_ value: JSONToken, at start: Int) throws(RecordError) -> Bool {
        guard value == .null else { return false }
        switch rules.null {
        case .omitMembers, .omit:
            choices.nullsOmitted += 1
            return true
        case .fault: throw Self.fault(.nullMember, at: start)
        case .text: return false
        }
    }

    // MARK: Values

    private mutating func element<Sink: RecordSink & ~Copyable>(
        _ token: JSONToken, at start: Int, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(RecordError) {
        if token == .null {
            switch rules.null {
            case .omitMembers, .fault: throw Self.fault(.nullElement, at: start)
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
    ) throws(RecordError) {
        if typed != nil, let kind = typed?.kind(at: start) {
            return try value(token, as: kind, at: start, line, &sink)
        }
        switch token {
        case .beginObject:
            names.beginObject()
            known.beginObject()
            sink.beginDictionary()
        case .endObject:
            names.endObject()
            known.endObject()
            sink.endDictionary()
        case .beginArray: sink.beginArray()
        case .endArray: sink.endArray()
        case .string(let string), .name(let string): try text(string, line, &sink, isKey: false)
        case .number(let number): try self.number(number, line, &sink)
        case .boolean(let value): sink.boolean(value)
        case .null: try null(at: start, &sink)
        }
    }

    // MARK: Errors

    static func fault(_ reason: PropertyListError.Reason, at offset: Int) -> RecordError {
        .value(PropertyListError(reason: reason, offset: offset))
    }

    @inline(__always)
    private static func next(_ reader: inout JSONReader) throws(RecordError) -> JSONToken? {
        do throws(JSONError) {
            return try reader.next()
        } catch {
            throw .json(error)
        }
    }

    private static func begin(_ reader: inout JSONReader) throws(RecordError) {
        do throws(JSONError) {
            try reader.beginRecord()
        } catch {
            throw .json(error)
        }
    }

    private static func skip(_ token: JSONToken, _ reader: inout JSONReader) throws(RecordError) {
        do throws(JSONError) {
            try reader.skipRest(of: token)
        } catch {
            throw .json(error)
        }
    }
}

// Converts the scalar values of a record.

extension RecordConversion {
    mutating func null<Sink: RecordSink & ~Copyable>(
        at start: Int, _ sink: inout Sink
    ) throws(RecordError) {
        guard case .text(let text) = rules.null else { return }
        choices.nullsReplaced += 1
        try Self.text(text.span, at: start, &sink, isKey: false)
    }

    @inline(__always)
    mutating func text<Sink: RecordSink & ~Copyable>(
        _ string: JSONString, _ line: Span<UInt8>, _ sink: inout Sink, isKey: Bool
    ) throws(RecordError) {
        let start = string.range.lowerBound - 1
        guard string.hasEscapes else {
            return try Self.text(line.extracting(string.range), at: start, &sink, isKey: isKey)
        }
        if !decode(string, line) {
            guard rules.replacesControls else { throw Self.fault(.loneSurrogate, at: start) }
            choices.surrogatesReplaced += 1
        }
        try Self.text(decoded.span, at: start, &sink, isKey: isKey)
    }

    @inline(__always)
    private static func text<Sink: RecordSink & ~Copyable>(
        _ text: Span<UInt8>, at start: Int, _ sink: inout Sink, isKey: Bool
    ) throws(RecordError) {
        do throws(PropertyListError.Reason) {
            if isKey { try sink.key(text) } else { try sink.string(text) }
        } catch {
            throw fault(error, at: start)
        }
    }

    /// - Returns: false if the text has half of a surrogate pair.
    @discardableResult
    mutating func decode(_ string: JSONString, _ line: Span<UInt8>) -> Bool {
        decoded.removeAll(keepingCapacity: true)
        return JSONStringDecoder.append(line.extracting(string.range), to: &decoded)
    }

    mutating func number<Sink: RecordSink & ~Copyable>(
        _ number: JSONNumber, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(RecordError) {
        let digits = line.extracting(number.range)
        if number.isInteger, let value = NumberText.integer(digits) { return sink.integer(value) }
        if number.isInteger {
            switch rules.bigIntegers {
            case .fault: throw Self.fault(.bigInteger, at: number.range.lowerBound)
            case .real: choices.bigIntegersAsReal += 1
            case .text:
                choices.bigIntegersAsText += 1
                return try Self.text(digits, at: number.range.lowerBound, &sink, isKey: false)
            }
        }
        guard let value = NumberText.real(digits) else {
            throw Self.fault(.infiniteNumber, at: number.range.lowerBound)
        }
        do throws(PropertyListError.Reason) {
            try sink.real(value)
        } catch {
            throw Self.fault(error, at: number.range.lowerBound)
        }
    }

    /// Stores a date or data.
    mutating func value<Sink: RecordSink & ~Copyable>(
        _ token: JSONToken, as kind: TypedMembers.Kind, at start: Int, _ line: Span<UInt8>, _ sink: inout Sink
    ) throws(RecordError) {
        guard case .string(let string) = token else { throw Self.fault(kind.reason, at: start) }
        decode(string, line)
        switch kind {
        case .date:
            guard let seconds = DateText.seconds(decoded.span) else { throw Self.fault(.notDate, at: start) }
            // The binary form could hold it, and so could a keyed record, but `--load` couldn't write it.
            guard DateText.isWritable(seconds) else { throw Self.fault(.farDate, at: start) }
            do throws(PropertyListError.Reason) {
                try sink.date(seconds)
            } catch {
                throw Self.fault(error, at: start)
            }
        case .data:
            guard let content = Base64.decoded(decoded.span) else { throw Self.fault(.notData, at: start) }
            sink.data(content.span)
        }
    }
}

// Which values of a record are dates or data: those that the paths of `--date` and `--data` find.

/// Finds the values whose stored type isn't their JSON type.
struct TypedMembers {
    enum Kind {
        case date
        case data

        /// Why a value at such a path can't be stored.
        var reason: PropertyListError.Reason { self == .date ? .notDate : .notData }
    }

    private var paths: [(evaluator: JSONPathEvaluator, kind: Kind)]
    /// By the offsets of the values in the line.
    private var kinds: [Int: Kind] = [:]

    /// Nil if there are no such paths.
    init?(_ rules: ValueRules) {
        paths =
            rules.dates.map { (JSONPathEvaluator($0), .date) } + rules.data.map { (JSONPathEvaluator($0), .data) }
        if paths.isEmpty { return nil }
    }

    /// Finds the values of a line, which is read to its end before any of them counts.
    mutating func beginRecord(_ line: Span<UInt8>) throws(JSONError) {
        kinds.removeAll(keepingCapacity: true)
        for index in paths.indices {
            try paths[index].evaluator.evaluate(line, isChecked: true)
            for node in paths[index].evaluator.nodes { kinds[node.range.lowerBound] = paths[index].kind }
        }
    }

    /// The type of the value at this offset; nil if no path leads there.
    func kind(at offset: Int) -> Kind? { kinds[offset] }
}
