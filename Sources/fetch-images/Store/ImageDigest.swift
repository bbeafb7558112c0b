// SHA-256 by libcrypto (FIPS 180-4), which has it in the processor's own instructions.

import CCrypto
package import PipelineCore

/// Names content.
package enum ImageDigest {
    /// The digest in 64 hexadecimal digits, in lower case.
    /// - Throws: where libcrypto refuses, as it may under a policy of the machine's.
    package static func sha256(_ bytes: Span<UInt8>) throws(ToolFailure) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        let result = unsafe bytes.withUnsafeBytes { input in
            unsafe digest.withUnsafeMutableBytes { output in
                // SAFETY: EVP_Digest reads the input's bytes, and writes the 32 of SHA-256.
                unsafe EVP_Digest(
                    input.baseAddress, input.count, output.baseAddress, &count, EVP_sha256(), nil)
            }
        }
        guard result == 1, count == 32 else {
            throw ToolFailure(.defect, "libcrypto gives no SHA-256; check the machine's policy for it")
        }
        return hexadecimal(digest)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
