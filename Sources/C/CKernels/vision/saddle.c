#include "saddle_kernels.h"

#include <stdbool.h>

PLB_CLONES
void plb_smooth_row(
    const uint8_t *restrict above, const uint8_t *restrict row, const uint8_t *restrict below,
    ptrdiff_t width, uint8_t *restrict result) {
  for (ptrdiff_t x = 1; x < width - 1; x++) {
    const uint16_t left = above[x - 1] + 2 * row[x - 1] + below[x - 1];
    const uint16_t middle = above[x] + 2 * row[x] + below[x];
    const uint16_t right = above[x + 1] + 2 * row[x + 1] + below[x + 1];
    result[x] = (uint8_t)((uint16_t)(left + 2 * middle + right + 8) >> 4);
  }
  result[0] = result[1];
  result[width - 1] = result[width - 2];
}

static inline int16_t distance(int16_t a, int16_t b) { return a > b ? a - b : b - a; }

PLB_CLONES
void plb_ring_response(
    const uint8_t *restrict pixels, ptrdiff_t stride, ptrdiff_t width, int16_t *restrict result) {
  // Sixteen directions in order, so that four steps are a quarter turn.
  const ptrdiff_t ring[16] = {
      5,              2 * stride + 5,  4 * stride + 4,  5 * stride + 2,
      5 * stride,     5 * stride - 2,  4 * stride - 4,  2 * stride - 5,
      -5,             -2 * stride - 5, -4 * stride - 4, -5 * stride - 2,
      -5 * stride,    -5 * stride + 2, -4 * stride + 4, -2 * stride + 5};
  for (ptrdiff_t x = 5; x < width - 5; x++) {
    const uint8_t *p = pixels + x;
    int16_t alternating = 0, opposite = 0, sum = 0;
    for (int n = 0; n < 4; n++) {
      const int16_t a = p[ring[n]], b = p[ring[n + 4]], c = p[ring[n + 8]], d = p[ring[n + 12]];
      alternating += distance(a + c, b + d);
      opposite += distance(a, c) + distance(b, d);
      sum += a + b + c + d;
    }
    // Sixteen times the mean of the middle, so that it compares with the ring's sum.
    const int16_t middle = (int16_t)(4 * p[0] + 3 * (p[-1] + p[1] + p[-stride] + p[stride]));
    result[x] = alternating - opposite - distance(sum, middle);
  }
}

ptrdiff_t plb_peaks_of_row(
    const int16_t *row, ptrdiff_t stride, ptrdiff_t first, ptrdiff_t end, int16_t threshold,
    int32_t *columns) {
  ptrdiff_t count = 0;
  for (ptrdiff_t x = first; x < end; x++) {
    const int16_t value = row[x];
    if (value <= threshold) continue;
    bool isPeak = true;
    for (ptrdiff_t dy = -2; dy <= 2 && isPeak; dy++)
      for (ptrdiff_t dx = -2; dx <= 2; dx++) {
        const int16_t other = row[dy * stride + x + dx];
        const bool isBefore = dy < 0 || (dy == 0 && dx < 0);
        if (other > value || (isBefore && other == value)) {
          isPeak = false;
          break;
        }
      }
    if (isPeak) columns[count++] = (int32_t)x;
  }
  return count;
}
