// What SHA-256 and MD5 share: bytes pass in blocks of 64, and the last ones are padded with a bit and the
// count of bits (FIPS 180-4, 5.1.1; RFC 1321, 3.1 and 3.2).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BLOCK 64

// Passes whole blocks to the arithmetic of one context.
typedef void compression(void *context, const uint8_t *bytes, size_t blocks);

// `count` and `rest` are the context's.
static inline void update_blocks(
    void *context, compression *compress, uint64_t *count, uint8_t *rest, const uint8_t *bytes,
    size_t left) {
  size_t used = (size_t)(*count % BLOCK);
  *count += left;
  if (used > 0 && left >= BLOCK - used) {
    size_t missing = BLOCK - used;
    memcpy(rest + used, bytes, missing);
    compress(context, rest, 1);
    bytes += missing;
    left -= missing;
    used = 0;
  }
  if (left >= BLOCK) {
    compress(context, bytes, left / BLOCK);
    bytes += left / BLOCK * BLOCK;
    left %= BLOCK;
  }
  if (left > 0) memcpy(rest + used, bytes, left);
}

// `bit_count` is the count of bits as the eight last bytes are to say it.
static inline void finish_blocks(
    void *context, compression *compress, uint64_t count, uint8_t *rest, const uint8_t *bit_count) {
  size_t used = (size_t)(count % BLOCK);
  rest[used++] = 0x80;
  if (used > BLOCK - 8) {
    memset(rest + used, 0, BLOCK - used);
    compress(context, rest, 1);
    used = 0;
  }
  memset(rest + used, 0, BLOCK - 8 - used);
  memcpy(rest + BLOCK - 8, bit_count, 8);
  compress(context, rest, 1);
}
