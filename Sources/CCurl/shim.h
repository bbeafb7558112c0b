/* libcurl for Swift. curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic, which Swift can't call,
   so each kind of argument has a function of its own here. */
#pragma once
#include <curl/curl.h>
