// The values of a text that comes in pieces: each is checked once its end is there.

extension ElementStream {
    /// The end of the value that begins here; nil if more of the text is needed.
    mutating func valueEnd(_ text: Span<UInt8>, _ start: Int, isLast: Bool) throws(Fault) -> Int? {
        let end = extent.end(in: text, from: start, isLast: isLast)
        guard (end ?? text.count) - start <= limitBytes else { throw .tooLarge(limitBytes: limitBytes) }
        // A bracket has to follow.
        let isOpen = !containers.isEmpty || expectation == .element && !isSingle
        if isLast, end == nil || end == text.count && isOpen { throw .cutShort }
        return end
    }

    /// Where the value of the member begins whose name begins here; nil if more of the text is needed.
    mutating func nameEnd(_ text: Span<UInt8>, _ start: Int, isLast: Bool) throws(Fault) -> Int? {
        guard text[start] == UInt8(ascii: "\"") else {
            throw .malformed(JSONError(.expectedNameOrBrace, at: start))
        }
        guard let end = try valueEnd(text, start, isLast: isLast) else { return nil }
        try Self.check(text, start..<end)
        let json = JSONValidator(text)
        let colon = json.afterSpace(end)
        let value = colon < text.count ? json.afterSpace(colon + 1) : colon
        if colon < text.count, text[colon] != UInt8(ascii: ":") {
            throw .malformed(JSONError(.expectedColon, at: colon))
        }
        guard value < text.count, value > colon else {
            if isLast { throw .cutShort }
            guard text.count - start <= limitBytes else { throw .tooLarge(limitBytes: limitBytes) }
            return nil
        }
        extent = JSONExtent()
        return value
    }

    /// The index of the closing quote of a checked string.
    static func string(_ text: Span<UInt8>, _ start: Int) throws(Fault) -> Int {
        do throws(JSONError) { return try JSONStringScanner.end(of: text, from: start + 1).end } catch {
            throw .malformed(error)
        }
    }

    /// Checks a value whose end is known.
    static func check(_ text: Span<UInt8>, _ range: Range<Int>) throws(Fault) {
        var reader = JSONReader(text.extracting(range))
        do throws(JSONError) { try reader.skipToEnd() } catch {
            throw .malformed(JSONError(error.reason, at: range.lowerBound + error.offset))
        }
    }
}
