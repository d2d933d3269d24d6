#include "digest_kernels.h"
#include "digest_blocks.h"

// The first 32 bits of the fractions of the cube roots of the first 64 primes: FIPS 180-4, 4.2.2.
static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotated(uint32_t word, uint32_t bits) { return __builtin_rotateright32(word, bits); }

static inline uint32_t big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

// FIPS 180-4, 6.2.2, with its names. Of the schedule W only the last 16 words are kept.
static void compress_plainly(uint32_t *state, const uint8_t *bytes, size_t blocks) {
  for (; blocks > 0; blocks--, bytes += BLOCK) {
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    uint32_t w[16];
#pragma clang loop unroll(full)
    for (int t = 0; t < 64; t++) {
      if (t < 16) {
        w[t] = big_endian(bytes + 4 * t);
      } else {
        uint32_t x = w[(t - 15) & 15], y = w[(t - 2) & 15];
        w[t & 15] += (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + w[(t - 7) & 15]
          + (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
      }
      uint32_t first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25))
        + (g ^ (e & (f ^ g))) + constants[t] + w[t & 15];
      uint32_t second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22))
        + ((a & b) | (c & (a | b)));
      h = g, g = f, f = e, e = d + first;
      d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

// Bit 29 of EBX of leaf 7 (Intel's manual, volume 2A, CPUID); __builtin_cpu_supports knows it only in newer
// compilers.
static bool processor_has_extensions(void) {
  unsigned eax, ebx, ecx, edx;
  return __builtin_cpu_supports("sse4.1") && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)
    && ebx >> 29 & 1;
}

// The processor is asked once: in a virtual machine CPUID is answered by the host, which takes as long as the
// digest of some kilobytes. Threads that ask at the same time store the same answer.
static bool has_extensions(void) {
  enum { unknown, absent, present };
  static _Atomic unsigned char answer = unknown;
  unsigned char known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == unknown) {
    known = processor_has_extensions() ? present : absent;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known == present;
}

// Four rounds by two instructions, as Gulley et al. write them ("Intel SHA Extensions", Intel, 2013): the
// state is held as the words A, B, E, F and C, D, G, H.
__attribute__((target("sha,sse4.1"))) static void compress_by_extensions(
  uint32_t *state, const uint8_t *bytes, size_t blocks
) {
  const __m128i reversed = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i *words = (__m128i *)state;
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; blocks > 0; blocks--, bytes += BLOCK) {
    __m128i abef_before = abef, cdgh_before = cdgh, w[4];
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      __m128i last = w[(i + 3) & 3];
      if (i < 4) {
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + i), reversed);
      } else {
        __m128i sum = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
        sum = _mm_add_epi32(sum, _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
        w[i & 3] = _mm_sha256msg2_epu32(sum, last);
      }
      __m128i k = _mm_add_epi32(w[i & 3], _mm_loadu_si128((const __m128i *)constants + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(high, low, 8));
}

#else

static bool has_extensions(void) { return false; }

#define compress_by_extensions compress_plainly

#endif

static void compress(void *context, const uint8_t *bytes, size_t blocks) {
  plb_sha256 *sha256 = context;
  if (sha256->by_extensions) {
    compress_by_extensions(sha256->state, bytes, blocks);
  } else {
    compress_plainly(sha256->state, bytes, blocks);
  }
}

void plb_sha256_begin(plb_sha256 *context) {
  // The first 32 bits of the fractions of the square roots of the first 8 primes: FIPS 180-4, 5.3.3.
  *context = (plb_sha256){
    .state = {
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    },
    .by_extensions = has_extensions(),
  };
}

void plb_sha256_update(plb_sha256 *context, const void *bytes, size_t count) {
  update_blocks(context, compress, &context->count, context->rest, bytes, count);
}

void plb_sha256_finish(plb_sha256 *context, uint8_t *digest) {
  uint8_t bit_count[8];
  for (int i = 0; i < 8; i++) bit_count[i] = (uint8_t)(context->count << 3 >> (56 - 8 * i));
  finish_blocks(context, compress, context->count, context->rest, bit_count);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(context->state[i / 4] >> (24 - i % 4 * 8));
}
