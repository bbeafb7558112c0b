/* zlib for Swift. Where zlib has macros, which Swift can't call, there are functions here. */
#pragma once
/* What zlib only reads is declared so. */
#define ZLIB_CONST
#include <zlib.h>

/* Begins to inflate a gzip stream, and nothing but gzip: zlib then checks its CRC-32 and its length. */
static inline int castline_begin_gunzip(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

/* Begins to inflate a zlib stream, as a PNG has it. Its Adler-32 is not computed: it comes after the last pixel, where a
   viewer has the picture already, and each chunk has a CRC-32. */
static inline int castline_begin_inflate(z_stream *stream) {
    int status = inflateInit2(stream, 15);
    return status == Z_OK ? inflateValidate(stream, 0) : status;
}

/* Begins to compress into one member of gzip, as the tests' server does. */
static inline int castline_begin_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
