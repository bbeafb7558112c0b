// Reads a property list in XML, also one from hands that mean harm: no entities but the five and character references,
// no DTD is looked at, the depth is bounded, and nothing is kept but one text and the open containers.

/// Reads XML part by part.
struct XMLReader: ElementReader, ~Copyable {
    private enum Container {
        case array
        /// What comes next is a key.
        case dictionary
        /// What comes next is a key's value.
        case member
    }

    private enum Stage {
        case prolog
        case root
        case end
    }

    private var window: XMLWindow
    /// The text read last, where it isn't in the file as it is.
    private var decoded: [UInt8] = []
    /// Where the text read last is in the window; empty for one that was decoded.
    private var plain = 0..<0
    private var containers: [Container] = []
    private var stage = Stage.prolog
    /// Set behind an empty container's tag, whose end is the next part.
    private var isEmptyEnd = false

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
                guard stage == .end, containers.isEmpty else { throw invalid("the file ends too early") }
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

    private func invalid(_ what: String) -> StoreReadError { .invalid(what, offset: window.offset) }

    // MARK: Around the root

    private mutating func readProlog() throws(StoreReadError) {
        _ = try window.take("\u{FEFF}")
        while true {
            try window.skipSpace()
            if try window.take("<!DOCTYPE") {
                guard let end = try window.distance(to: UInt8(ascii: ">")) else {
                    throw invalid("the file ends too early")
                }
                guard !window.holds(UInt8(ascii: "["), within: end) else {
                    throw invalid("declarations in the DOCTYPE aren't read")
                }
                window.position += end + 1
            } else if try window.take("<plist") {
                try skipAttributes()
                guard try window.take(">") else { throw invalid("expected a value in <plist>") }
                stage = .root
                return
            } else {
                guard try window.ensure(2), window[window.position] == UInt8(ascii: "<"),
                    window[window.position + 1] == UInt8(ascii: "?")
                        || window[window.position + 1] == UInt8(ascii: "!")
                else { throw invalid("expected <plist>") }
                try skipRemark()
            }
        }
    }

    /// A comment or a processing instruction.
    private mutating func skipRemark() throws(StoreReadError) {
        if try window.take("<!--") {
            try window.skip(past: "-->", "a comment")
        } else if try window.take("<?") {
            try window.skip(past: "?>", "an instruction")
        } else {
            throw invalid("expected an element")
        }
    }

    /// Attributes mean nothing in a property list; they end before `>` or `/>`.
    private mutating func skipAttributes() throws(StoreReadError) {
        while try window.ensure(1) {
            let byte = window[window.position]
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { return }
            window.position += 1
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { continue }
            guard let end = try window.distance(to: byte) else { break }
            window.position += end + 1
        }
        throw invalid("a tag that doesn't end")
    }

    // MARK: What stores are made of

    /// The next part where it is spelt as Apple's tools and this one spell it, and in the window whole.
    /// - Returns: nil for all else, which is to be read part by part.
    @inline(__always)
    private mutating func usual(_ container: Container) throws(StoreReadError) -> StoredElement? {
        guard window.skipSpaceInWindow(), let word = window.word else { return nil }
        if container == .dictionary {
            if XMLTag.key.begins(word), readPlain(behind: XMLTag.key, "</key>") {
                containers[containers.count - 1] = .member
                return .key
            }
            guard XMLTag.dictionaryEnd.begins(word) else { return nil }
            window.position += XMLTag.dictionaryEnd.count
            return try close()
        }
        if XMLTag.string.begins(word), readPlain(behind: XMLTag.string, "</string>") {
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
    /// - Returns: false where the text is another one, of which nothing was read.
    @inline(__always)
    private mutating func readPlain(behind tag: XMLTag, _ end: StaticString) -> Bool {
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
            guard try window.take("</array>") else { throw invalid("expected an element or </array>") }
            return try close()
        case .dictionary:
            guard try window.take("</dict>") else { throw invalid("expected <key> or </dict>") }
            return try close()
        case .member: throw invalid("expected the value of a key")
        case nil:
            guard stage == .end, try window.take("</plist>") else { throw invalid("expected a value") }
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

    /// Counts a value as read.
    private mutating func endValue() {
        if containers.isEmpty {
            stage = .end
        } else if containers[containers.count - 1] == .member {
            containers[containers.count - 1] = .dictionary
        }
    }

    private mutating func startTag() throws(StoreReadError) -> StoredElement {
        guard stage == .root || !containers.isEmpty else { throw invalid("expected </plist>") }
        if containers.last == .dictionary { return try key() }
        if try window.take("<string>") { return try value(.string, "</string>") }
        if try window.take("<dict>") { return try open(.dictionary) }
        if try window.take("<array>") { return try open(.array) }
        if try window.take("<integer>") { return try integer() }
        return try rareTag()
    }

    private mutating func key() throws(StoreReadError) -> StoredElement {
        containers[containers.count - 1] = .member
        if try window.take("<key>") {
            try readText("</key>")
            return .key
        }
        guard try window.take("<key"), try isEmptyTag() else { throw invalid("expected <key> or </dict>") }
        return .key
    }

    private mutating func value(_ element: StoredElement, _ end: StaticString) throws(StoreReadError)
        -> StoredElement
    {
        try readText(end)
        endValue()
        return element
    }

    private mutating func open(_ container: Container) throws(StoreReadError) -> StoredElement {
        guard containers.count < ReadLimits.depth else { throw invalid("more than \(ReadLimits.depth) levels") }
        containers.append(container)
        return container == .array ? .beginArray : .beginDictionary
    }

    /// Empty containers, scalars other than texts, and tags with attributes.
    private mutating func rareTag() throws(StoreReadError) -> StoredElement {
        if try window.take("<array") { return try container(.array) }
        if try window.take("<dict") { return try container(.dictionary) }
        if try window.take("<true") { return try boolean(true, "</true>") }
        if try window.take("<false") { return try boolean(false, "</false>") }
        if try window.take("<string") {
            if try !isEmptyTag() { try readText("</string>") }
            endValue()
            return .string
        }
        if try window.take("<data") {
            let start = window.offset
            if try !isEmptyTag() { try readText("</data>") }
            guard let content = Base64.decoded(decoded.span) else {
                throw .invalid("expected base64", offset: start)
            }
            decoded = content
            endValue()
            return .data
        }
        if try window.take("<real>") { return try real() }
        if try window.take("<date>") { return try date() }
        throw invalid("expected an element of a property list")
    }

    /// Reads the rest of a tag; empties the text where the tag is an empty element.
    private mutating func isEmptyTag() throws(StoreReadError) -> Bool {
        try skipAttributes()
        forgetText()
        if try window.take("/>") { return true }
        guard try window.take(">") else { throw invalid("expected '>'") }
        return false
    }

    private mutating func container(_ container: Container) throws(StoreReadError) -> StoredElement {
        isEmptyEnd = try isEmptyTag()
        return try open(container)
    }

    private mutating func boolean(_ value: Bool, _ end: StaticString) throws(StoreReadError) -> StoredElement {
        if try !isEmptyTag() {
            guard try window.take(end) else { throw invalid("expected the end of a boolean") }
        }
        endValue()
        return .boolean(value)
    }

    // MARK: Numbers and dates

    private mutating func integer() throws(StoreReadError) -> StoredElement {
        let start = window.offset
        try readText("</integer>")
        guard let value = StoredNumber.integer(decoded) else {
            throw .invalid("expected an integer", offset: start)
        }
        endValue()
        return .integer(value)
    }

    private mutating func real() throws(StoreReadError) -> StoredElement {
        let start = window.offset
        try readText("</real>")
        guard let value = StoredNumber.real(decoded) else { throw .invalid("expected a real", offset: start) }
        endValue()
        return .real(value)
    }

    private mutating func date() throws(StoreReadError) -> StoredElement {
        let start = window.offset
        try readText("</date>")
        guard let value = DateText.seconds(decoded.span) else { throw .invalid("expected a date", offset: start) }
        endValue()
        return .date(value)
    }

    // MARK: Text

    private mutating func forgetText() {
        plain = 0..<0
        decoded.removeAll(keepingCapacity: true)
    }

    /// Reads text up to an end tag.
    private mutating func readText(_ end: StaticString) throws(StoreReadError) {
        forgetText()
        while true {
            let start = window.offset
            guard let length = try window.distance(to: UInt8(ascii: "<")) else {
                throw invalid("a text that doesn't end")
            }
            if let fault = window.appendText(length, to: &decoded) {
                throw .invalid(fault.what, offset: start + fault.index)
            }
            window.position += length
            if try window.take(end) { return }
            if try window.take("<![CDATA[") {
                try readSection()
            } else if try window.take("<!--") {
                try window.skip(past: "-->", "a comment")
            } else {
                throw invalid("expected the end of the text")
            }
            guard decoded.count <= ReadLimits.textBytes else {
                throw invalid("a text of more than \(ReadLimits.textBytes) bytes")
            }
        }
    }

    /// A CDATA section: all is text up to its end.
    private mutating func readSection() throws(StoreReadError) {
        while true {
            let start = window.offset
            guard let length = try window.distance(to: UInt8(ascii: "]")) else {
                throw invalid("CDATA that doesn't end")
            }
            if let fault = window.appendText(length, to: &decoded, isSection: true) {
                throw .invalid(fault.what, offset: start + fault.index)
            }
            window.position += length
            if try window.take("]]>") { return }
            decoded.append(UInt8(ascii: "]"))
            window.position += 1
        }
    }
}
