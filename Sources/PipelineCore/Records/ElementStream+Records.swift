// The usual case, whole objects one after another, in the pass that finds their members.

extension ElementStream {
    /// Takes the elements from here on that are whole objects; stops at any other, and at what isn't well-formed.
    /// - Parameters:
    ///   - index: where the next element begins, as `reachElement` says.
    ///   - outline: of the same text. They are added to it.
    package mutating func takeRecords(_ text: Span<UInt8>, _ index: inout Int, _ outline: inout RecordOutline) {
        // One that has begun is known not to be whole: small pieces of a large one are not checked again and again.
        guard expectation == .element, !place.isObject, !isSingle, extent.scanned == 0 else { return }
        let json = JSONValidator(text)
        while json[index] == UInt8(ascii: "{") {
            var end = index
            guard outline.take(text, &end) else { return }
            index = json.afterSpace(end)
            guard json[index] == UInt8(ascii: ",") else {
                expectation = .elementSeparator
                return
            }
            index = json.afterSpace(index &+ 1)
        }
    }
}
