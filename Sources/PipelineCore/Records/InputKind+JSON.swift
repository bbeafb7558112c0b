// JSON that isn't one record on each line: an array, an object that has the records in it, text over several lines.

extension InputKind {
    /// Nil for an array whose first element isn't an object.
    static func array(_ head: [UInt8], from start: Int) -> InputKind? {
        var reader = JSONReader(head.span, from: start)
        do throws(JSONError) {
            _ = try reader.next()
            let first = try reader.next()
            return first == .beginObject || first == .endArray ? .array : nil
        } catch {
            // Only the bracket is known: as good as any array.
            return error.offset == head.count ? .array : nil
        }
    }

    static func object(_ head: [UInt8], from start: Int, isWhole: Bool) -> InputKind? {
        let lineEnd = head[start...].firstIndex(of: 0x0A)
        var walk = ObjectWalk()
        do throws(JSONError) {
            try walk.read(head.span, from: start)
        } catch {
            if error.reason == .expectedNameOrBrace, walk.tokens == 1 { return .loose }
            // Another value follows: several objects, none of which has them all.
            if error.reason == .expectedEnd { walk.list = nil }
        }
        // A record that is cut off or broken is still taken for a record.
        let spans = if let lineEnd { walk.lastToken > lineEnd } else { !isWhole }
        guard spans else { return nil }
        if let list = walk.list, !walk.isRecord { return .wrapper(list) }
        return lineEnd == nil ? nil : .spread
    }
}

/// One pass over the beginning of an object, for the first array of objects in it.
private struct ObjectWalk {
    /// The names that lead to the array.
    var list: [String]?
    /// Whether the object has an id or a name before such an array, so that it is a record by itself.
    private(set) var isRecord = false
    private(set) var tokens = 0
    /// Where the last well-formed token begins.
    private(set) var lastToken = 0

    /// - Throws: the fault where the text ends or is broken.
    mutating func read(_ text: Span<UInt8>, from start: Int) throws(JSONError) {
        var reader = JSONReader(text, from: start)
        var names: [String] = []
        var arrays = 0
        var candidate: [String]?
        while let token = try reader.next() {
            tokens += 1
            lastToken = reader.tokenStart
            if let found = candidate, token == .beginObject, list == nil { list = found }
            candidate = nil
            switch token {
            case .name(let name) where arrays == 0:
                names.removeLast(max(0, names.count - reader.depth + 1))
                let bytes = text.extracting(name.range)
                names.append(bytes.text)
                if reader.depth == 1, list == nil, ["id", "_id", "name"].contains(names[0]) { isRecord = true }
            case .beginArray:
                if arrays == 0 { candidate = names }
                arrays += 1
            case .endArray: arrays -= 1
            default: break
            }
        }
    }
}
