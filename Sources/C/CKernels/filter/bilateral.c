#include "filter_kernels.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

// Sixteen pixels at a time: one register of the widest processors, four of the narrowest, the same
// bits on all of them.
typedef float lanes __attribute__((vector_size(64), aligned(4)));
typedef int32_t masks __attribute__((vector_size(64), aligned(4)));
enum { LANES = 16 };

static inline __attribute__((always_inline)) void load(lanes *result, const float *source) {
  memcpy(result, source, sizeof *result);
}

// Values where the mask is set, else 0: also where they are NaN.
#define WHERE(mask, values) ((lanes)((masks)(values) & (mask)))

// The mean of differences from the pixel itself, so that a constant stays as it is to the last bit.
// NaN fails every comparison, so what is missing has no weight.
static inline __attribute__((always_inline)) void smooth(
    const float *row, const float *falloff, const float *guide, float guide_falloff,
    const ptrdiff_t *taps, const float *weights, int32_t tap_count, float *result) {
  lanes center, rate = {0}, level = {0}, sum = {0}, total = {0};
  load(&center, row);
  if (falloff) load(&rate, falloff);
  if (guide) load(&level, guide);
  for (int32_t tap = 0; tap < tap_count; tap++) {
    lanes value, near = {0};
    masks valid;
    load(&value, row + taps[tap]);
    lanes difference = value - center;
    if (falloff) {
      near = 1 - difference * difference * rate;
      valid = near > 0;
    } else {
      valid = difference - difference == 0;
    }
    if (guide) {
      lanes other;
      load(&other, guide + taps[tap]);
      other -= level;
      lanes alike = 1 - other * other * guide_falloff;
      valid &= alike > 0;
      near = falloff ? near * alike : alike;
    }
    near *= near;
    near *= near;
    near *= near;
    lanes weight = WHERE(valid, near * weights[tap]);
    total += weight;
    sum += weight * WHERE(valid, difference);
  }
  center += sum / (total + 1);
  memcpy(result, &center, sizeof center);
}

static inline __attribute__((always_inline)) void smooth_row(
    const float *row, const float *falloff, const float *guide, float guide_falloff,
    const ptrdiff_t *taps, const float *weights, int32_t tap_count, ptrdiff_t count,
    float *result) {
  ptrdiff_t i = 0;
  for (; i + LANES <= count; i += LANES) {
    smooth(
        row + i, falloff ? falloff + i : 0, guide ? guide + i : 0, guide_falloff, taps, weights,
        tap_count, result + i);
  }
  // The padding is 16 pixels at least, so that the last block may read past the row.
  if (i < count) {
    float rates[LANES] = {0}, last[LANES];
    if (falloff) memcpy(rates, falloff + i, sizeof(float) * (size_t)(count - i));
    smooth(
        row + i, falloff ? rates : 0, guide ? guide + i : 0, guide_falloff, taps, weights,
        tap_count, last);
    memcpy(result + i, last, sizeof(float) * (size_t)(count - i));
  }
}

PLB_CLONES
void plb_filter_bilateral(
    const float *row, const float *falloff, const ptrdiff_t *taps, const float *weights,
    int32_t tap_count, ptrdiff_t count, float *result) {
  smooth_row(row, falloff, 0, 0, taps, weights, tap_count, count, result);
}

PLB_CLONES
void plb_filter_joint(
    const float *row, const float *falloff, const float *guide, float guide_falloff,
    const ptrdiff_t *taps, const float *weights, int32_t tap_count, ptrdiff_t count,
    float *result) {
  // Constants after inlining: a loop for each, without a question at every pixel.
  if (falloff) {
    smooth_row(row, falloff, guide, guide_falloff, taps, weights, tap_count, count, result);
  } else {
    smooth_row(row, 0, guide, guide_falloff, taps, weights, tap_count, count, result);
  }
}
