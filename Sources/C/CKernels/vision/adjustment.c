#include "adjustment_kernels.h"

// A multiplication and an addition in one would round otherwise than the Swift twins.
#pragma STDC FP_CONTRACT OFF

void plb_subtract_products(
    double *matrix, ptrdiff_t count, const double *rows, const ptrdiff_t *columns,
    ptrdiff_t width) {
  for (ptrdiff_t i = 0; i < width; ++i) {
    double *target = matrix + columns[i] * count;
    for (ptrdiff_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (ptrdiff_t row = 0; row < 6; ++row) sum += rows[row * width + i] * rows[row * width + j];
      target[columns[j]] -= sum;
    }
  }
}

int plb_factor_cholesky(double *lower, ptrdiff_t count) {
  for (ptrdiff_t column = 0; column < count; ++column) {
    double *top = lower + column * count;
    double pivot = top[column];
    const double entry = pivot;
    for (ptrdiff_t k = 0; k < column; ++k) pivot -= top[k] * top[k];
    if (!(pivot > 1e-12 * entry) || pivot - pivot != 0) return 0;
    const double root = __builtin_sqrt(pivot);
    top[column] = root;
    for (ptrdiff_t row = column + 1; row < count; ++row) {
      double *base = lower + row * count;
      double sum = base[column];
      for (ptrdiff_t k = 0; k < column; ++k) sum -= base[k] * top[k];
      base[column] = sum / root;
    }
  }
  return 1;
}
