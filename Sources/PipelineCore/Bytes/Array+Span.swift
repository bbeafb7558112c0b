// The span of an array, where the standard library of the oldest macOS lacks it: there `Array.span` is from macOS 26 on,
// though `Span` itself works on all of them.

#if canImport(Darwin)
extension Array where Element: BitwiseCopyable {
    /// A view of the elements, as `Array.span`. Such elements are never in an array of Objective-C's, whose elements would
    /// have no common place.
    @inlinable
    package var span: Span<Element> {
        @_lifetime(borrow self)
        borrowing get {
            // SAFETY: the elements stay where they are while the array is borrowed, as the span's lifetime says.
            let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
        }
    }
}
#endif
