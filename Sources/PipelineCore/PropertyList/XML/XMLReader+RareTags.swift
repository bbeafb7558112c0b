// The tags that are rare in stores of texts, and those that other writers spell differently.
//
//     <true/>     <data>3q0=</data>     <string/>     <array id="a">

extension XMLReader {
    /// Reads empty containers, scalars other than texts, and tags with attributes or white space.
    mutating func otherTag() throws(StoreReadError) -> StoredElement {
        let start = window.offset
        if try window.take("<array") { return try container(.array) }
        if try window.take("<dict") { return try container(.dictionary) }
        if try window.take("<true") { return try boolean(true, "</true") }
        if try window.take("<false") { return try boolean(false, "</false") }
        if try window.take("<string") {
            try readContent("</string")
            return .string
        }
        if try window.take("<data") {
            try readContent("</data")
            guard let content = Base64.decoded(decoded.span) else {
                throw .invalid("expected base64", offset: start)
            }
            decoded = content
            return .data
        }
        if try window.take("<integer") {
            try readContent("</integer")
            if let value = StoredNumber.integer(decoded) { return .integer(value) }
            throw .invalid("expected an integer", offset: start)
        }
        if try window.take("<real") {
            try readContent("</real")
            if let value = StoredNumber.real(decoded) { return .real(value) }
            throw .invalid("expected a real", offset: start)
        }
        if try window.take("<date") {
            try readContent("</date")
            if let value = DateText.seconds(decoded.span) { return .date(value) }
            throw .invalid("expected a date", offset: start)
        }
        throw invalid("expected an element of a property list")
    }

    /// Reads the rest of a tag, and clears the text.
    /// - Returns: whether the tag is an empty element.
    mutating func isEmptyTag() throws(StoreReadError) -> Bool {
        guard try window.ensure(1), " \t\r\n/>".utf8.contains(window[window.position]) else {
            throw invalid("expected the end of a tag's name")
        }
        try skipAttributes()
        forgetText()
        if try window.take("/>") { return true }
        guard try window.take(">") else { throw invalid("expected '>'") }
        return false
    }

    /// Reads the rest of a tag and the text after it.
    private mutating func readContent(_ end: StaticString) throws(StoreReadError) {
        if try !isEmptyTag() { try readText(end) }
        endValue()
    }

    private mutating func container(_ container: Container) throws(StoreReadError) -> StoredElement {
        isEmptyEnd = try isEmptyTag()
        return try open(container)
    }

    private mutating func boolean(_ value: Bool, _ end: StaticString) throws(StoreReadError) -> StoredElement {
        if try !isEmptyTag() {
            guard try takeEnd(end) else { throw invalid("expected the end of a boolean") }
        }
        endValue()
        return .boolean(value)
    }
}
