#include "checksum_kernels.h"
#include "crc_tables.h"

#define POLYNOMIAL 0xEDB88320u

static uint32_t tables[8][256];

__attribute__((constructor)) static void make_tables(void) { make_crc_tables(POLYNOMIAL, tables); }

// On the inverted register, as all functions below.
__attribute__((unused)) static uint32_t by_table(uint32_t crc, const uint8_t *p, size_t count) {
  return crc_by_tables(tables, crc, p, count);
}

#if defined(__x86_64__)
#include <immintrin.h>

// Folding by carry-less products (Gopal et al., "Fast CRC computation for generic polynomials
// using PCLMULQDQ instruction", Intel, 2009): a block of 128 bits that stands n bits before the
// end is worth its halves times x^(n+32) and x^(n-32) mod P, bits reversed, shifted by one.
#define FOLDING __attribute__((target("pclmul,sse4.1")))

FOLDING static inline __m128i fold(__m128i block, __m128i powers) {
  return _mm_xor_si128(
    _mm_clmulepi64_si128(block, powers, 0x00), _mm_clmulepi64_si128(block, powers, 0x11));
}

FOLDING static inline __m128i load(const uint8_t *p) {
  return _mm_loadu_si128((const __m128i *)p);
}

// At least 64 bytes and a multiple of 16.
FOLDING static uint32_t by_products(uint32_t crc, const uint8_t *p, size_t count) {
  const __m128i by512 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
  const __m128i by128 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  __m128i a = _mm_xor_si128(load(p), _mm_cvtsi32_si128((int)crc));
  __m128i b = load(p + 16), c = load(p + 32), d = load(p + 48);
  for (p += 64, count -= 64; count >= 64; p += 64, count -= 64) {
    a = _mm_xor_si128(fold(a, by512), load(p));
    b = _mm_xor_si128(fold(b, by512), load(p + 16));
    c = _mm_xor_si128(fold(c, by512), load(p + 32));
    d = _mm_xor_si128(fold(d, by512), load(p + 48));
  }
  a = _mm_xor_si128(fold(a, by128), b);
  a = _mm_xor_si128(fold(a, by128), c);
  a = _mm_xor_si128(fold(a, by128), d);
  for (; count >= 16; p += 16, count -= 16) a = _mm_xor_si128(fold(a, by128), load(p));
  // The last 16 bytes stand for all before them: their own CRC, begun with 0, is the result.
  uint8_t rest[16];
  _mm_storeu_si128((__m128i *)rest, a);
  return by_table(0, rest, 16);
}

// The same with four registers of four blocks. At least 256 bytes and a multiple of 16.
#define WIDE_FOLDING __attribute__((target("avx512f,vpclmulqdq,pclmul,sse4.1")))

WIDE_FOLDING static inline __m512i wide_fold(__m512i blocks, __m512i powers, const uint8_t *p) {
  return _mm512_ternarylogic_epi64(
    _mm512_clmulepi64_epi128(blocks, powers, 0x00), _mm512_clmulepi64_epi128(blocks, powers, 0x11),
    _mm512_loadu_si512(p), 0x96);
}

WIDE_FOLDING static uint32_t by_wide_products(uint32_t crc, const uint8_t *p, size_t count) {
  const __m512i by2048 = _mm512_broadcast_i32x4(_mm_set_epi64x(0x1322d1430, 0x11542778a));
  const __m512i by512 = _mm512_broadcast_i32x4(_mm_set_epi64x(0x1c6e41596, 0x154442bd4));
  const __m128i by128 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  __m512i first = _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)crc));
  __m512i a = _mm512_xor_si512(_mm512_loadu_si512(p), first);
  __m512i b = _mm512_loadu_si512(p + 64), c = _mm512_loadu_si512(p + 128);
  __m512i d = _mm512_loadu_si512(p + 192);
  for (p += 256, count -= 256; count >= 256; p += 256, count -= 256) {
    a = wide_fold(a, by2048, p);
    b = wide_fold(b, by2048, p + 64);
    c = wide_fold(c, by2048, p + 128);
    d = wide_fold(d, by2048, p + 192);
  }
  uint8_t block[64];
  _mm512_storeu_si512(block, b);
  a = wide_fold(a, by512, block);
  _mm512_storeu_si512(block, c);
  a = wide_fold(a, by512, block);
  _mm512_storeu_si512(block, d);
  a = wide_fold(a, by512, block);
  for (; count >= 64; p += 64, count -= 64) a = wide_fold(a, by512, p);
  _mm512_storeu_si512(block, a);
  __m128i last = load(block);
  for (int i = 16; i < 64; i += 16) last = _mm_xor_si128(fold(last, by128), load(block + i));
  for (; count >= 16; p += 16, count -= 16) last = _mm_xor_si128(fold(last, by128), load(p));
  uint8_t rest[16];
  _mm_storeu_si128((__m128i *)rest, last);
  return by_table(0, rest, 16);
}

static int has_wide_products(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
}

static int has_products(void) {
  return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}

uint32_t plumbline_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
  crc = ~crc;
  if (count >= 128 && has_products()) {
    size_t whole = count & ~(size_t)15;
    crc = count >= 512 && has_wide_products() ? by_wide_products(crc, bytes, whole)
                                              : by_products(crc, bytes, whole);
    bytes += whole;
    count -= whole;
  }
  return ~by_table(crc, bytes, count);
}

const char *plumbline_crc32_kind(void) {
  return has_wide_products() ? "vpclmulqdq" : has_products() ? "pclmul" : "table";
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#include <string.h>

uint32_t plumbline_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
  crc = ~crc;
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    crc = __crc32d(crc, word);
  }
  for (; count > 0; bytes++, count--) crc = __crc32b(crc, *bytes);
  return ~crc;
}

const char *plumbline_crc32_kind(void) { return "armv8-crc"; }

#else

uint32_t plumbline_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
  return ~by_table(~crc, bytes, count);
}

const char *plumbline_crc32_kind(void) { return "table"; }

#endif
