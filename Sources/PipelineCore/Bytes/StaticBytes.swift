// The bytes of a literal, for tables that are part of the executable and read without a copy.

extension StaticString {
    /// The text's bytes in UTF-8.
    package var bytes: Span<UInt8> {
        @_lifetime(immortal)
        get {
            guard hasPointerRepresentation else { return Span() }
            // SAFETY: a literal's bytes are never freed.
            let buffer = unsafe UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
            let span = unsafe Span(_unsafeElements: buffer)
            return unsafe _overrideLifetime(span, borrowing: ())
        }
    }
}
