// The proxy that libcurl would take from the environment. It is chosen here, for both tools, because over a proxy
// the connection goes to the proxy's address, and the address guard can check only the name of the host.

import PipelineCore

package struct ProxySettings {
    private var values: [String: String] = [:]

    /// - Parameter variable: returns the value of an environment variable. Each is read once.
    package init(_ variable: (String) -> String?) {
        let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
        for name in names { values[name] = variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// The proxy for a URL, nil for none. `http_proxy` counts in lower case only: a CGI program gets HTTP_PROXY
    /// from its client's header.
    package func proxy(for url: HTTPURL) -> String? {
        guard !values.isEmpty, !isExcepted(url.host) else { return nil }
        let names =
            url.scheme == "http"
            ? ["http_proxy", "all_proxy", "ALL_PROXY"]
            : ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return names.lazy.compactMap { values[$0] }.first
    }

    /// `no_proxy`: `*`, or hosts, domains, addresses and networks separated by commas or blanks.
    private func isExcepted(_ host: String) -> Bool {
        guard let list = values["no_proxy"] ?? values["NO_PROXY"] else { return false }
        if list == "*" { return true }
        let entries = list.split { $0 == "," || $0 == " " || $0 == "\t" }
        // `[fe80::1%25eth0]`: the zone matters only to this machine.
        let name = Self.normalised(host.prefix { $0 != "%" })
        if let address = SocketAddress(text: name) {
            return entries.contains { Self.isEntry($0, aNetworkOf: address) }
        }
        return entries.contains { entry in
            let domain = Self.normalised(entry.first == "." ? entry.dropFirst() : entry)
            return name == domain || !domain.isEmpty && name.hasSuffix("." + domain)
        }
    }

    /// `10.0.0.0/8`, `fd00::/8`, or a single address. libcurl takes 0 bits for a single address too.
    private static func isEntry(_ entry: Substring, aNetworkOf address: SocketAddress) -> Bool {
        let parts = entry.filter { $0 != "[" && $0 != "]" }.split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let network = SocketAddress(text: String(first)) else { return false }
        // Only the leading digits count.
        let digits = parts.dropFirst().first?.prefix { $0.isASCII && $0.isNumber } ?? ""
        let bits = Int(digits) ?? 0
        return parts.last?.first != "-" && network.contains(address, bits: bits)
    }

    private static func normalised(_ host: Substring) -> String {
        let name = host.filter { $0 != "[" && $0 != "]" }.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}

extension SocketAddress {
    /// - Parameter bits: the prefix length; 0 for this address alone.
    fileprivate func contains(_ other: SocketAddress, bits: Int) -> Bool {
        switch (self, other) {
        case (.ipv4(let own), .ipv4(let other)):
            return bits == 0 ? own == other : bits <= 32 && (own ^ other) >> (32 - bits) == 0
        case (.ipv6(let upper, let lower), .ipv6(let otherUpper, let otherLower)):
            let bits = bits == 0 ? 128 : bits
            // Shifting out all bits gives 0.
            return bits <= 128 && (upper ^ otherUpper) >> (64 - min(bits, 64)) == 0
                && (lower ^ otherLower) >> (64 - max(bits - 64, 0)) == 0
        case (.ipv4, _), (.ipv6, _), (.other, _): return false
        }
    }
}

/// The trusted certificates that the environment names, by the rules of the curl tool, which libcurl leaves to its callers:
/// a PEM file, or a directory of certificates named by their hashes. Nil for the system's.
package func trustedCertificates(_ variable: (String) -> String?) -> (file: String?, directory: String?) {
    let values = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"].map { name in
        variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    return (values[0] ?? values[1], values[0] == nil ? values[2] : nil)
}
