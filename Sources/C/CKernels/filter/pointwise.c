#include "filter_kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

PLB_CLONES
void plb_filter_sigma(
    const float *depth, ptrdiff_t count, float constant, float linear, float quadratic,
    float *sigma) {
  const float base = constant * constant;
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i], a = linear * z, b = quadratic * z * z;
    sigma[i] = sqrtf(base + a * a + b * b);
  }
}

PLB_CLONES
void plb_filter_reliable(float *depth, float *sigma, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i], s = sigma[i];
    int is_reliable = (z > 0) & (s >= 0) & (s <= FLT_MAX);
    depth[i] = is_reliable ? z : NAN;
    sigma[i] = is_reliable ? s : NAN;
  }
}

PLB_CLONES
void plb_filter_total_sigma(
    const float *own, const float *depth, ptrdiff_t count, double constant, double linear,
    double quadratic, float *total) {
  const double base = constant * constant;
  for (ptrdiff_t i = 0; i < count; i++) {
    double z = depth[i], a = linear * z, b = quadratic * z * z;
    float shared = (float)sqrt(base + a * a + b * b);
    total[i] = sqrtf(own[i] * own[i] + shared * shared);
  }
}

PLB_CLONES
void plb_filter_levels(const uint8_t *levels, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) result[i] = levels[i];
}

PLB_CLONES
void plb_filter_falloff(const float *sigma, ptrdiff_t count, float scale, float *falloff) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float squared = scale * sigma[i] * sigma[i];
    falloff[i] = 1 / (squared < FLT_MIN ? FLT_MIN : squared);
  }
}

PLB_CLONES
void plb_filter_range(float *depth, ptrdiff_t count, float near, float far) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i];
    depth[i] = z >= near && z <= far ? z : NAN;
  }
}

PLB_CLONES
void plb_filter_confidence(
    float *depth, const uint8_t *levels, ptrdiff_t count, uint8_t least) {
  for (ptrdiff_t i = 0; i < count; i++) depth[i] = levels[i] >= least ? depth[i] : NAN;
}

PLB_CLONES
int64_t plb_filter_finish(
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

// Sixteen pixels at a time, as in bilateral.c; lane i sums pixels i, i + 16, …: the same sum on every
// processor.
typedef float lanes __attribute__((vector_size(64), aligned(4)));
typedef int32_t masks __attribute__((vector_size(64), aligned(4)));
typedef double sums __attribute__((vector_size(128), aligned(8)));

typedef struct {
  masks measured, removed, invented, moved;
  sums sum;
  lanes worst;
} changes_in_lanes;

static inline __attribute__((always_inline)) void compare(
    const float *before, const float *after, changes_in_lanes *changes) {
  lanes a, b;
  memcpy(&a, before, sizeof a);
  memcpy(&b, after, sizeof b);
  masks had = a == a, has = b == b;
  lanes move = b - a;
  // |move|, and 0 where one of both is missing.
  move = (lanes)((masks)move & 0x7FFFFFFF);
  move = (lanes)((masks)move & (had & has));
  changes->measured -= had;
  changes->removed -= had & ~has;
  changes->invented -= has & ~had;
  changes->moved -= move > 0;
  changes->sum += __builtin_convertvector(move, sums);
  masks further = move > changes->worst;
  changes->worst = (lanes)(((masks)move & further) | ((masks)changes->worst & ~further));
}

PLB_CLONES
void plb_filter_compare(
    const float *before, const float *after, ptrdiff_t count, plb_filter_changes *changes) {
  changes_in_lanes all = {0};
  ptrdiff_t start = 0;
  for (; start + LANES <= count; start += LANES) compare(before + start, after + start, &all);
  if (start < count) {
    float rest[2][LANES];
    for (int i = 0; i < LANES; i++) rest[0][i] = rest[1][i] = NAN;
    memcpy(rest[0], before + start, sizeof(float) * (size_t)(count - start));
    memcpy(rest[1], after + start, sizeof(float) * (size_t)(count - start));
    compare(rest[0], rest[1], &all);
  }
  *changes = (plb_filter_changes){0};
  for (int i = 0; i < LANES; i++) {
    changes->measured += all.measured[i];
    changes->removed += all.removed[i];
    changes->invented += all.invented[i];
    changes->moved += all.moved[i];
    changes->sum += all.sum[i];
    double worst = (double)all.worst[i];
    changes->worst = changes->worst > worst ? changes->worst : worst;
  }
}

PLB_CLONES
void plb_filter_widen(const uint8_t *row, ptrdiff_t radius, ptrdiff_t count, uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) result[i] = row[i - radius];
  for (ptrdiff_t shift = 1 - radius; shift <= radius; shift++) {
    for (ptrdiff_t i = 0; i < count; i++) result[i] |= row[i + shift];
  }
}

PLB_CLONES
void plb_filter_clear(
    const uint8_t *marks, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t count, float *depth) {
  for (ptrdiff_t row = 0; row < rows; row++) {
    const uint8_t *here = marks + row * stride;
    for (ptrdiff_t i = 0; i < count; i++) depth[i] = here[i] ? NAN : depth[i];
  }
}

PLB_CLONES
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
