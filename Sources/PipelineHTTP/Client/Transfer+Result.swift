// What libcurl's result codes mean here.

import CCurl

extension Transfer {
    /// The reason for a result that isn't `CURLE_OK`.
    func reason(for code: CURLcode) -> HTTPFailure.Reason {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotResolved
        case CURLE_COULDNT_RESOLVE_PROXY: .proxyFailed
        case CURLE_COULDNT_CONNECT: isRefused ? refusal : isProxied ? .proxyFailed : .connectionFailed
        case CURLE_SSL_CACERT_BADFILE: .certificatesMissing
        case CURLE_OPERATION_TIMEDOUT: isRefused ? refusal : .connectTimeout
        case CURLE_SSL_CONNECT_ERROR: .tlsFailed
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            .certificateRefused
        case CURLE_PARTIAL_FILE: .truncated
        case CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            response.head.isComplete ? .truncated : .connectionLost
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR: .connectionLost
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limitBytes: request.limitBytes)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            .malformed("not HTTP, or HTTP that breaks its rules")
        // libcurl limits the size of a header line, and reports a longer one in no other way.
        case CURLE_OUT_OF_MEMORY where response.head.status != 0 && !response.head.isComplete:
            .malformed("a header line that never ends")
        case CURLE_URL_MALFORMAT: .invalidRequest("the host's name can't be used")
        default: .libcurl(Self.text(code))
        }
    }

    /// libcurl's message for a result.
    private static func text(_ code: CURLcode) -> String {
        unsafe curl_easy_strerror(code).map { unsafe String(cString: $0).lowercased() } ?? "error \(code.rawValue)"
    }
}
