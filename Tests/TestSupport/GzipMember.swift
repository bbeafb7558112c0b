// Bytes compressed with gzip by the system's zlib, for the local server and for tests.

import CZlib

package enum GzipMember {
    /// - Parameters:
    ///   - level: from 0, which only stores, to 9.
    ///   - spaces: so many follow the bytes, in whole mebibytes.
    package static func compressed(_ bytes: [UInt8], level: Int32 = 6, spaces: Int = 0) -> [UInt8] {
        var stream = unsafe z_stream()
        unsafe castline_begin_gzip(&stream, level)
        defer { unsafe deflateEnd(&stream) }
        var output: [UInt8] = []
        unsafe add(bytes, to: &output, &stream, Z_NO_FLUSH)
        let blank = [UInt8](repeating: 0x20, count: min(spaces, 1 << 20))
        for _ in 0..<spaces >> 20 { unsafe add(blank, to: &output, &stream, Z_NO_FLUSH) }
        unsafe add([], to: &output, &stream, Z_FINISH)
        return output
    }

    private static func add(_ bytes: [UInt8], to output: inout [UInt8], _ stream: inout z_stream, _ flush: Int32) {
        var block = [UInt8](repeating: 0, count: 65_536)
        // SAFETY: zlib has both only during the loop, and stays within their counts.
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe stream.next_in = source.baseAddress
            unsafe stream.avail_in = UInt32(source.count)
            repeat {
                let room = unsafe block.withUnsafeMutableBufferPointer { target in
                    unsafe stream.next_out = target.baseAddress
                    unsafe stream.avail_out = UInt32(target.count)
                    unsafe deflate(&stream, flush)
                    return unsafe Int(stream.avail_out)
                }
                output += block.prefix(block.count - room)
            } while unsafe stream.avail_out == 0
        }
    }
}
