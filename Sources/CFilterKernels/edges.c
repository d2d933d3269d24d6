#include "CFilterKernels.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

PLB_FILTER_CLONES
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

// In inverse depth a plane is linear, so that its steps are alike however steeply it leans.
static inline __attribute__((always_inline)) int hangs(
    const float *pixel, ptrdiff_t offset, float step) {
  float value = pixel[0];
  float to = value - pixel[-offset], from = pixel[offset] - value;
  float before = fabsf(pixel[-offset] - pixel[-2 * offset]);
  float after = fabsf(pixel[2 * offset] - pixel[offset]);
  float size_to = fabsf(to), size_from = fabsf(from);
  int is_between = (to * from > 0) & (size_to > step) & (size_from > step);
  // What is missing behind one neighbor speaks neither way; one side must be known.
  int is_known = (before == before) | (after == after);
  return is_between & is_known & !(before > 0.5f * size_to) & !(after > 0.5f * size_from);
}

PLB_FILTER_CLONES
void plb_filter_flying(
    const float *row, const float *step, ptrdiff_t stride, ptrdiff_t count, float *depth) {
  for (ptrdiff_t i = 0; i < count; i++) {
    int flies = 0;
    for (int scale = 1; scale <= 2; scale++) {
      flies |= hangs(row + i, scale, step[i]) | hangs(row + i, scale * stride, step[i])
          | hangs(row + i, scale * (stride + 1), step[i])
          | hangs(row + i, scale * (stride - 1), step[i]);
    }
    depth[i] = flies ? NAN : depth[i];
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

PLB_FILTER_CLONES
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
