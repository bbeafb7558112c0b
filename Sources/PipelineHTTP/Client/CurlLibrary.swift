// libcurl as a whole. It begins with the first request, as that takes as long as a run that sends none.

import CCurl
import PipelineCore

enum CurlLibrary {
    /// Whether libcurl could begin, and so has the handles that the client needs.
    static let isReady: Bool = {
        TextEncoding.useUTF8()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}
