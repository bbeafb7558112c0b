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
        guard result == 1, count == 32 else { throw unavailable }
        return hexadecimal(digest)
    }

    /// The digest of a file of any size.
    /// - Throws: status 66 where it can't be read.
    package static func sha256(fileAt path: String) throws(ToolFailure) -> String {
        guard let context = unsafe EVP_MD_CTX_new() else { throw unavailable }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw unavailable }
        do throws(SystemError) {
            let file = try Descriptor.reading(path)
            var block = [UInt8](repeating: 0, count: 262_144)
            while case let count = try file.read(into: &block, 0..<block.count), count > 0 {
                // SAFETY: the block has so many bytes.
                unsafe block.withUnsafeBytes { _ = unsafe EVP_DigestUpdate(context, $0.baseAddress, count) }
            }
            try file.close()
        } catch {
            throw ToolFailure(.noInput, "\(error); check the store")
        }
        var digest = [UInt8](repeating: 0, count: 32)
        // SAFETY: SHA-256 has 32 bytes.
        let result = unsafe digest.withUnsafeMutableBytes {
            unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
        }
        guard result == 1 else { throw unavailable }
        return hexadecimal(digest)
    }

    private static var unavailable: ToolFailure {
        ToolFailure(.defect, "libcrypto gives no SHA-256; check the machine's policy for it")
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
