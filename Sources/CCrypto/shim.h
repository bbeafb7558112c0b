/* libcrypto for Swift: message digests. */
#pragma once
#include <openssl/evp.h>
