#include "stereo_kernels.h"

// A vector of any width compiles on any CPU; the compiler splits it where registers are shorter.
typedef uint8_t lanes_u8 __attribute__((ext_vector_type(32), aligned(1)));

// Macros, since a vector as an argument of a function means another thing to each clone.
#define load(from) (*(const lanes_u8 *)(from))
// How far a value lies outside of low…high.
#define excess(value, low, high) \
  (__builtin_elementwise_sub_sat(value, high) | __builtin_elementwise_sub_sat(low, value))

PLB_CLONES
void plb_stereo_costs(
    const uint8_t *left, ptrdiff_t plane, const uint8_t *reversed, ptrdiff_t length,
    ptrdiff_t width, ptrdiff_t lanes, uint8_t *costs) {
  for (ptrdiff_t x = 0; x < width; x++) {
    lanes_u8 own[PLB_FEATURE_PLANES];
    for (int i = 0; i < PLB_FEATURE_PLANES; i++) own[i] = (lanes_u8)left[i * plane + x];
    uint8_t *restrict result = costs + x * lanes;
    for (ptrdiff_t k = 0; k < lanes; k += 32) {
      const uint8_t *right = reversed + width - 1 - x + k;
      lanes_u8 sum = __builtin_elementwise_popcount(own[0] ^ load(right));
      for (int i = 1; i < PLB_CENSUS_PLANES; i++)
        sum += __builtin_elementwise_popcount(own[i] ^ load(right + i * length));
      for (int i = PLB_CENSUS_PLANES; i < PLB_FEATURE_PLANES; i += 3) {
        lanes_u8 value = load(right + i * length), low = load(right + (i + 1) * length),
                 high = load(right + (i + 2) * length);
        lanes_u8 difference = __builtin_elementwise_min(
            excess(own[i], low, high), excess(value, own[i + 1], own[i + 2]));
        difference = i > PLB_CENSUS_PLANES ? difference >> 1 : difference << 1;
        sum = __builtin_elementwise_add_sat(sum, difference);
      }
      *(lanes_u8 *)(result + k) = sum;
    }
  }
}

PLB_CLONES
void plb_stereo_slide(
    const uint8_t *added, const uint8_t *removed, ptrdiff_t count, uint16_t *sums) {
  if (removed) {
    for (ptrdiff_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + added[i] - removed[i]);
  } else {
    for (ptrdiff_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + added[i]);
  }
}

PLB_CLONES
void plb_stereo_box(
    const uint16_t *sums, ptrdiff_t width, ptrdiff_t count, ptrdiff_t lanes, ptrdiff_t radius,
    uint16_t *running, uint8_t *result) {
  for (ptrdiff_t k = 0; k < lanes; k++) running[k] = (uint16_t)((radius + 1) * sums[k]);
  for (ptrdiff_t u = 1; u <= radius; u++) {
    const uint16_t *other = sums + (u < width ? u : width - 1) * lanes;
    for (ptrdiff_t k = 0; k < lanes; k++) running[k] = (uint16_t)(running[k] + other[k]);
  }
  // The first sum is there: it gains and loses the same.
  const uint16_t *added = sums, *removed = sums;
  for (ptrdiff_t x = 0; x < width; x++) {
    uint8_t *restrict here = result + x * lanes;
    for (ptrdiff_t k = 0; k < lanes; k++) {
      uint16_t sum = running[k] = (uint16_t)(running[k] + added[k] - removed[k]);
      sum = (uint16_t)((sum + PLB_COST_UNIT / 2) / PLB_COST_UNIT);
      here[k] = (uint8_t)(sum < PLB_COST_MOST ? sum : PLB_COST_MOST);
    }
    added = sums + (x + 1 + radius < width ? x + 1 + radius : width - 1) * lanes;
    removed = sums + (x - radius > 0 ? x - radius : 0) * lanes;
    for (ptrdiff_t k = count; k < lanes; k++) here[k] = 255;
  }
}
