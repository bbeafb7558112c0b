// The header fields of a request in libcurl's format.

import CCurl

/// A libcurl list. It must outlive its use by a handle.
@safe
struct FieldList: ~Copyable {
    private var list: UnsafeMutablePointer<curl_slist>?

    init() { unsafe list = nil }

    deinit { unsafe curl_slist_free_all(list) }

    mutating func append(_ name: String, _ value: String) {
        // libcurl sends a field without a value only if it ends with a semicolon rather than a colon.
        unsafe list = curl_slist_append(list, value.isEmpty ? "\(name);" : "\(name): \(value)") ?? list
    }

    /// Sets the list on a handle.
    @unsafe func set(_ easy: UnsafeMutableRawPointer) {
        unsafe castline_set_list(easy, CURLOPT_HTTPHEADER, list)
    }
}
