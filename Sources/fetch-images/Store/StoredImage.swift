// A picture that is in the store.

/// Where it is and what is known of it.
package struct StoredImage: Equatable, Sendable {
    /// Begins with the store's directory as the user gave it.
    package let path: String
    /// In hexadecimal digits.
    package let sha256: String
    package let bytes: Int
    package let facts: ImageFacts
}
