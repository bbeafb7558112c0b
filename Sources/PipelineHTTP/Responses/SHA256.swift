// SHA-256 (FIPS 180-4). It names content: images, and requests in the cache. libcrypto computes it, and on macOS, whose
// SDK has no libcrypto, CommonCrypto; both use the processor's instructions for it.

#if canImport(CommonCrypto)
import CommonCrypto
#else
import CCrypto
#endif

package enum SHA256 {
    package static let count = 32

    #if canImport(CommonCrypto)
    package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
        precondition(bytes.count <= Int(CC_LONG.max))
        var digest = [UInt8](repeating: 0, count: Self.count)
        // SAFETY: CommonCrypto reads only the span's bytes, and the digest has 32.
        unsafe bytes.withUnsafeBytes { _ = unsafe CC_SHA256($0.baseAddress, CC_LONG($0.count), &digest) }
        return digest
    }
    #else
    /// Kept, since looking it up takes longer than hashing a short text. Without the machine's policy, which may ask for a
    /// module that isn't installed: it is for names of files, and keeps no secret.
    private nonisolated(unsafe) static let algorithm: OpaquePointer? = unsafe EVP_MD_fetch(nil, "SHA256", "-fips")

    package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.count)
        // SAFETY: libcrypto reads only the span's bytes, and the digest has 32.
        let result = unsafe bytes.withUnsafeBytes {
            unsafe EVP_Digest($0.baseAddress, $0.count, &digest, nil, algorithm, nil)
        }
        precondition(result == 1, "libcrypto has SHA-256")
        return digest
    }
    #endif

    /// A digest as 64 lower-case hexadecimal digits.
    package static func hexadecimal(_ digest: [UInt8]) -> String {
        String(decoding: digest.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
