// Equality and order of values (RFC 9535, section 2.3.5.2.2): numbers by value, strings scalar by scalar, arrays
// element by element, objects member by member in any order. Values of different kinds are neither equal nor
// ordered.

extension JSONPathMachine {
    /// The kind of the value; nil for nothing.
    func kind(of value: JSONPathValue) -> JSONNode.Kind? {
        switch value {
        case .nothing: nil
        case .node(let node): index.entries[node].kind
        case .literal(let literal): literal.kind
        case .integer: .number
        }
    }

    mutating func equal(
        _ left: JSONPathValue, _ right: JSONPathValue, _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        let kind = kind(of: left)
        guard kind == self.kind(of: right) else { return false }
        switch (kind, left, right) {
        case (nil, _, _): return true
        case (.object, .node(let left), .node(let right)): return try equalObjects(left, right, text)
        case (.array, .node(let left), .node(let right)): return try equalArrays(left, right, text)
        default:
            try read(left, right, text)
            return kind == .number
                ? JSONNumberOrder.between(self.left.span, self.right.span) == .equal : self.left == self.right
        }
    }

    mutating func less(
        _ left: JSONPathValue, _ right: JSONPathValue, _ text: Span<UInt8>
    ) throws(JSONError) -> Bool {
        let kind = kind(of: left)
        guard kind == self.kind(of: right), kind == .number || kind == .string else { return false }
        try read(left, right, text)
        return kind == .number
            ? JSONNumberOrder.between(self.left.span, self.right.span) == .less
            : self.left.lexicographicallyPrecedes(self.right)
    }

    // MARK: Texts

    /// Reads the texts of two scalars into `left` and `right`: strings decoded, everything else as written. UTF-8
    /// sorts like the scalars it encodes.
    mutating func read(_ left: JSONPathValue, _ right: JSONPathValue, _ text: Span<UInt8>) throws(JSONError) {
        try readLeft(left, text)
        index.read(right, of: text, into: &self.right)
        try spend(self.right.count / 16)
    }

    mutating func readLeft(_ value: JSONPathValue, _ text: Span<UInt8>) throws(JSONError) {
        index.read(value, of: text, into: &left)
        try spend(left.count / 16)
    }

    // MARK: Containers

    /// The reader's depth limit bounds the recursion.
    private mutating func equalArrays(_ left: Int, _ right: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        var leftPlace = left + 1
        var rightPlace = right + 1
        let leftEnd = Int(index.entries[left].next)
        let rightEnd = Int(index.entries[right].next)
        while leftPlace < leftEnd, rightPlace < rightEnd {
            try spend()
            guard try equal(.node(leftPlace), .node(rightPlace), text) else { return false }
            leftPlace = Int(index.entries[leftPlace].next)
            rightPlace = Int(index.entries[rightPlace].next)
        }
        return leftPlace == leftEnd && rightPlace == rightEnd
    }

    /// Equal if both have the same number of members, and each has its equal in the other object.
    private mutating func equalObjects(_ left: Int, _ right: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        guard try childCount(of: left) == childCount(of: right) else { return false }
        guard try contains(right, left, text) else { return false }
        return try contains(left, right, text)
    }

    private mutating func contains(_ object: Int, _ other: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        let end = Int(index.entries[object].next)
        var hint = object + 1
        var name = other + 1
        while name < Int(index.entries[other].next) {
            // Objects mostly share one order, so the search continues where the last one ended.
            guard let found = try member(like: name, in: object, from: hint, text) else { return false }
            hint = Int(index.entries[found + 1].next)
            if hint == end { hint = object + 1 }
            name = Int(index.entries[name + 1].next)
        }
        return true
    }

    /// A member of the object with the name and value of the one whose name is entry `name`. Searches from entry
    /// `start` to the object's end, then from the object's beginning to `start`.
    private mutating func member(
        like name: Int, in object: Int, from start: Int, _ text: Span<UInt8>
    ) throws(JSONError) -> Int? {
        let end = Int(index.entries[object].next)
        var position = start
        repeat {
            try spend()
            if try equalNames(name, position, text), try equal(.node(name + 1), .node(position + 1), text) {
                return position
            }
            position = Int(index.entries[position + 1].next)
            if position == end { position = object + 1 }
        } while position != start
        return nil
    }

    private mutating func equalNames(_ left: Int, _ right: Int, _ text: Span<UInt8>) throws(JSONError) -> Bool {
        let leftEntry = index.entries[left]
        let rightEntry = index.entries[right]
        guard leftEntry.hasEscapes || rightEntry.hasEscapes else {
            try spend(leftEntry.content.count / 16)
            return text.extracting(leftEntry.content).equals(text.extracting(rightEntry.content))
        }
        try read(.node(left), .node(right), text)
        return self.left == self.right
    }
}

extension JSONTape {
    /// Replaces the buffer with the value's text: a string or a name decoded, anything else as written.
    func read(_ value: JSONPathValue, of text: Span<UInt8>, into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        switch value {
        case .nothing: break
        case .literal(let literal): buffer.append(contentsOf: literal.text)
        case .integer(let integer): buffer.append(contentsOf: String(integer).utf8)
        case .node(let node):
            let entry = entries[node]
            let isString = entry.kind == .string || entry.kind == nil
            let bytes = text.extracting(isString ? entry.content : entry.range)
            if entry.hasEscapes { JSONStringDecoder.append(bytes, to: &buffer) } else { buffer.append(bytes) }
        }
    }
}
