// The bytes of a string, to be read through a span. `String.utf8Span`, which doesn't copy them, is there from macOS 26 on.

extension String {
    #if canImport(Darwin)
    /// The UTF-8, whose `span` has the bytes.
    package var utf8Bytes: [UInt8] { Array(utf8) }
    #else
    /// The UTF-8, whose `span` has the bytes.
    package var utf8Bytes: UTF8Span {
        @_lifetime(borrow self)
        borrowing get { utf8Span }
    }
    #endif
}
