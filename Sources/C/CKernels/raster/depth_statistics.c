#include "raster_kernels.h"

#include <string.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

static inline uint32_t pattern(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Neighbors share a bin mostly: counting a run in a register spares waiting for the last increment.
void plb_depth_histogram(
    const float *source, ptrdiff_t count, uint32_t *bins, float *minimum, float *maximum) {
  float low = *minimum, high = *maximum;
  uint32_t bin = 0, run = 0;
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = source[i];
    if (!(value > 0)) continue;
    low = value < low ? value : low;
    high = value > high ? value : high;
    uint32_t next = pattern(value) >> 16;
    if (next != bin) {
      bins[bin] += run;
      bin = next;
      run = 0;
    }
    run++;
  }
  bins[bin] += run;
  *minimum = low;
  *maximum = high;
}

void plb_depth_histogram_within(
    const float *source, ptrdiff_t count, uint32_t upper, uint32_t *bins) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint32_t bits = pattern(source[i]);
    // The patterns of values above 0 are those below that of infinity, but 0.
    if (bits >> 16 == upper && source[i] > 0) bins[bits & 0xFFFF]++;
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
