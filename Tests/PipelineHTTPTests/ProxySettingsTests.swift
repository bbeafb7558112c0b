// Which proxy the environment names for a URL.

import PipelineHTTP
import Testing

struct ProxySettingsTests {
    @Test(
        arguments: [
            (["http_proxy": "p"], "http://h/", "p"), (["http_proxy": "p"], "https://h/", nil),
            (["HTTP_PROXY": "p"], "http://h/", nil), (["HTTPS_PROXY": "p"], "https://h/", "p"),
            (["https_proxy": "a", "HTTPS_PROXY": "b"], "https://h/", "a"), (["all_proxy": "p"], "http://h/", "p"),
            (["ALL_PROXY": "p"], "https://h/", "p"), (["http_proxy": "", "all_proxy": "p"], "http://h/", "p"),
            (["http_proxy": "p", "no_proxy": "*"], "http://h/", nil),
            (["http_proxy": "p", "no_proxy": "x, h.org"], "http://a.H.org/", nil),
            (["http_proxy": "p", "no_proxy": ".h.org"], "http://h.org./", nil),
            (["http_proxy": "p", "NO_PROXY": "h.org"], "http://ah.org/", "p"),
            (["http_proxy": "p", "no_proxy": "::1"], "http://[::1]/", nil), ([:], "http://h/", nil),
        ] as [([String: String], String, String?)])
    func `a proxy is chosen as libcurl does`(variables: [String: String], url: String, proxy: String?) throws {
        #expect(ProxySettings { variables[$0] }.proxy(for: try HTTPURL(url)) == proxy)
    }

    /// What curl 7.88 does with them.
    static let exceptions: [(list: String, host: String, isDirect: Bool)] = [
        ("93.184.0.0/16", "93.184.1.2", true),
        ("93.184.0.0/16", "93.185.1.2", false),
        ("10.0.0.0/8", "10.1.2.3", true),
        ("10.0.0.0/8", "11.1.2.3", false),
        ("10.1.2.3/0", "10.1.2.3", true),
        ("10.1.2.3/0", "10.1.2.4", false),
        ("0.0.0.0/0", "10.1.2.4", false),
        ("10.1.2.3/33", "10.1.2.3", false),
        ("10.1.2.3/32", "10.1.2.3", true),
        ("10.1.2.3/", "10.1.2.3", true),
        ("10.1.2.3/x", "10.1.2.3", true),
        ("10.1.2.3/8x", "10.9.9.9", true),
        ("10.1.2.3/-1", "10.1.2.3", false),
        ("10.1.2.3/ 8", "10.9.9.9", false),
        ("10.0.0.0/9", "10.127.0.1", true),
        ("10.0.0.0/9", "10.128.0.1", false),
        ("10/8", "10.1.2.3", false),
        (".10.1.2.3", "10.1.2.3", false),
        ("10.1.2.3.", "10.1.2.3", false),
        ("2.3", "10.1.2.3", false),
        ("::ffff:10.0.0.0/104", "10.1.2.3", false),
        ("a.org b.org", "b.org", true),
        ("a.org\tb.org", "b.org", true),
        ("a.org , b.org", "b.org", true),
        ("a.org,,b.org", "b.org", true),
        ("*,a.org", "c.org", false),
        ("*", "c.org", true),
        ("* ", "c.org", false),
        ("*.org", "c.org", false),
        ("..org", "c.org", false),
        (".", "c.org", false),
        ("c.org.", "c.org", true),
        ("c.org", "c.org.", true),
        (".c.org.", "x.c.org.", true),
        ("org", "c.org", true),
        ("org:80", "c.org", false),
        ("c.org:80", "c.org", false),
        ("127.0.0.0/8", "127.1", true),
        ("127.0.0.0/8", "0x7f.1", true),
    ]

    /// curl 7.88 knows networks of IPv6 and compares them with nothing; these are what its manual promises.
    static let exceptionsOfIPv6: [(list: String, host: String, isDirect: Bool)] = [
        ("fd00::/8", "[fd00::1]", true),
        ("fd00::/8", "[fdff::1]", true),
        ("fd00::/8", "[fe00::1]", false),
        ("fd00::/9", "[fd00::1]", true),
        ("fd00::/9", "[fd80::1]", false),
        ("2001:db8::/64", "[2001:db8::ffff:0:0:1]", true),
        ("2001:db8::/64", "[2001:db8:0:1::]", false),
        ("2001:db8::/65", "[2001:db8::7fff:0:0:1]", true),
        ("2001:db8::/65", "[2001:db8::8000:0:0:1]", false),
        ("fd00::/128", "[fd00::]", true),
        ("fd00::/128", "[fd00::1]", false),
        ("fd00::/129", "[fd00::]", false),
        ("fd00::/0", "[fd00::]", true),
        ("fd00::/0", "[fd00::1]", false),
        ("[fd00::]", "[fd00::]", true),
        ("[fd00::]/8", "[fd00::1]", true),
        ("::ffff:10.0.0.0/104", "10.1.2.3", false),
        ("10.0.0.0/8", "[::ffff:10.1.2.3]", false),
        ("fe80::/10", "[fe80::1%25eth0]", true),
        ("FD00::1", "[fd00:0::1]", true),
    ]

    @Test(arguments: exceptions + exceptionsOfIPv6)
    func `no_proxy names hosts, domains, addresses and networks`(list: String, host: String, isDirect: Bool) throws
    {
        let choice = ProxySettings { ["http_proxy": "p", "no_proxy": list][$0] }
        #expect(try (choice.proxy(for: HTTPURL("http://\(host)/")) == nil) == isDirect)
    }
}

// Which certificates the environment names.

struct TrustedCertificatesTests {
    private static let choices: [(variables: [String: String], file: String?, directory: String?)] = [
        ([:], nil, nil),
        (["SSL_CERT_FILE": "/a"], "/a", nil),
        (["SSL_CERT_DIR": "/d"], nil, "/d"),
        (["SSL_CERT_FILE": "/a", "SSL_CERT_DIR": "/d"], "/a", "/d"),
        (["CURL_CA_BUNDLE": "/b", "SSL_CERT_FILE": "/a", "SSL_CERT_DIR": "/d"], "/b", nil),
        (["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "", "SSL_CERT_DIR": "/d"], nil, "/d"),
    ]

    @Test(arguments: choices)
    func `certificates are those that curl would take`(
        variables: [String: String], file: String?, directory: String?
    ) {
        let choice = trustedCertificates { variables[$0] }
        #expect(choice.file == file && choice.directory == directory)
    }
}
