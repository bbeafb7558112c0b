// Reads an XML property list, hostile input included: it knows only the five entities and character references,
// ignores the DTD, bounds the depth, and keeps nothing but one text and the open containers.

struct XMLReader: StoreDecoder, ~Copyable {
    private enum Container {
        case none
        case array
        case dictionary
        case member
    }

    /// A tag of the DTD, and what its text must be.
    private enum Tag: String {
        case string, key, array, dictionary, yes, no
        case integer = "an integer from -2^63 to 2^64-1"
        case real = "a real"
        case date = "a date as in 2011-05-12T01:02:03Z"
        case data = "base64"

        static let all: [(Tag, start: StaticString, end: StaticString)] = [
            (.string, "<string", "</string"), (.integer, "<integer", "</integer"), (.key, "<key", "</key"),
            (.yes, "<true", "</true"), (.no, "<false", "</false"), (.dictionary, "<dict", "</dict"),
            (.array, "<array", "</array"), (.real, "<real", "</real"), (.date, "<date", "</date"),
            (.data, "<data", "</data"),
        ]
    }

    private enum Stage {
        case prolog
        case root
        /// The root has been read; `</plist>` hasn't.
        case end
        /// `</plist>` has been read: the file is complete.
        case closed
    }

    var window: XMLWindow
    /// The text read last, unless the file has it verbatim.
    private var decoded: [UInt8] = []
    /// The range of the text read last in the window; empty if it was decoded.
    private var plain = 0..<0
    private var container = Container.none
    private var outer: [Container] = []
    private var stage = Stage.prolog
    /// Set after the tag of an empty container: its end is the next part.
    private var isEmptyEnd = false

    init(_ file: Descriptor) { window = XMLWindow(file) }

    var format: StoreFormat { .xml }
    var isReadEverywhere: Bool { true }

    var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { plain.isEmpty ? decoded.span : window.span.extracting(plain) }
    }

    mutating func next() throws(StoreFailure) -> StoredElement? {
        if !isEmptyEnd, container != .none, let element = try usual() { return element }
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
            case UInt8(ascii: "!"), UInt8(ascii: "?"):
                if try !skipRemark() { throw invalid("expected an element") }
            case UInt8(ascii: "/"):
                if let element = try endTag() { return element }
            default: return try startTag()
            }
        }
    }

    mutating func skip(_ first: StoredElement) throws(StoreFailure) {
        var depth = first.depthChange
        while depth > 0, let next = try next() { depth += next.depthChange }
    }

    private func invalid(_ what: Message) -> StoreFailure { .invalid(what, offset: window.offset) }

    // MARK: The usual tags

    /// The next part, if it is spelt as Apple's tools and castline spell it and all of it is in the window.
    /// - Returns: nil for everything else, which the general path reads.
    @inline(__always)
    private mutating func usual() throws(StoreFailure) -> StoredElement? {
        guard window.skipSpaceInWindow(), let word = window.word else { return nil }
        if container == .dictionary {
            if XMLTag.key.begins(word), readPlain(after: XMLTag.key, "</key>") {
                container = .member
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
        if XMLTag.integer.begins(word), let value = readInteger() {
            endValue()
            return value
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

    /// Reads a text without references, line ends and comments; nothing of any other text.
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

    /// Reads an integer that has no sign but a minus; nothing of any other one.
    private mutating func readInteger() -> StoredElement? {
        guard window.holds(">", at: window.position + XMLTag.integer.count) else { return nil }
        let start = window.position + XMLTag.integer.count + 1
        let stop = window.plainEnd(from: start)
        guard window.holds("</integer>", at: stop),
            let value = NumberText.integer(window.span.extracting(start..<stop))
        else { return nil }
        window.position = stop + "</integer>".utf8.count
        return .integer(value)
    }

    // MARK: Tags

    private mutating func endTag() throws(StoreFailure) -> StoredElement? {
        switch container {
        case .array:
            guard try takeEnd("</array") else { throw invalid("expected an element or </array>") }
            return try close()
        case .dictionary:
            guard try takeEnd("</dict") else { throw invalid("expected <key> or </dict>") }
            return try close()
        case .member: throw invalid("expected the value of a key")
        case .none:
            guard stage == .end, try takeEnd("</plist") else { throw invalid("expected a value") }
            stage = .closed
            return nil
        }
    }

    private mutating func close() throws(StoreFailure) -> StoredElement {
        let element: StoredElement = container == .array ? .endArray : .endDictionary
        container = outer.removeLast()
        endValue()
        return element
    }

    private mutating func endValue() {
        if container == .none {
            stage = .end
        } else if container == .member {
            container = .dictionary
        }
    }

    /// Reads a tag and, of a scalar, all up to its end tag.
    private mutating func startTag() throws(StoreFailure) -> StoredElement {
        guard stage == .root || container != .none else {
            throw invalid(stage == .end ? "expected </plist>" : "expected the end of the file")
        }
        let start = window.offset
        let isKey = container == .dictionary
        guard let (tag, end) = try takeName(), isKey == (tag == .key) else {
            throw .invalid(
                isKey ? "expected <key> or </dict>" : "expected an element of a property list", offset: start)
        }
        let isEmpty = try isEmptyTag()
        switch tag {
        case .array, .dictionary:
            isEmptyEnd = isEmpty
            return try open(tag == .array ? .array : .dictionary)
        case .yes, .no:
            if !isEmpty, try !takeEnd(end) { throw invalid("expected the end of a boolean") }
        default: if !isEmpty { try readText(end) }
        }
        if isKey {
            container = .member
            return .key
        }
        endValue()
        guard let value = value(of: tag) else { throw .invalid("expected \(tag.rawValue)", offset: start) }
        return value
    }

    /// Takes the beginning of a tag, such as `<real`; nil for one that no property list has. The end tag lacks its `>`.
    private mutating func takeName() throws(StoreFailure) -> (Tag, end: StaticString)? {
        for (tag, start, end) in Tag.all where try window.take(start) { return (tag, end) }
        return nil
    }

    private mutating func value(of tag: Tag) -> StoredElement? {
        switch tag {
        case .integer: return NumberText.integer(spelt: decoded).map { .integer($0) }
        case .real: return NumberText.real(spelt: decoded).map { .real($0) }
        case .date: return DateText.seconds(decoded.span).map { .date($0) }
        case .yes, .no: return .boolean(tag == .yes)
        case .data:
            guard let content = Base64.decoded(decoded.span) else { return nil }
            decoded = content
            return .data
        case .string, .key, .array, .dictionary: return .string
        }
    }

    private mutating func open(_ new: Container) throws(StoreFailure) -> StoredElement {
        guard outer.count < ReadLimits.depth else { throw invalid("more than \(ReadLimits.depth) levels") }
        outer.append(container)
        container = new
        return new == .array ? .beginArray : .beginDictionary
    }

    // MARK: The prolog

    private mutating func readProlog() throws(StoreFailure) {
        if try window.ensure(2), window[0] ^ window[1] == 1, window[0] >= 0xFE {
            throw .unfit("UTF-16 isn't read; plutil -convert xml1 writes UTF-8", path: "$")
        }
        _ = try window.take("\u{FEFF}")
        while true {
            try window.skipSpace()
            if try window.take("<!DOCTYPE") {
                let declaration = try restOfTag()
                if declaration.contains(UInt8(ascii: "[")) {
                    throw .unfit(
                        "the DOCTYPE has declarations of its own, which aren't read; take them out",
                        path: "$")
                }
            } else if try window.take("<?xml") {
                let declaration = try restOfTag()
                let encoding = XMLDeclaration.encoding(declaration.span) ?? "utf-8"
                // Bytes in another encoding can be valid UTF-8 and mean something else.
                guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding) else {
                    throw .unfit(
                        "\(encoding.uppercased()) isn't read; plutil -convert xml1 writes UTF-8", path: "$")
                }
            } else if try window.take("<plist") {
                try skipAttributes()
                guard try window.take(">") else { throw invalid("expected a value in <plist>") }
                stage = .root
                return
            } else if try !skipRemark() {
                throw invalid("expected <plist>")
            }
        }
    }

    private mutating func restOfTag() throws(StoreFailure) -> [UInt8] {
        guard let end = try window.distance(to: UInt8(ascii: ">")) else {
            throw invalid("the file ends too early")
        }
        let rest = window.span.extracting(window.position..<window.position + end).array
        window.position += end + 1
        return rest
    }

    /// - Returns: false for anything but a comment or an instruction.
    private mutating func skipRemark() throws(StoreFailure) -> Bool {
        if try window.take("<!--") {
            try window.skip(past: "-->", "a comment")
        } else if try window.take("<?") {
            try window.skip(past: "?>", "an instruction")
        } else {
            return false
        }
        return true
    }

    /// Skips attributes, which mean nothing in a property list, up to `>` or `/>`.
    private mutating func skipAttributes() throws(StoreFailure) {
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

    // MARK: Text

    /// Skips an end tag, if it is next. It is given without its `>`, which white space may precede.
    private mutating func takeEnd(_ tag: StaticString) throws(StoreFailure) -> Bool {
        guard try window.take(tag) else { return false }
        try window.skipSpace()
        guard try window.take(">") else { throw invalid("expected '>'") }
        return true
    }

    /// Reads text up to an end tag, given without its `>`.
    private mutating func readText(_ end: StaticString) throws(StoreFailure) {
        while true {
            try appendText(to: UInt8(ascii: "<"), "a text")
            if try takeEnd(end) { return }
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

    private mutating func readSection() throws(StoreFailure) {
        while true {
            try appendText(to: UInt8(ascii: "]"), "CDATA", isSection: true)
            if try window.take("]]>") { return }
            decoded.append(UInt8(ascii: "]"))
            window.position += 1
        }
    }

    private mutating func appendText(to byte: UInt8, _ what: String, isSection: Bool = false) throws(StoreFailure) {
        guard let length = try window.distance(to: byte) else { throw invalid("\(what) that doesn't end") }
        if let fault = window.appendText(length, to: &decoded, isSection: isSection) {
            throw .invalid("\(fault.what)", offset: window.offset + fault.index)
        }
        window.position += length
    }

    /// Reads the rest of a tag, which may be that of an empty element, and clears the text.
    private mutating func isEmptyTag() throws(StoreFailure) -> Bool {
        guard try window.ensure(1), " \t\r\n/>".utf8.contains(window[window.position]) else {
            throw invalid("expected the end of a tag's name")
        }
        try skipAttributes()
        plain = 0..<0
        decoded.removeAll(keepingCapacity: true)
        if try window.take("/>") { return true }
        guard try window.take(">") else { throw invalid("expected '>'") }
        return false
    }
}
