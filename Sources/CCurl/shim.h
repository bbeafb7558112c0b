/* libcurl for Swift. curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic, which Swift can't call,
   so each kind of argument has a function of its own here. The parentheses keep curl's checking macros out. */
#pragma once
#include <curl/curl.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* Lets the process keep up to 16 MiB of freed memory. By default glibc gives it back where it lies at the end of the heap,
   and bodies of answers, which come and go, get it back page by page. */
static inline void castline_keep_freed_memory(void) {
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}

static inline CURLcode castline_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode castline_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}

/* libcurl copies the text; NULL puts the default back. */
static inline CURLcode castline_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode castline_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

/* libcurl borrows the list until the transfer has ended. */
static inline CURLcode castline_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(easy, option, value);
}

typedef size_t (*castline_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode castline_set_bytes_callback(CURL *easy, CURLoption option, castline_bytes_callback callback) {
    return (curl_easy_setopt)(easy, option, callback);
}

static inline CURLcode castline_set_open_socket(CURL *easy, curl_opensocket_callback callback) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode castline_set_close_socket(CURL *easy, curl_closesocket_callback callback) {
    return (curl_easy_setopt)(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

static inline CURLcode castline_set_before_request(CURL *easy, curl_prereq_callback callback) {
    return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLMcode castline_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLMcode castline_multi_set_timer(CURLM *multi, void *context, curl_multi_timer_callback callback) {
    (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context);
    return (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, callback);
}

static inline CURLMcode castline_multi_set_socket(CURLM *multi, void *context, curl_socket_callback callback) {
    (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context);
    return (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

/* The context that was set with CURLOPT_PRIVATE. */
static inline void *castline_private(CURL *easy) {
    void *context = NULL;
    (curl_easy_getinfo)(easy, CURLINFO_PRIVATE, &context);
    return context;
}

/* The socket of the connection that a transfer used, -1 where it has been closed. To be called before the handle is removed. */
static inline curl_socket_t castline_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    (curl_easy_getinfo)(easy, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}

/* One of CURL_HTTP_VERSION_*. */
static inline long castline_http_version(CURL *easy) {
    long version = CURL_HTTP_VERSION_NONE;
    (curl_easy_getinfo)(easy, CURLINFO_HTTP_VERSION, &version);
    return version;
}

/* The result of a message of kind CURLMSG_DONE: Swift doesn't import the union. */
static inline CURLcode castline_result(const CURLMsg *message) { return message->data.result; }

/* The address to connect to: `addr` is only the beginning of what stands there, `addrlen` bytes in all. */
static inline const void *castline_address_bytes(const struct curl_sockaddr *address) { return &address->addr; }
