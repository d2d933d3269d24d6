#include "filter_kernels.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

PLB_CLONES
void plb_filter_inverse(
    const float *depth, const float *sigma, ptrdiff_t count, float sigmas, float share,
    float *inverse, float *step) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float v = 1 / depth[i];
    float noise = sigmas * sigma[i] * v * v, least = share * v;
    inverse[i] = v;
    step[i] = noise > least ? noise : least;
  }
}

// Sixteen pixels at a time, as in bilateral.c.
typedef float lanes __attribute__((vector_size(64), aligned(4)));
typedef int32_t masks __attribute__((vector_size(64), aligned(4)));
enum { LANES = 16 };

static inline __attribute__((always_inline)) void load(lanes *result, const float *source) {
  memcpy(result, source, sizeof *result);
}

#define SIZE(values) ((lanes)((masks)(values) & 0x7FFFFFFF))

// In inverse depth a plane is linear, so that its steps are alike however steeply it leans.
static inline __attribute__((always_inline)) void hangs(
    const float *pixel, ptrdiff_t offset, const lanes *value, const lanes *step, masks *flies) {
  lanes far_left, left, right, far_right;
  load(&far_left, pixel - 2 * offset);
  load(&left, pixel - offset);
  load(&right, pixel + offset);
  load(&far_right, pixel + 2 * offset);
  lanes to = *value - left, from = right - *value;
  lanes before = SIZE(left - far_left), after = SIZE(far_right - right);
  lanes size_to = SIZE(to), size_from = SIZE(from);
  masks is_between = (to * from > 0) & (size_to > *step) & (size_from > *step);
  // What is missing behind one neighbor speaks neither way; one side must be known.
  masks is_known = (before == before) | (after == after);
  *flies |= is_between & is_known & ~(before > 0.5f * size_to) & ~(after > 0.5f * size_from);
}

PLB_CLONES
void plb_filter_flying(
    const float *row, const float *step, ptrdiff_t stride, ptrdiff_t count, float *depth) {
  for (ptrdiff_t i = 0; i < count; i += LANES) {
    size_t bytes = sizeof(float) * (size_t)(count - i < LANES ? count - i : LANES);
    float own[LANES] = {0}, limits[LANES] = {0};
    memcpy(own, depth + i, bytes);
    memcpy(limits, step + i, bytes);
    lanes value, limit;
    masks flies = {0}, old;
    load(&value, row + i);
    load(&limit, limits);
    for (int scale = 1; scale <= 2; scale++) {
      hangs(row + i, scale, &value, &limit, &flies);
      hangs(row + i, scale * stride, &value, &limit, &flies);
      hangs(row + i, scale * (stride + 1), &value, &limit, &flies);
      hangs(row + i, scale * (stride - 1), &value, &limit, &flies);
    }
    memcpy(&old, own, sizeof old);
    // The one NaN that is written for missing.
    old = (old & ~flies) | (flies & 0x7FC00000);
    memcpy(depth + i, &old, bytes);
  }
}

// The neighbor is a step away although the slope on the other side does not lead there, nor, where
// nothing is on the other side, does the slope behind the neighbor.
static inline __attribute__((always_inline)) int breaks(
    const float *pixel, ptrdiff_t offset, float step) {
  float to = pixel[offset] - pixel[0], slope = pixel[0] - pixel[-offset];
  slope = slope == slope ? slope : pixel[2 * offset] - pixel[offset];
  int is_step = fabsf(to) > step;
  return is_step & (fabsf(to - slope) >= 0.5f * fabsf(to));
}

PLB_CLONES
void plb_filter_silhouette(
    const float *row, const float *step, ptrdiff_t stride, ptrdiff_t count, uint8_t *edge) {
  for (ptrdiff_t i = 0; i < count; i++) {
    const float *pixel = row + i;
    float limit = step[i];
    int is_edge = breaks(pixel, 1, limit) | breaks(pixel, -1, limit) | breaks(pixel, stride, limit)
        | breaks(pixel, -stride, limit) | breaks(pixel, stride + 1, limit)
        | breaks(pixel, -stride - 1, limit) | breaks(pixel, stride - 1, limit)
        | breaks(pixel, 1 - stride, limit);
    edge[i] = (uint8_t)is_edge;
  }
}
