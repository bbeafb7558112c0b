// The members of an object in arbitrary bytes, one after another.
//
//     {"name":"Mick","films":[1]}
//       name   value

extension JSONValidator {
    /// Moves past the object that begins here.
    /// - Parameter use: receives the range between the quotes of each member's name, whether those bytes are the
    ///   name's text (false only means they may not be), and the member's value. Returning false stops the walk.
    /// - Returns: whether the object is well-formed and `use` accepted every member.
    @inline(__always)
    func passMembers(
        _ index: inout Int, _ use: (_ name: Range<Int>, _ isPlain: Bool, _ value: Range<Int>) -> Bool
    ) -> Bool {
        index = afterSpace(index &+ 1)
        if self[index] == UInt8(ascii: "}") {
            index &+= 1
            return true
        }
        while true {
            guard let (name, isPlain) = passName(&index) else { return false }
            let value = index
            guard passValue(&index), use(name, isPlain, value..<index),
                let isLast = passComma(&index, end: UInt8(ascii: "}"))
            else { return false }
            if isLast { return true }
        }
    }

    /// Moves to the value of the member whose name begins here.
    /// - Returns: the range between the name's quotes, and whether those bytes are certainly its text.
    @inline(__always)
    func passName(_ index: inout Int) -> (name: Range<Int>, isPlain: Bool)? {
        guard self[index] == UInt8(ascii: "\"") else { return nil }
        let start = index &+ 1
        let special = firstSpecial(start)
        let isPlain = self[special] == UInt8(ascii: "\"")
        index = isPlain ? special &+ 1 : stringEnd(fromSpecial: special)
        let end = index &- 1
        guard end >= start, passColon(&index) else { return nil }
        return (start..<end, isPlain)
    }

    /// Moves to the next element, or past the container's end.
    /// - Returns: whether it was the end; nil if neither follows.
    @inline(__always)
    func passComma(_ index: inout Int, end: UInt8) -> Bool? {
        index = afterSpace(index)
        let byte = self[index]
        if byte == UInt8(ascii: ",") {
            index = afterSpace(index &+ 1)
            return false
        }
        index &+= 1
        return byte == end ? true : nil
    }

    /// The text of an object's own member, if nothing but white space follows the object.
    /// - Parameters:
    ///   - name: the member's name; must not need escapes.
    ///   - start: where the object begins.
    /// - Returns: nil if there is no such object, if it doesn't have exactly one such member, if an escape may
    ///   spell the name, or if the value isn't a string.
    package func text(ofMember name: [UInt8], from start: Int) -> JSONString? {
        precondition(start >= 0 && start < count)
        guard self[start] == UInt8(ascii: "{") else { return nil }
        var index = start
        var text: Range<Int>?
        let isObject = passMembers(&index) { found, isPlain, value in
            guard found.count == name.count, bytes.extracting(found).equals(name.span) else {
                return isPlain || bytes.extracting(found).firstIndex(of: UInt8(ascii: "\\")) == nil
            }
            guard text == nil, self[value.lowerBound] == UInt8(ascii: "\"") else { return false }
            text = value.lowerBound &+ 1..<value.upperBound &- 1
            return true
        }
        guard isObject, afterSpace(index) == count, let text else { return nil }
        let hasEscapes = bytes.extracting(text).firstIndex(of: UInt8(ascii: "\\")) != nil
        return JSONString(range: text, hasEscapes: hasEscapes)
    }
}
