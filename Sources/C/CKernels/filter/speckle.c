#include "filter_kernels.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

PLB_CLONES
void plb_filter_links(
    const float *row, const float *above, const float *step, ptrdiff_t count, uint8_t *links) {
  // The first pixel has no left one.
  links[0] = (uint8_t)((row[0] == row[0]) | (fabsf(row[0] - above[0]) <= step[0]) << 2);
  for (ptrdiff_t i = 1; i < count; i++) {
    float value = row[i], limit = step[i];
    int left = fabsf(value - row[i - 1]) <= limit, up = fabsf(value - above[i]) <= limit;
    links[i] = (uint8_t)((value == value) | left << 1 | up << 2);
  }
}

static inline int32_t root(plb_filter_run *runs, int32_t run) {
  while (runs[run].parent != run) {
    runs[run].parent = runs[runs[run].parent].parent;
    run = runs[run].parent;
  }
  return run;
}

int32_t plb_filter_runs(
    const uint8_t *links, int32_t width, int32_t height, int32_t *labels, plb_filter_run *runs) {
  int32_t count = 0;
  for (int32_t y = 0; y < height; y++) {
    int32_t *here = labels + (y & 1 ? width : 0), *above = labels + (y & 1 ? 0 : width);
    const uint8_t *row = links + (ptrdiff_t)y * width;
    int32_t x = 0;
    while (x < width) {
      if (!(row[x] & 1)) {
        x++;
        continue;
      }
      int32_t run = count++, start = x, joined = -1;
      runs[run].parent = run;
      do {
        here[x] = run;
        if (y > 0 && (row[x] & 4) && above[x] != joined) {
          joined = above[x];
          int32_t a = root(runs, joined), b = root(runs, run);
          // The earlier run stays the root: results do not depend on sizes.
          if (a < b) runs[b].parent = a;
          if (b < a) runs[a].parent = b;
        }
        x++;
      } while (x < width && (row[x] & 3) == 3);
      runs[run].start = y * width + start;
      runs[run].count = x - start;
    }
  }
  for (int32_t run = 0; run < count; run++) runs[run].size = 0;
  for (int32_t run = 0; run < count; run++) {
    int32_t first = root(runs, run);
    runs[run].parent = first;
    runs[first].size += runs[run].count;
  }
  for (int32_t run = 0; run < count; run++) runs[run].size = runs[runs[run].parent].size;
  return count;
}
