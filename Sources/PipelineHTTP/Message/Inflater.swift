// What zlib has compressed, inflated as it comes in: bodies in gzip (RFC 1952) and the pixels of a PNG.
//
//     member: header, blocks, CRC-32, length     zlib checks all of it
//     member: …                                  several members are one body
//
// libcurl 7.88 takes a stream that is cut for whole, so it isn't asked to do this. Nothing may follow a member but
// another one, and zero bytes, with which some pad.

import CZlib
import PipelineCore

/// A stream that is being inflated. Reusable, not thread-safe.
@safe
package final class Inflater {
    package enum Format {
        case gzip
        /// One member, whose checksum isn't checked.
        case png
    }

    package enum Fault: Error {
        /// The bytes aren't in the format, or not as they were sent.
        case damaged
        /// zlib can't begin, or gets no memory.
        case unavailable
    }

    private static let blockBytes = 65_536

    private let stream: UnsafeMutablePointer<z_stream>
    private var block = [UInt8](repeating: 0, count: blockBytes)
    /// What has come in ends with a member: the body is whole if nothing follows. False before the first byte.
    package private(set) var isWhole = false

    package init(_ format: Format = .gzip) throws(Fault) {
        // zlib keeps the address, so the stream may not move.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe format == .gzip ? castline_begin_gunzip(stream) : castline_begin_inflate(stream)
        guard status == Z_OK else { throw .unavailable }
    }

    deinit {
        // One that didn't begin is refused, which is as good.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    package func restart() {
        unsafe inflateReset(stream)
        isWhole = false
    }

    /// Inflates all of the input.
    /// - Returns: false as soon as the body would be larger. What fits is in it.
    package func append(_ input: Span<UInt8>, to body: inout [UInt8], limitBytes: Int) throws(Fault) -> Bool {
        var position = 0
        var step: (consumed: Int, isUnfinished: Bool)
        repeat {
            step = try self.step(input.extracting(position...), to: &body)
            position += step.consumed
            guard body.count <= limitBytes else {
                body.removeLast(body.count - limitBytes)
                return false
            }
        } while step.isUnfinished
        return true
    }

    package func step(_ input: Span<UInt8>, to body: inout [UInt8]) throws(Fault) -> (
        consumed: Int, isUnfinished: Bool
    ) {
        let step = try step(input)
        body.append(contentsOf: block[..<step.produced])
        return (step.consumed, step.isUnfinished)
    }

    /// Of the block that the last step has filled.
    func byte(at index: Int) -> UInt8 { block[index] }

    /// Inflates as much of the input as fits into a block, which bounds what a small input becomes. Call it with the
    /// rest of the input, empty or not, while `isUnfinished`: there is more to come, as the output was full first.
    /// - Parameter most: the bytes that are wanted, if they are fewer than a block.
    func step(
        _ input: Span<UInt8>, most: Int = blockBytes
    ) throws(Fault) -> (consumed: Int, produced: Int, isUnfinished: Bool) {
        let room = min(most, Self.blockBytes)
        var start = 0
        if isWhole {
            while start < input.count, input[start] == 0 { start += 1 }
            guard start < input.count else { return (start, 0, false) }
            restart()
        }
        // zlib counts in 32 bits.
        let part = input.extracting(start..<min(input.count, start + Int(Int32.max)))
        // SAFETY: zlib has both only during the call, and stays within their counts.
        let status = unsafe part.withUnsafeBufferPointer { source in
            unsafe block.withUnsafeMutableBufferPointer { target in
                unsafe stream.pointee.next_in = source.baseAddress
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(room)
                return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
            }
        }
        let consumed = unsafe start + part.count - Int(stream.pointee.avail_in)
        let produced = unsafe room - Int(stream.pointee.avail_out)
        // A buffer error says that it has come as far as it can.
        let isFault = ![Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status)
        // zlib fails again in the next step, when what came before the fault has been taken.
        if isFault, produced == 0 { throw status == Z_MEM_ERROR ? .unavailable : .damaged }
        isWhole = status == Z_STREAM_END
        return (consumed, produced, isFault || consumed < input.count || produced == room)
    }
}
