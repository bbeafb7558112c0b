// What a SHA-256 is computed by: libcrypto, and on macOS, whose SDK has no libcrypto, CommonCrypto. Both use the
// processor's instructions for it.

import PipelineCore

#if canImport(CommonCrypto)
import CommonCrypto

/// CommonCrypto's state, which is begun.
struct SHA256State: ~Copyable {
    private var context = CC_SHA256_CTX()

    /// - Throws: never; libcrypto's may.
    init() throws(ToolFailure) { _ = unsafe CC_SHA256_Init(&context) }

    mutating func update(_ bytes: Span<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let part = rest.extracting(first: Int(CC_LONG.max))
            // SAFETY: CommonCrypto reads only the span's bytes.
            unsafe part.withUnsafeBytes { _ = unsafe CC_SHA256_Update(&context, $0.baseAddress, CC_LONG($0.count)) }
            rest = rest.extracting(droppingFirst: part.count)
        }
    }

    /// Finishes the digest and begins the next.
    mutating func finish(into digest: inout [UInt8]) {
        // SAFETY: the digest has 32 bytes.
        _ = unsafe CC_SHA256_Final(&digest, &context)
        _ = unsafe CC_SHA256_Init(&context)
    }
}
#else
import CCrypto

/// libcrypto's state, which is begun.
@safe
struct SHA256State: ~Copyable {
    private let context: OpaquePointer
    private let algorithm: OpaquePointer

    /// - Throws: status 70 if libcrypto refuses, as it may under a system policy.
    init() throws(ToolFailure) {
        guard let context = unsafe EVP_MD_CTX_new() else { throw Self.unavailable }
        guard let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil),
            unsafe EVP_DigestInit_ex(context, algorithm, nil) == 1
        else {
            unsafe EVP_MD_CTX_free(context)
            throw Self.unavailable
        }
        unsafe self.context = context
        unsafe self.algorithm = algorithm
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
        unsafe EVP_MD_free(algorithm)
    }

    private static var unavailable: ToolFailure {
        ToolFailure(.software, "libcrypto gives no SHA-256; check the machine's policy for it")
    }

    mutating func update(_ bytes: Span<UInt8>) {
        // SAFETY: libcrypto reads only the span's bytes.
        unsafe bytes.withUnsafeBytes { _ = unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Finishes the digest and begins the next.
    mutating func finish(into digest: inout [UInt8]) {
        // SAFETY: the digest has 32 bytes.
        let results = unsafe digest.withUnsafeMutableBytes {
            unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil) + EVP_DigestInit_ex(context, algorithm, nil)
        }
        precondition(results == 2, "a digest that was begun can be ended")
    }
}
#endif
