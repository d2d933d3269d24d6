#include "face_fit_kernels.h"

#pragma STDC FP_CONTRACT OFF

// Eight vectors side by side: what conjugate gradients do with them.

PLB_CLONES
void plb_face_multiply(
    const float *diagonal, const int32_t *starts, const uint32_t *indices, const float *weights,
    int32_t count, const float *x, float *result) {
  for (int32_t i = 0; i < count; i++) {
    float sums[8];
    for (int32_t l = 0; l < 8; l++) sums[l] = diagonal[i] * x[8 * (ptrdiff_t)i + l];
    for (int32_t p = starts[i]; p < starts[i + 1]; p++) {
      const float *other = x + 8 * (ptrdiff_t)indices[p];
      for (int32_t l = 0; l < 8; l++) sums[l] += weights[p] * other[l];
    }
    for (int32_t l = 0; l < 8; l++) result[8 * (ptrdiff_t)i + l] = sums[l];
  }
}

PLB_CLONES
void plb_face_dots(const float *a, const float *b, int32_t count, double *sums) {
  double totals[8] = {0};
  for (ptrdiff_t i = 0; i < 8 * (ptrdiff_t)count; i += 8)
    for (int32_t l = 0; l < 8; l++) totals[l] += (double)(a[i + l] * b[i + l]);
  for (int32_t l = 0; l < 8; l++) sums[l] = totals[l];
}

PLB_CLONES
void plb_face_add(const float *x, const float *factors, int32_t count, float *y) {
  for (ptrdiff_t i = 0; i < 8 * (ptrdiff_t)count; i += 8)
    for (int32_t l = 0; l < 8; l++) y[i + l] += factors[l] * x[i + l];
}

PLB_CLONES
void plb_face_turn(const float *x, const float *factors, int32_t count, float *y) {
  for (ptrdiff_t i = 0; i < 8 * (ptrdiff_t)count; i += 8)
    for (int32_t l = 0; l < 8; l++) y[i + l] = factors[l] * y[i + l] + x[i + l];
}

PLB_CLONES
void plb_face_scale(const float *x, const float *scales, int32_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++)
    for (int32_t l = 0; l < 8; l++) result[8 * i + l] = scales[i] * x[8 * i + l];
}

PLB_CLONES
void plb_face_add_scaled(const float *x, const float *scales, int32_t count, float *y) {
  for (ptrdiff_t i = 0; i < count; i++)
    for (int32_t l = 0; l < 8; l++) y[8 * i + l] += scales[i] * x[8 * i + l];
}
