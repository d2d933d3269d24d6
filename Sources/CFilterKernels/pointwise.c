#include "CFilterKernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

PLB_FILTER_CLONES
void plb_filter_sigma(
    const float *depth, ptrdiff_t count, float constant, float linear, float quadratic,
    float *sigma) {
  const float base = constant * constant;
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i], a = linear * z, b = quadratic * z * z;
    sigma[i] = sqrtf(base + a * a + b * b);
  }
}

PLB_FILTER_CLONES
void plb_filter_range(float *depth, ptrdiff_t count, float near, float far) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i];
    depth[i] = z >= near && z <= far ? z : NAN;
  }
}

PLB_FILTER_CLONES
void plb_filter_confidence(
    float *depth, const uint8_t *levels, ptrdiff_t count, uint8_t least) {
  for (ptrdiff_t i = 0; i < count; i++) depth[i] = levels[i] >= least ? depth[i] : NAN;
}

PLB_FILTER_CLONES
int64_t plb_filter_settle(
    const float *depth, float *sigma, ptrdiff_t count, int64_t *measured) {
  int64_t before = 0, after = 0;
  for (ptrdiff_t start = 0; start < count; start += 4096) {
    ptrdiff_t end = count - start < 4096 ? count : start + 4096;
    int32_t had = 0, has = 0;
    for (ptrdiff_t i = start; i < end; i++) {
      int is_left = depth[i] == depth[i];
      had += sigma[i] == sigma[i];
      has += is_left;
      sigma[i] = is_left ? sigma[i] : NAN;
    }
    before += had;
    after += has;
  }
  *measured = before;
  return before - after;
}

// Sums of 16 lanes, whatever the width of the processor's: the same bits from every clone.
enum { LANES = 16 };

PLB_FILTER_CLONES
void plb_filter_compare(
    const float *before, const float *after, ptrdiff_t count, plb_filter_changes *changes) {
  int64_t measured = 0, removed = 0, invented = 0, moved = 0;
  double sums[LANES] = {0};
  float worst[LANES] = {0};
  ptrdiff_t start = 0;
  for (; start < count; start += LANES) {
    ptrdiff_t n = count - start < LANES ? count - start : LANES;
    int32_t here[4] = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
      float a = before[start + i], b = after[start + i];
      int had = a == a, has = b == b;
      float move = fabsf(b - a);
      move = move > 0 ? move : 0;
      here[0] += had;
      here[1] += had & !has;
      here[2] += has & !had;
      here[3] += move > 0;
      sums[i] += (double)move;
      worst[i] = worst[i] > move ? worst[i] : move;
    }
    measured += here[0];
    removed += here[1];
    invented += here[2];
    moved += here[3];
  }
  double sum = 0, most = 0;
  for (int i = 0; i < LANES; i++) {
    sum += sums[i];
    most = most > (double)worst[i] ? most : (double)worst[i];
  }
  *changes = (plb_filter_changes){measured, removed, invented, moved, sum, most};
}

PLB_FILTER_CLONES
void plb_filter_widen(const uint8_t *row, ptrdiff_t radius, ptrdiff_t count, uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) result[i] = row[i - radius];
  for (ptrdiff_t shift = 1 - radius; shift <= radius; shift++) {
    for (ptrdiff_t i = 0; i < count; i++) result[i] |= row[i + shift];
  }
}

PLB_FILTER_CLONES
void plb_filter_clear(
    const uint8_t *marks, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t count, float *depth) {
  for (ptrdiff_t row = 0; row < rows; row++) {
    const uint8_t *here = marks + row * stride;
    for (ptrdiff_t i = 0; i < count; i++) depth[i] = here[i] ? NAN : depth[i];
  }
}

PLB_FILTER_CLONES
void plb_filter_temporal(
    float *depth, float *sigma, float *state, float *spread, uint8_t *history, ptrdiff_t count,
    float share, float sigmas, int32_t window, int32_t needed) {
  const uint32_t mask = (1u << window) - 1;
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i], own = sigma[i], kept = state[i];
    uint32_t past = history[i], seen = past & mask;
    if (z == z) {
      float difference = z - kept, limit = sigmas * own;
      // False without a state: then the depth is taken as it is.
      depth[i] = fabsf(difference) <= limit ? kept + share * difference : z;
      state[i] = depth[i];
      spread[i] = own;
      history[i] = (uint8_t)(past << 1 | 1);
      continue;
    }
    seen = (seen & 0x55) + (seen >> 1 & 0x55);
    seen = (seen & 0x33) + (seen >> 2 & 0x33);
    seen = (seen & 0x0F) + (seen >> 4);
    history[i] = (uint8_t)(past << 1);
    if ((int32_t)seen >= needed && kept == kept) {
      // One more σ for each frame that passed, as far as the history goes back.
      uint32_t age = 1;
      while (age < 8 && !(past >> (age - 1) & 1)) age++;
      depth[i] = kept;
      sigma[i] = spread[i] * (float)(1 + age);
    }
  }
}
