// Which certificates the environment names.

import PipelineHTTP
import Testing

struct TrustSettingsTests {
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
        let choice = TrustSettings { variables[$0] }
        #expect(choice.file == file && choice.directory == directory)
    }
}
