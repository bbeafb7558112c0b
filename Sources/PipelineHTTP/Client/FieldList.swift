// The header fields of a request as libcurl takes them.

import CCurl

/// A list of libcurl's. It has to live for as long as a handle has it.
@safe
struct FieldList: ~Copyable {
    private var list: UnsafeMutablePointer<curl_slist>?

    init() { unsafe list = nil }

    deinit { unsafe curl_slist_free_all(list) }

    mutating func append(_ name: String, _ value: String) {
        // A field without a value is written with a semicolon: with a colon libcurl leaves it out.
        unsafe list = curl_slist_append(list, value.isEmpty ? "\(name);" : "\(name): \(value)") ?? list
    }

    /// Gives the list to a handle.
    @unsafe func set(_ easy: UnsafeMutableRawPointer) {
        unsafe castline_set_list(easy, CURLOPT_HTTPHEADER, list)
    }
}
