// SHA-256 (FIPS 180-4). It names content: images, and requests in the cache.

package import PipelineCore

/// A reusable digest: what is set up for each takes longer than hashing a short text. Not thread-safe.
package final class SHA256 {
    package static let count = 32

    private var state: SHA256State

    /// - Throws: status 70 if the system's library refuses, as it may under a policy.
    package init() throws(ToolFailure) { state = try SHA256State() }

    package func update(_ bytes: Span<UInt8>) { state.update(bytes) }

    /// Finishes the digest and starts the next.
    package func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.count)
        state.finish(into: &digest)
        return digest
    }

    package func digest(_ bytes: Span<UInt8>) -> [UInt8] {
        update(bytes)
        return finish()
    }

    /// The digest of a regular file of any size, up to the size it had when it was opened.
    /// - Throws: status 66 if it can't be read.
    package func digest(fileAt path: String) throws(ToolFailure) -> [UInt8] {
        do throws(SystemError) {
            let file = try Descriptor.regular(path)
            defer { file.closeUnchecked() }
            var rest = file.fileSize ?? 0
            var block = [UInt8](repeating: 0, count: 262_144)
            while rest > 0 {
                let count = try file.read(into: &block, 0..<min(block.count, rest))
                guard count > 0 else { break }
                update(block.span.extracting(..<count))
                rest -= count
            }
        } catch {
            _ = finish()
            throw ToolFailure(.noInput, error.advice(orElse: "check the store"))
        }
        return finish()
    }

    /// Whether these are lower-case hexadecimal digits, as `hexadecimal` writes them.
    package static func isHexadecimal(_ text: some Sequence<UInt8>) -> Bool {
        text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// A digest as 64 lower-case hexadecimal digits.
    package static func hexadecimal(_ digest: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * digest.count)
        for byte in digest {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}

// What a SHA-256 is computed by: libcrypto, and on macOS, whose SDK has no libcrypto, CommonCrypto. Both use the
// processor's instructions for it.

#if canImport(CommonCrypto)
import CommonCrypto

/// CommonCrypto's state, which is begun.
struct SHA256State: ~Copyable {
    private var context = CC_SHA256_CTX()

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

    mutating func finish(into digest: inout [UInt8]) {
        // SAFETY: the digest has 32 bytes.
        let results = unsafe digest.withUnsafeMutableBytes {
            unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil) + EVP_DigestInit_ex(context, algorithm, nil)
        }
        precondition(results == 2, "a digest that was begun can be ended")
    }
}
#endif
