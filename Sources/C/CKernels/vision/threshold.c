#include "vision_kernels.h"

PLB_CLONES
void plb_tile_extremes(
    const uint8_t *source, ptrdiff_t row_stride, ptrdiff_t tiles, uint8_t *low, uint8_t *high,
    uint8_t *columns) {
  ptrdiff_t count = 4 * tiles;
  const uint8_t *a = source, *b = a + row_stride, *c = b + row_stride, *d = c + row_stride;
  uint8_t *lowest = columns, *highest = columns + count;
  for (ptrdiff_t i = 0; i < count; i++) {
    uint8_t l1 = a[i] < b[i] ? a[i] : b[i], l2 = c[i] < d[i] ? c[i] : d[i];
    uint8_t h1 = a[i] > b[i] ? a[i] : b[i], h2 = c[i] > d[i] ? c[i] : d[i];
    lowest[i] = l1 < l2 ? l1 : l2;
    highest[i] = h1 > h2 ? h1 : h2;
  }
  for (ptrdiff_t i = 0; i < tiles; i++) {
    const uint8_t *l = lowest + 4 * i, *h = highest + 4 * i;
    uint8_t l1 = l[0] < l[1] ? l[0] : l[1], l2 = l[2] < l[3] ? l[2] : l[3];
    uint8_t h1 = h[0] > h[1] ? h[0] : h[1], h2 = h[2] > h[3] ? h[2] : h[3];
    low[i] = l1 < l2 ? l1 : l2;
    high[i] = h1 > h2 ? h1 : h2;
  }
}

PLB_CLONES
void plb_darker(const uint8_t *source, const uint8_t *limits, ptrdiff_t count, uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) result[i] = source[i] < limits[i];
}
