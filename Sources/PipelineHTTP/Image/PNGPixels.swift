// The pixels of a PNG: one zlib stream, cut into the IDAT chunks. They are inflated a block at a time, counted and
// dropped, which takes the same memory for every picture.
//
//     filter (1) samples … | filter (1) samples … | …        a row each; the filter is 0 to 4

import CZlib
import PipelineCore

/// Counts the rows of a picture. What follows the last one doesn't matter.
@safe
struct PNGPixels: ~Copyable {
    private static let blockBytes = 32_768

    private let stream: UnsafeMutablePointer<z_stream>
    private var block: [UInt8]
    private var passes: [(count: Int, bytes: Int)]
    private var pass = 0
    /// The bytes before the next filter.
    private var rest = 0
    private(set) var hasBegun = false
    /// Whether all rows were there.
    private(set) var areWhole = false

    /// - Throws: `.damaged` if zlib gets no memory.
    init(_ header: PNGHeader) throws(ImageError) {
        passes = header.passes
        block = [UInt8](repeating: 0, count: Self.blockBytes)
        // zlib keeps the address, so the stream may not move.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe castline_begin_inflate(stream) == Z_OK else { throw .damaged(.png) }
    }

    deinit {
        // One that didn't begin is refused, which is as good.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates the next part of the stream.
    mutating func inflate(_ part: Span<UInt8>) throws(ImageError) {
        hasBegun = true
        var position = 0
        var isFull = false
        while !areWhole, position < part.count || isFull {
            let (consumed, produced, status) = step(part.extracting(position...))
            position += consumed
            isFull = produced == Self.blockBytes
            try count(produced)
            guard !areWhole else { return }
            guard status != Z_STREAM_END else { throw .truncated(.png) }
            guard status == Z_OK || status == Z_BUF_ERROR else { throw .damaged(.png) }
        }
    }

    private mutating func step(_ input: Span<UInt8>) -> (consumed: Int, produced: Int, status: Int32) {
        // SAFETY: zlib has both only during the call, and stays within their counts, of which a chunk's has 32 bits.
        let status = unsafe input.withUnsafeBufferPointer { source in
            unsafe block.withUnsafeMutableBufferPointer { target in
                unsafe stream.pointee.next_in = source.baseAddress
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(target.count)
                return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
            }
        }
        return unsafe (
            input.count - Int(stream.pointee.avail_in), Self.blockBytes - Int(stream.pointee.avail_out), status
        )
    }

    /// Looks at the filters among the bytes of the block.
    private mutating func count(_ produced: Int) throws(ImageError) {
        var position = rest
        // A row that ends where the block does may be the last.
        while position <= produced {
            while pass < passes.count, passes[pass].count <= 0 { pass += 1 }
            guard pass < passes.count else {
                areWhole = true
                return
            }
            guard position < produced else { break }
            guard block[position] <= 4 else { throw .damaged(.png) }
            passes[pass].count -= 1
            position += passes[pass].bytes
        }
        rest = position - produced
    }
}
