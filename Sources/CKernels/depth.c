#include "CKernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

// Widening by integers: the baseline clone has no instruction for halves, and the vectorizer turns
// this into the hardware conversion's equal in a few operations. Exact for every pattern.
static inline float half_value(uint16_t bits) {
  union { uint32_t u; float f; } magnitude = {(uint32_t)(bits & 0x7FFF) << 13}, scale = {0x77800000};
  return magnitude.f * scale.f;
}

PLB_CLONES
void plb_reciprocal(const float *source, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = source[i], reciprocal = 1 / value;
    // The reciprocal of the smallest subnormals is infinite, hence not a measurement.
    result[i] = value > 0 && value < INFINITY && reciprocal < INFINITY ? reciprocal : NAN;
  }
}

// Patterns 1…0x7BFF are the halves that are finite and above 0; the unsigned difference tests both.
PLB_CLONES
void plb_depth_from_half(const uint16_t *source, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t bits = source[i];
    result[i] = (uint16_t)(bits - 1) < 0x7BFF ? half_value(bits) : NAN;
  }
}

PLB_CLONES
void plb_depth_from_half_disparity(const uint16_t *source, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t bits = source[i];
    result[i] = (uint16_t)(bits - 1) < 0x7BFF ? 1 / half_value(bits) : NAN;
  }
}

PLB_CLONES
void plb_unproject_row(
    const float *depth, const float *columns, float row, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i];
    result[3 * i] = columns[i] * z;
    result[3 * i + 1] = row * z;
    result[3 * i + 2] = z;
  }
}

PLB_CLONES
void plb_unproject_row_rays(
    const float *depth, const float *rays_x, const float *rays_y, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i];
    result[3 * i] = rays_x[i] * z;
    result[3 * i + 1] = rays_y[i] * z;
    result[3 * i + 2] = z;
  }
}
