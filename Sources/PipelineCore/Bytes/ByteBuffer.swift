// Bytes written piece by piece and removed in blocks: the output buffer of encoders that write many short texts.
//
//     <string>Mick</string>        [ written … | slack ]
//                                              ^count
//
// After the last byte there is always room for one more block, so a short piece is stored as whole words, whatever
// they hold past its end. That is several times as fast as appending to an array.

@safe
package struct ByteBuffer: ~Copyable {
    /// Bytes past the capacity that may be stored to and mean nothing.
    static let slack = 32
    package static let initialCapacity = 4096

    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    package private(set) var count = 0

    package init(capacity: Int = Self.initialCapacity) {
        self.capacity = capacity
        unsafe base = .allocate(capacity: capacity + Self.slack)
    }

    deinit { unsafe base.deallocate() }

    package var isEmpty: Bool { count == 0 }

    package var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            // SAFETY: `count` bytes are written, and they don't move while the value is borrowed.
            let bytes = unsafe Span(_unsafeStart: base, count: count)
            return unsafe _overrideLifetime(bytes, borrowing: self)
        }
    }

    package var text: String { span.text }

    package subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count)
        return unsafe base[index]
    }

    package mutating func removeAll() { count = 0 }

    package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    // MARK: Appending

    @inline(__always)
    package mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        precondition(more >= 0)
        let larger = max(capacity * 2, count + more)
        let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger + Self.slack)
        unsafe new.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = new
        capacity = larger
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base[count] = byte
        count &+= 1
    }

    @inline(__always)
    package mutating func append(_ text: StaticString) {
        precondition(text.hasPointerRepresentation)
        reserve(text.utf8CodeUnitCount)
        // SAFETY: there is room for them.
        unsafe (base + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    package mutating func append(text: String) {
        for byte in text.utf8 { append(byte) }
    }

    @inline(__always)
    package mutating func append(_ bytes: Span<UInt8>) {
        reserve(bytes.count)
        let count = count
        unsafe bytes.withUnsafeBytes { source in
            // SAFETY: there is room for them, and for a block past their end.
            unsafe Self.copy(source, to: UnsafeMutableRawPointer(base + count))
        }
        self.count &+= bytes.count
    }

    @inline(__always)
    package mutating func append(repeating byte: UInt8, count more: Int) {
        for _ in 0..<more { append(byte) }
    }

    /// Appends the lowest `size` bytes of a number, at most eight, the highest first.
    @inline(__always)
    package mutating func append(bigEndian number: UInt64, size: Int) {
        precondition(size > 0 && size <= 8)
        reserve(8)
        let word = (number &<< UInt64(truncatingIfNeeded: 64 &- 8 &* size)).bigEndian
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: word, as: UInt64.self)
        count &+= size
    }

    /// Appends bytes up to the first one that the scan stops at.
    /// - Returns: the index of that byte; `text.count` if there is none.
    @inline(__always)
    mutating func append<Scan: ByteScan>(_ text: Span<UInt8>, from start: Int, upTo scan: Scan) -> Int {
        precondition(start >= 0 && start <= text.count)
        reserve(text.count &- start)
        let count = count
        let copied = unsafe text.withUnsafeBytes { source in
            // SAFETY: there is room for the rest of the text, and for a block past its end.
            unsafe scan.copy(
                UnsafeRawBufferPointer(rebasing: source[start...]), to: UnsafeMutableRawPointer(base + count))
        }
        self.count &+= copied
        return start &+ copied
    }

    /// - Parameter target: has room for the bytes and a block past them.
    @inline(__always)
    private static func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        let count = source.count
        guard let from = source.baseAddress else { return }
        if count > 32 {
            unsafe target.copyMemory(from: from, byteCount: count)
        } else if count >= 16 {
            let first = unsafe from.loadUnaligned(as: SIMD16<UInt8>.self)
            let last = unsafe from.loadUnaligned(fromByteOffset: count &- 16, as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: first, as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: last, toByteOffset: count &- 16, as: SIMD16<UInt8>.self)
        } else if count >= 8 {
            let first = unsafe from.loadUnaligned(as: UInt64.self)
            let last = unsafe from.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            unsafe target.storeBytes(of: first, as: UInt64.self)
            unsafe target.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
        } else {
            unsafe target.storeBytes(of: ShortBytes.word(from, count), as: UInt64.self)
        }
    }
}

/// Fewer than eight bytes, read without touching the bytes past them.
enum ShortBytes {
    /// The bytes in a word, the first one lowest; the rest is zeros.
    /// - Parameter count: less than eight.
    @inline(__always)
    static func word(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
        if count >= 4 {
            let first = unsafe bytes.loadUnaligned(as: UInt32.self).littleEndian
            let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self).littleEndian
            let word = UInt64(first) | UInt64(last) &<< UInt64(truncatingIfNeeded: 8 &* (count &- 4))
            return word.littleEndian
        }
        guard count > 0 else { return 0 }
        let half = count &>> 1
        var word = unsafe UInt64(bytes.load(as: UInt8.self))
        unsafe word |=
            UInt64(bytes.load(fromByteOffset: half, as: UInt8.self)) &<< UInt64(truncatingIfNeeded: 8 &* half)
        unsafe word |=
            UInt64(bytes.load(fromByteOffset: count &- 1, as: UInt8.self))
            &<< UInt64(truncatingIfNeeded: 8 &* (count &- 1))
        return word.littleEndian
    }
}

/// A list that grows without being copied. An array that grows takes up to three times the memory of its elements
/// while it is copied; the last segment of this one is all that can be free.
struct SegmentedArray<Element> {
    private static var segmentSize: Int { 1 << 13 }

    private var segments: [[Element]] = []
    private(set) var count = 0

    var indices: Range<Int> { 0..<count }

    mutating func append(_ element: Element) {
        if count % Self.segmentSize == 0 {
            var segment: [Element] = []
            segment.reserveCapacity(count == 0 ? 0 : Self.segmentSize)
            segments.append(segment)
        }
        segments[segments.count - 1].append(element)
        count += 1
    }

    subscript(index: Int) -> Element {
        get { segments[index / Self.segmentSize][index % Self.segmentSize] }
        _modify { yield &segments[index / Self.segmentSize][index % Self.segmentSize] }
    }
}

extension SegmentedArray: Sendable where Element: Sendable {}

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

/// The bytes of a string, to be read through a span. `String.utf8Span`, which doesn't copy them, is there from macOS 26 on.
extension String {
    #if canImport(Darwin)
    package var utf8Bytes: [UInt8] { Array(utf8) }
    #else
    package var utf8Bytes: UTF8Span {
        @_lifetime(borrow self)
        borrowing get { utf8Span }
    }
    #endif
}

/// The bytes of a literal, for tables that are part of the executable and read without a copy.
extension StaticString {
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
