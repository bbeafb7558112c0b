// Which proxy libcurl would take from the environment, decided here where the address guard has to know: behind a proxy
// the address that is connected to is the proxy's, and only the name of the host can be judged.

import PipelineCore

/// The environment's proxies, by libcurl's rules.
package struct ProxyChoice {
    /// The names of the variables, and what they hold.
    private static let names = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]
    private var values: [String: String] = [:]

    /// - Parameter variable: gives the value of an environment variable. They are read once.
    package init(_ variable: (String) -> String?) {
        for name in Self.names { values[name] = variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// The proxy for a URL, nil for none. `http_proxy` counts in lower case only: a CGI program gets HTTP_PROXY from
    /// its client's header.
    package func proxy(for url: HTTPURL) -> String? {
        guard !values.isEmpty else { return nil }
        guard !isExcepted(url.host) else { return nil }
        let names =
            url.scheme == "http"
            ? ["http_proxy", "all_proxy", "ALL_PROXY"]
            : ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return names.lazy.compactMap { values[$0] }.first
    }

    /// `no_proxy`: `*`, or hosts and domains after commas or spaces.
    private func isExcepted(_ host: String) -> Bool {
        guard let list = values["no_proxy"] ?? values["NO_PROXY"] else { return false }
        if list == "*" { return true }
        let name = Self.normalised(host[...])
        return list.split { $0 == "," || $0 == " " }.contains { entry in
            let domain = Self.normalised(entry.drop { $0 == "." })
            return name == domain || !domain.isEmpty && name.hasSuffix("." + domain)
        }
    }

    private static func normalised(_ host: Substring) -> String {
        let name = host.filter { $0 != "[" && $0 != "]" }.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
