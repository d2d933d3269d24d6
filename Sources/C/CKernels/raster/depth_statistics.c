#include "raster_kernels.h"

#include <string.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

static inline uint32_t pattern(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline uint32_t bin(float value) { return value > 0 ? pattern(value) >> 16 : 0xFFFF; }

void plb_depth_histogram(
    const float *source, ptrdiff_t count, uint32_t *bins, uint32_t *others) {
  ptrdiff_t i = 0;
  for (; i + 1 < count; i += 2) {
    bins[bin(source[i])]++;
    others[bin(source[i + 1])]++;
  }
  if (i < count) bins[bin(source[i])]++;
}

void plb_depth_histogram_within(
    const float *source, ptrdiff_t count, uint32_t first, uint32_t middle, uint32_t last,
    uint32_t *bins, float *minimum, float *maximum) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = source[i];
    uint32_t upper = bin(value);
    if (upper == middle) bins[pattern(value) & 0xFFFF]++;
    if (upper == first && value < *minimum) *minimum = value;
    if (upper == last && value > *maximum) *maximum = value;
  }
}

// 0 also where a value is NaN.
static inline uint8_t is_in_step(float a, float value, float b, float gap) {
  float near = b < a ? b : a, far = b < a ? a : b, step = far - near;
  return (step > gap * near) & (value - near > 0.25f * step) & (far - value > 0.25f * step);
}

PLB_CLONES
bool plb_pixels_in_steps(
    const float *row, const float *above, const float *below, ptrdiff_t count, float gap,
    uint8_t *marks, int64_t *measured) {
  uint8_t any = 0;
  int32_t valid = 0;
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = row[i];
    uint8_t mark = is_in_step(row[i - 2], value, row[i + 2], gap);
    mark |= (uint8_t)(is_in_step(above[i], value, below[i], gap) << 1);
    marks[i] = mark;
    any |= mark;
    valid += value > 0;
  }
  *measured += valid;
  return any != 0;
}
