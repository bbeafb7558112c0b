// Reads an XML property list, hostile input included: it knows only the five entities and character references,
// ignores the DTD, bounds the depth, and keeps nothing but one text and the open containers.

/// Reads XML part by part.
struct XMLReader: ElementReader, ~Copyable {
    enum Container {
        case array
        /// A key is next.
        case dictionary
        /// A key's value is next.
        case member
    }

    enum Stage {
        case prolog
        case root
        /// The root has been read; `</plist>` hasn't.
        case end
        /// `</plist>` has been read: the file is complete.
        case closed
    }

    var window: XMLWindow
    /// The text read last, unless the file has it verbatim.
    var decoded: [UInt8] = []
    /// The range of the text read last in the window; empty if it was decoded.
    var plain = 0..<0
    private var containers: [Container] = []
    var stage = Stage.prolog
    /// Set after the tag of an empty container: its end is the next part.
    var isEmptyEnd = false

    init(_ file: Descriptor) { window = XMLWindow(file) }

    var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { plain.isEmpty ? decoded.span : window.span.extracting(plain) }
    }

    mutating func next() throws(StoreReadError) -> StoredElement? {
        if !isEmptyEnd, let container = containers.last, let element = try usual(container) { return element }
        if isEmptyEnd {
            isEmptyEnd = false
            return try close()
        }
        if stage == .prolog { try readProlog() }
        while true {
            try window.skipSpace()
            guard try window.ensure(1) else {
                guard stage == .closed else { throw invalid("the file ends too early") }
                return nil
            }
            guard window[window.position] == UInt8(ascii: "<") else { throw invalid("expected an element") }
            guard try window.ensure(2) else { throw invalid("the file ends too early") }
            switch window[window.position + 1] {
            case UInt8(ascii: "!"), UInt8(ascii: "?"): try skipRemark()
            case UInt8(ascii: "/"):
                if let element = try endTag() { return element }
            default: return try startTag()
            }
        }
    }

    func invalid(_ what: String) -> StoreReadError { .invalid(what, offset: window.offset) }

    // MARK: The usual tags

    /// The next part, if it is spelt as Apple's tools and castline spell it and all of it is in the window.
    /// - Returns: nil for everything else, which the general path reads.
    @inline(__always)
    private mutating func usual(_ container: Container) throws(StoreReadError) -> StoredElement? {
        guard window.skipSpaceInWindow(), let word = window.word else { return nil }
        if container == .dictionary {
            if XMLTag.key.begins(word), readPlain(after: XMLTag.key, "</key>") {
                containers[containers.count - 1] = .member
                return .key
            }
            guard XMLTag.dictionaryEnd.begins(word) else { return nil }
            window.position += XMLTag.dictionaryEnd.count
            return try close()
        }
        if XMLTag.string.begins(word), readPlain(after: XMLTag.string, "</string>") {
            endValue()
            return .string
        }
        if XMLTag.emptyArray.begins(word) {
            window.position += XMLTag.emptyArray.count
            isEmptyEnd = true
            return try open(.array)
        }
        if XMLTag.array.begins(word) {
            window.position += XMLTag.array.count
            return try open(.array)
        }
        if XMLTag.dictionary.begins(word) {
            window.position += XMLTag.dictionary.count
            return try open(.dictionary)
        }
        guard container == .array, XMLTag.arrayEnd.begins(word) else { return nil }
        window.position += XMLTag.arrayEnd.count
        return try close()
    }

    /// Reads a text without references, line ends and comments.
    /// - Returns: false for any other text, of which nothing is read.
    @inline(__always)
    private mutating func readPlain(after tag: XMLTag, _ end: StaticString) -> Bool {
        let start = window.position + tag.count
        let stop = window.plainEnd(from: start)
        guard window.holds(end, at: stop) else { return false }
        plain = start..<stop
        if plain.isEmpty { decoded.removeAll(keepingCapacity: true) }
        window.position = stop + end.utf8CodeUnitCount
        return true
    }

    // MARK: Tags

    private mutating func endTag() throws(StoreReadError) -> StoredElement? {
        switch containers.last {
        case .array:
            guard try takeEnd("</array") else { throw invalid("expected an element or </array>") }
            return try close()
        case .dictionary:
            guard try takeEnd("</dict") else { throw invalid("expected <key> or </dict>") }
            return try close()
        case .member: throw invalid("expected the value of a key")
        case nil:
            guard stage == .end, try takeEnd("</plist") else { throw invalid("expected a value") }
            stage = .closed
            try window.skipSpace()
            while try window.ensure(1) {
                try skipRemark()
                try window.skipSpace()
            }
            return nil
        }
    }

    private mutating func close() throws(StoreReadError) -> StoredElement {
        let container = containers.removeLast()
        endValue()
        return container == .array ? .endArray : .endDictionary
    }

    /// Marks a value as read.
    mutating func endValue() {
        if containers.isEmpty {
            stage = .end
        } else if containers[containers.count - 1] == .member {
            containers[containers.count - 1] = .dictionary
        }
    }

    private mutating func startTag() throws(StoreReadError) -> StoredElement {
        guard stage == .root || !containers.isEmpty else { throw invalid("expected </plist>") }
        if containers.last == .dictionary { return try key() }
        if try window.take("<string>") {
            try readText("</string")
            endValue()
            return .string
        }
        if try window.take("<dict>") { return try open(.dictionary) }
        if try window.take("<array>") { return try open(.array) }
        return try otherTag()
    }

    private mutating func key() throws(StoreReadError) -> StoredElement {
        containers[containers.count - 1] = .member
        guard try window.take("<key") else { throw invalid("expected <key> or </dict>") }
        if try !isEmptyTag() { try readText("</key") }
        return .key
    }

    mutating func open(_ container: Container) throws(StoreReadError) -> StoredElement {
        guard containers.count < ReadLimits.depth else { throw invalid("more than \(ReadLimits.depth) levels") }
        containers.append(container)
        return container == .array ? .beginArray : .beginDictionary
    }
}
