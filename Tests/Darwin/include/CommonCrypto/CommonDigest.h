/* The digest of Apple's CommonCrypto that the sources use. */
#pragma once
#include <stdint.h>
#define CC_SHA256_DIGEST_LENGTH 32
typedef uint32_t CC_LONG;
unsigned char *CC_SHA256(const void *data, CC_LONG len, unsigned char *md);
