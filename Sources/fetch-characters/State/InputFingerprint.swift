// The values that --each has taken from stdin so far, as a count and a checksum: enough to know whether another
// input starts with the same ones.
//
//     3-9f0c51a777d1e2b4

import PipelineCore

/// A checksum of values in order.
struct InputFingerprint: Equatable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    init() {}

    /// - Returns: nil if the text isn't a fingerprint.
    init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let count = Int(parts[0]), count >= 0, let sum = UInt64(parts[1], radix: 16) else {
            return nil
        }
        self.count = count
        self.sum = sum
    }

    var text: String { "\(count)-\(String(sum, radix: 16))" }

    mutating func enter(_ value: String, _ hash: ByteHash) {
        count += 1
        sum = hash.hash(Array("\(sum) \(value)".utf8).span)
    }
}
