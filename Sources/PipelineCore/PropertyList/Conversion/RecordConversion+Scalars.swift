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
