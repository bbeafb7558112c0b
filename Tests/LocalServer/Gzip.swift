// Bodies compressed by zlib, and the ways in which a compressed one can be wrong.

import TestSupport

enum Gzip {
    /// What is sent in place of the body.
    enum Form: Sendable {
        case whole
        /// Half of the body in each of two members.
        case members
        /// Compressed twice, and named twice.
        case twice
        /// The body and very many spaces after it.
        case bomb
        /// Half of the stream.
        case cut
        case wrongChecksum, wrongLength
        /// Bytes after the stream that are no member.
        case padded
    }

    static let bombSpaces = 256 << 20

    static func encoded(_ bytes: [UInt8], _ form: Form) -> [UInt8] {
        var stream = form == .members ? [] : GzipMember.compressed(bytes, spaces: form == .bomb ? bombSpaces : 0)
        switch form {
        case .whole, .bomb: break
        case .members:
            let middle = bytes.count / 2
            stream = GzipMember.compressed(Array(bytes[..<middle]))
            stream += GzipMember.compressed(Array(bytes[middle...]))
        case .twice: stream = GzipMember.compressed(stream)
        case .cut: stream.removeLast((stream.count + 1) / 2)
        // The last eight bytes are the checksum and the length (RFC 1952, 2.3.1).
        case .wrongChecksum: stream[stream.count - 8] ^= 1
        case .wrongLength: stream[stream.count - 4] ^= 1
        case .padded: stream += [UInt8](repeating: 0, count: 512)
        }
        return stream
    }

    /// What the header says of it.
    static func name(_ form: Form) -> String { form == .twice ? "gzip, gzip" : "gzip" }
}
