#ifndef C_DIGEST_KERNELS_H
#define C_DIGEST_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// SHA-256 (FIPS 180-4) of bytes that come in pieces: begin, update any number of times, finish.
typedef struct {
  uint32_t state[8];
  /// Bytes so far.
  uint64_t count;
  /// The bytes after the last whole block.
  uint8_t rest[64];
  /// Whether the processor has instructions for it, which begin looks up. Tests may clear it.
  bool by_extensions;
} plb_sha256;

/// MD5 (RFC 1321), in the same way. It protects nothing.
typedef struct {
  uint32_t state[4];
  uint64_t count;
  uint8_t rest[64];
} plb_md5;

void plb_sha256_begin(plb_sha256 *context);
/// Any count, any alignment; `bytes` may be null where `count` is 0.
void plb_sha256_update(plb_sha256 *context, const void *bytes, size_t count);
/// Writes the 32 bytes of the digest; the context must begin again.
void plb_sha256_finish(plb_sha256 *context, uint8_t *digest);

void plb_md5_begin(plb_md5 *context);
/// Any count, any alignment; `bytes` may be null where `count` is 0.
void plb_md5_update(plb_md5 *context, const void *bytes, size_t count);
/// Writes the 16 bytes of the digest; the context must begin again.
void plb_md5_finish(plb_md5 *context, uint8_t *digest);

#endif
