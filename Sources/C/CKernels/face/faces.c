#include "face_fit_kernels.h"

#pragma STDC FP_CONTRACT OFF

PLB_CLONES
void plb_face_shape(
    const float *mean, const float *basis, const float *coefficients, int32_t stride, int32_t count,
    float *result) {
  for (int32_t i = 0; i < count; i++) {
    const float *row = basis + (ptrdiff_t)i * stride;
    float sums[8] = {0};
    for (int32_t k = 0; k < stride; k += 8)
      for (int32_t l = 0; l < 8; l++) sums[l] += row[k + l] * coefficients[k + l];
    float even = (sums[0] + sums[4]) + (sums[2] + sums[6]);
    float odd = (sums[1] + sums[5]) + (sums[3] + sums[7]);
    result[i] = mean[i] + (even + odd);
  }
}

PLB_CLONES
void plb_face_add_mode(const float *mode, float coefficient, int32_t count, float *result) {
  for (int32_t i = 0; i < count; i++) result[i] += coefficient * mode[i];
}

PLB_CLONES
void plb_face_row(
    const float *basis, int32_t stride, int32_t first, int32_t vertex, const float *direction,
    float *row) {
  const float *x = basis + 3 * (ptrdiff_t)vertex * stride, *y = x + stride, *z = y + stride;
  for (int32_t k = first; k < stride; k++)
    row[k - first] += (direction[0] * x[k] + direction[1] * y[k]) + direction[2] * z[k];
}

PLB_CLONES
void plb_face_accumulate(const float *rows, int32_t count, int32_t columns, double *matrix) {
  for (int32_t i = 0; i < columns; i += 8) {
    for (int32_t j = i; j < columns; j += 8) {
      // A tile of 8 × 8 sums stays in registers.
      float sums[8][8] = {{0}};
      for (int32_t r = 0; r < count; r++) {
        const float *row = rows + (ptrdiff_t)r * columns;
        for (int32_t a = 0; a < 8; a++)
          for (int32_t b = 0; b < 8; b++) sums[a][b] += row[i + a] * row[j + b];
      }
      for (int32_t a = 0; a < 8; a++) {
        double *place = matrix + (ptrdiff_t)(i + a) * columns + j;
        for (int32_t b = 0; b < 8; b++) place[b] += (double)sums[a][b];
      }
    }
  }
}

PLB_CLONES
double plb_face_variance(const float *lower, int32_t count, int32_t stride, const float *row) {
  double total = 0;
  for (int32_t i = 0; i < count; i++) {
    const float *line = lower + (ptrdiff_t)i * stride;
    float sums[8] = {0};
    for (int32_t k = 0; k <= i; k += 8)
      for (int32_t l = 0; l < 8; l++) sums[l] += line[k + l] * row[k + l];
    double sum = ((double)sums[0] + sums[4]) + ((double)sums[2] + sums[6])
        + (((double)sums[1] + sums[5]) + ((double)sums[3] + sums[7]));
    total += sum * sum;
  }
  return total;
}
