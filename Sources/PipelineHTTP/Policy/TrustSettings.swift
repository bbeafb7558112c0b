// The trusted certificates: the system's, or those named in the environment, by the rules of the curl tool, which
// libcurl leaves to its callers.

/// The environment's certificates.
package struct TrustSettings: Equatable, Sendable {
    /// A PEM file of certificates, nil for the system's.
    package let file: String?
    /// A directory of certificates named by their hashes, nil for the system's.
    package let directory: String?

    /// - Parameter variable: returns the value of an environment variable.
    package init(_ variable: (String) -> String?) {
        let values = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"].map { name in
            variable(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        file = values[0] ?? values[1]
        directory = values[0] == nil ? values[2] : nil
    }
}
