#include "raster_kernels.h"

#include <math.h>
#include <string.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

// Positions are computed for a block, which vectorizes, and then used one by one, which cannot.
enum { BLOCK = 1024, LAST_BIN = PLB_VALUE_BINS - 1, NO_BIN = PLB_VALUE_BINS };

// Positive floats order as their bit patterns do; NaN, infinity, 0 and negatives have no bin.
static inline __attribute__((always_inline)) void bins_of(
    const float *source, ptrdiff_t count, uint32_t *bins) {
  for (ptrdiff_t i = 0; i < count; i++) {
    union { float f; int32_t i; uint32_t u; } value = {source[i]};
    int32_t bin = (value.i >> PLB_VALUE_BIN_SHIFT) - PLB_FIRST_VALUE_BIN;
    bin = bin < 0 ? 0 : bin;
    bin = bin > LAST_BIN ? LAST_BIN : bin;
    bins[i] = value.u - 1 < 0x7F7FFFFF ? (uint32_t)bin : NO_BIN;
  }
}

// Little-endian as every platform of Swift: red is the lowest byte. Four bytes are written for a
// pixel and the next overwrites the last of them, except at the end.
static inline __attribute__((always_inline)) void put(
    const uint32_t *places, ptrdiff_t count, const uint32_t *colors, uint8_t *result) {
  for (ptrdiff_t i = 0; i < count - 1; i++) memcpy(result + 3 * i, colors + places[i], 4);
  if (count > 0) memcpy(result + 3 * (count - 1), colors + places[count - 1], 3);
}

PLB_CLONES
void plb_count_values(const float *source, ptrdiff_t count, uint32_t *even, uint32_t *odd) {
  uint32_t bins[BLOCK];
  for (ptrdiff_t start = 0; start < count; start += BLOCK) {
    ptrdiff_t length = count - start < BLOCK ? count - start : BLOCK, i = 0;
    bins_of(source + start, length, bins);
    // Adding twice to one bin waits for memory in between; neighbors are often alike.
    for (; i + 1 < length; i += 2) {
      even[bins[i]]++;
      odd[bins[i + 1]]++;
    }
    if (i < length) even[bins[i]]++;
  }
}

PLB_CLONES
void plb_color_by_bin(
    const float *source, ptrdiff_t count, const uint32_t *colors, void *result) {
  uint32_t bins[BLOCK];
  for (ptrdiff_t start = 0; start < count; start += BLOCK) {
    ptrdiff_t length = count - start < BLOCK ? count - start : BLOCK;
    bins_of(source + start, length, bins);
    put(bins, length, colors, (uint8_t *)result + 3 * start);
  }
}

static inline __attribute__((always_inline)) void color_by_place(
    const float *source, ptrdiff_t count, float near, float scale, const uint32_t *colors,
    uint8_t *result, bool is_inverse) {
  uint32_t places[BLOCK];
  for (ptrdiff_t start = 0; start < count; start += BLOCK) {
    ptrdiff_t length = count - start < BLOCK ? count - start : BLOCK;
    for (ptrdiff_t i = 0; i < length; i++) {
      float value = source[start + i], depth = is_inverse ? 1 / value : value;
      float place = (depth - near) * scale + 0.5f;
      place = place > 0 ? place : 0;
      place = place < 255 ? place : 255;
      bool is_valid = value > 0 && value < INFINITY && depth < INFINITY;
      places[i] = is_valid ? (uint32_t)(int32_t)place : 256;
    }
    put(places, length, colors, result + 3 * start);
  }
}

PLB_CLONES
void plb_color_by_place(
    const float *source, ptrdiff_t count, float near, float scale, const uint32_t *colors,
    void *result) {
  color_by_place(source, count, near, scale, colors, result, false);
}

PLB_CLONES
void plb_color_by_inverse_place(
    const float *source, ptrdiff_t count, float near, float scale, const uint32_t *colors,
    void *result) {
  color_by_place(source, count, near, scale, colors, result, true);
}
