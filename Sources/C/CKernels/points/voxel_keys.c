#include <math.h>
#include <string.h>

#include "point_kernels.h"

#pragma STDC FP_CONTRACT OFF

ptrdiff_t plb_voxel_keys(
    const float *points, ptrdiff_t count, const double *origin, double size, const int32_t *bits,
    uint64_t *keys) {
  ptrdiff_t inside = 0;
  for (ptrdiff_t i = 0; i < count; i++) {
    uint64_t key = 0;
    int valid = 1;
    for (int axis = 0; axis < 3; axis++) {
      const double cell = floor((points[3 * i + axis] - origin[axis]) / size);
      // Comparisons with NaN are false.
      const int fits = cell >= 0 && cell < (double)((uint64_t)1 << bits[axis]);
      valid &= fits;
      key = key << bits[axis] | (fits ? (uint64_t)cell : 0);
    }
    keys[i] = valid ? key : UINT64_MAX;
    inside += valid;
  }
  return inside;
}

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

// Sorting by the lowest digit first keeps the order of equal keys, which is that of the indices.
void plb_sort_by_key(
    const uint64_t *keys, ptrdiff_t count, int32_t passes, uint32_t *order, uint32_t *scratch) {
  for (ptrdiff_t i = 0; i < count; i++) order[i] = (uint32_t)i;
  uint32_t *from = order, *to = scratch;
  for (int32_t pass = 0; pass < passes; pass++) {
    const int shift = DIGIT * pass;
    uint32_t starts[DIGITS];
    memset(starts, 0, sizeof starts);
    for (ptrdiff_t i = 0; i < count; i++) starts[keys[i] >> shift & (DIGITS - 1)]++;
    uint32_t sum = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      const uint32_t number = starts[digit];
      starts[digit] = sum;
      sum += number;
    }
    for (ptrdiff_t i = 0; i < count; i++) {
      const uint32_t index = from[i];
      to[starts[keys[index] >> shift & (DIGITS - 1)]++] = index;
    }
    uint32_t *swapped = from;
    from = to;
    to = swapped;
  }
  if (from != order) memcpy(order, from, (size_t)count * sizeof *order);
}
