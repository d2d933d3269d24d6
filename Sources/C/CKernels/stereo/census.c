#include "stereo_kernels.h"

static inline uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }
static inline uint8_t maximum(uint8_t a, uint8_t b) { return a > b ? a : b; }

enum { GRADIENT_LIMIT = 45 };

static inline uint8_t gradient(const uint8_t *row, ptrdiff_t stride, ptrdiff_t i) {
  int value = row[i - stride + 1] - row[i - stride - 1] + 2 * (row[i + 1] - row[i - 1]) +
              row[i + stride + 1] - row[i + stride - 1];
  value = value < -GRADIENT_LIMIT ? -GRADIENT_LIMIT : value;
  value = value > GRADIENT_LIMIT ? GRADIENT_LIMIT : value;
  return (uint8_t)(value + GRADIENT_LIMIT);
}

static inline void bounds(
    uint8_t left, uint8_t value, uint8_t right, uint8_t *restrict low, uint8_t *restrict high) {
  uint8_t before = (uint8_t)((left + value) >> 1), after = (uint8_t)((right + value) >> 1);
  *low = least(value, least(before, after));
  *high = maximum(value, maximum(before, after));
}

PLB_CLONES
void plb_stereo_features(
    const uint8_t *row, ptrdiff_t stride, ptrdiff_t count, uint8_t *features, ptrdiff_t plane) {
  int bit = 0;
  for (ptrdiff_t i = 0; i < PLB_CENSUS_PLANES * plane; i += plane)
    for (ptrdiff_t x = 0; x < count; x++) features[i + x] = 0;
  for (int v = -3; v <= 3; v++) {
    for (int u = -3; u <= 3; u++) {
      if (u == 0 && v == 0) continue;
      const uint8_t *other = row + v * stride + u;
      uint8_t *restrict bits = features + (bit >> 3) * plane;
      uint8_t mark = (uint8_t)(1 << (bit & 7));
      for (ptrdiff_t x = 0; x < count; x++) bits[x] |= other[x] < row[x] ? mark : 0;
      bit++;
    }
  }
  uint8_t *restrict values = features + PLB_CENSUS_PLANES * plane;
  for (ptrdiff_t x = 0; x < count; x++) {
    uint8_t value = gradient(row, stride, x);
    values[x] = value;
    bounds(
        gradient(row, stride, x - 1), value, gradient(row, stride, x + 1), values + plane + x,
        values + 2 * plane + x);
  }
  values += 3 * plane;
  for (ptrdiff_t x = 0; x < count; x++) {
    values[x] = row[x];
    bounds(row[x - 1], row[x], row[x + 1], values + plane + x, values + 2 * plane + x);
  }
}

PLB_CLONES
void plb_stereo_reverse(
    const uint8_t *features, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t first, uint8_t *result,
    ptrdiff_t length) {
  for (int i = 0; i < PLB_FEATURE_PLANES; i++) {
    const uint8_t *source = features + i * plane;
    uint8_t *restrict target = result + i * length;
    ptrdiff_t top = width - 1 - first;
    ptrdiff_t begin = top - (width - 1), end = top + 1;
    begin = begin < 0 ? 0 : begin > length ? length : begin;
    end = end < begin ? begin : end > length ? length : end;
    for (ptrdiff_t j = 0; j < begin; j++) target[j] = source[width - 1];
    for (ptrdiff_t j = begin; j < end; j++) target[j] = source[top - j];
    for (ptrdiff_t j = end; j < length; j++) target[j] = source[0];
  }
}
