#include "stereo_kernels.h"

// Vectors of any width compile on any CPU; the compiler splits them where registers are shorter.
typedef uint8_t lanes_64 __attribute__((ext_vector_type(64), aligned(1)));
typedef uint8_t lanes_32 __attribute__((ext_vector_type(32), aligned(1)));
typedef uint16_t pairs_64 __attribute__((ext_vector_type(32), aligned(1)));
typedef uint16_t pairs_32 __attribute__((ext_vector_type(16), aligned(1)));

// How far a value lies outside of low…high.
#define excess(value, low, high) \
  (__builtin_elementwise_sub_sat(value, high) | __builtin_elementwise_sub_sat(low, value))
// Three bits added: the lower bit of the sum, and the upper one.
#define low_bit(a, b, c) ((a) ^ (b) ^ (c))
#define high_bit(a, b, c) (((a) & (b)) | ((c) & ((a) ^ (b))))

// What one pixel costs at some disparities. Macros make a function for each width, since a vector as an
// argument of a function means another thing to each clone.
//
// The bits that differ in the six planes of the census are added before they are counted: one plane of
// ones, one of twos and one of fours are left.
#define DEFINE_COSTS_OF(lanes, name)                                                               \
  static inline __attribute__((always_inline)) void name(                                          \
      const uint8_t *left, ptrdiff_t plane, const uint8_t *right, ptrdiff_t length,                \
      uint8_t *result) {                                                                           \
    lanes own[PLB_FEATURE_PLANES], bits[PLB_CENSUS_PLANES];                                        \
    for (int i = 0; i < PLB_FEATURE_PLANES; i++) own[i] = (lanes)left[i * plane];                  \
    for (int i = 0; i < PLB_CENSUS_PLANES; i++)                                                    \
      bits[i] = own[i] ^ *(const lanes *)(right + i * length);                                     \
    lanes one = low_bit(bits[0], bits[1], bits[2]), other = low_bit(bits[3], bits[4], bits[5]);    \
    lanes two = high_bit(bits[0], bits[1], bits[2]), more = high_bit(bits[3], bits[4], bits[5]);   \
    lanes carry = one & other;                                                                     \
    lanes sum = __builtin_elementwise_popcount(high_bit(two, more, carry));                        \
    sum = __builtin_elementwise_popcount(low_bit(two, more, carry)) + sum + sum;                   \
    sum = __builtin_elementwise_popcount(one ^ other) + sum + sum;                                 \
    for (int i = PLB_CENSUS_PLANES; i < PLB_FEATURE_PLANES; i += 3) {                              \
      lanes value = *(const lanes *)(right + i * length);                                          \
      lanes low = *(const lanes *)(right + (i + 1) * length);                                      \
      lanes high = *(const lanes *)(right + (i + 2) * length);                                     \
      lanes difference = __builtin_elementwise_min(                                                \
          excess(own[i], low, high), excess(value, own[i + 1], own[i + 2]));                       \
      difference = i > PLB_CENSUS_PLANES ? difference >> 1 : difference + difference;              \
      sum = __builtin_elementwise_add_sat(sum, difference);                                        \
    }                                                                                              \
    *(lanes *)result = sum;                                                                        \
  }

DEFINE_COSTS_OF(lanes_64, costs_of_64)
DEFINE_COSTS_OF(lanes_32, costs_of_32)

PLB_CLONES
void plb_stereo_costs(
    const uint8_t *left, ptrdiff_t plane, const uint8_t *reversed, ptrdiff_t length,
    ptrdiff_t width, ptrdiff_t lanes, uint8_t *costs) {
  for (ptrdiff_t x = 0; x < width; x++) {
    const uint8_t *right = reversed + width - 1 - x;
    uint8_t *restrict result = costs + x * lanes;
    ptrdiff_t k = 0;
    __asm__("" : "+r"(length), "+r"(plane));
    for (; k + 64 <= lanes; k += 64) costs_of_64(left + x, plane, right + k, length, result + k);
    if (k < lanes) costs_of_32(left + x, plane, right + k, length, result + k);
  }
}

// Sums of 3×3 pixels at some disparities. Even and odd bytes are added apart, as 16 bits each.
#define DEFINE_BOX_OF(lanes, pairs, count, name)                                                    \
  static inline __attribute__((always_inline)) void name(                                           \
      const uint8_t *above, const uint8_t *here, const uint8_t *below, ptrdiff_t width,             \
      ptrdiff_t stride, ptrdiff_t known, uint8_t *result) {                                         \
    pairs even = (uint16_t)255;                                                                     \
    lanes wall;                                                                                     \
    for (int i = 0; i < count; i++) wall[i] = i < known ? 0 : 255;                                  \
    pairs a = *(const pairs *)above, b = *(const pairs *)here, c = *(const pairs *)below;           \
    pairs even_now = (a & even) + (b & even) + (c & even), odd_now = (a >> 8) + (b >> 8) + (c >> 8); \
    pairs even_before = even_now, odd_before = odd_now;                                             \
    for (ptrdiff_t x = 0; x < width; x++) {                                                         \
      ptrdiff_t next = (x + 1 < width ? x + 1 : x) * stride;                                        \
      a = *(const pairs *)(above + next);                                                           \
      b = *(const pairs *)(here + next);                                                            \
      c = *(const pairs *)(below + next);                                                           \
      pairs even_after = (a & even) + (b & even) + (c & even);                                      \
      pairs odd_after = (a >> 8) + (b >> 8) + (c >> 8);                                             \
      pairs evens = even_before + even_now + even_after + (uint16_t)(PLB_COST_UNIT / 2);            \
      pairs odds = odd_before + odd_now + odd_after + (uint16_t)(PLB_COST_UNIT / 2);                \
      /* At most 9 · 255 / 16, which fits a byte. */                                                \
      lanes sums = (lanes)((evens / PLB_COST_UNIT) | (odds / PLB_COST_UNIT) << 8);                  \
      *(lanes *)(result + x * stride) =                                                             \
          __builtin_elementwise_min(sums, (lanes)(uint8_t)PLB_COST_MOST) | wall;                    \
      even_before = even_now;                                                                       \
      odd_before = odd_now;                                                                         \
      even_now = even_after;                                                                        \
      odd_now = odd_after;                                                                          \
    }                                                                                               \
  }

DEFINE_BOX_OF(lanes_64, pairs_64, 64, box_of_64)
DEFINE_BOX_OF(lanes_32, pairs_32, 32, box_of_32)

PLB_CLONES
void plb_stereo_box(
    const uint8_t *above, const uint8_t *here, const uint8_t *below, ptrdiff_t width,
    ptrdiff_t count, ptrdiff_t lanes, uint8_t *result) {
  ptrdiff_t k = 0;
  for (; k + 64 <= lanes; k += 64)
    box_of_64(above + k, here + k, below + k, width, lanes, count - k, result + k);
  if (k < lanes) box_of_32(above + k, here + k, below + k, width, lanes, count - k, result + k);
}
