// Which proxy the environment names for a URL.

import PipelineHTTP
import Testing

struct ProxyChoiceTests {
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
        #expect(ProxyChoice { variables[$0] }.proxy(for: try HTTPURL(url)) == proxy)
    }
}
