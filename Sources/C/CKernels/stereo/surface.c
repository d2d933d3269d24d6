#include "stereo_kernels.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { CELL = 8 };
typedef float cells_f32 __attribute__((ext_vector_type(CELL), aligned(4)));

PLB_CLONES
void plb_stereo_accumulate(
    const float *values, const float *known, ptrdiff_t width, bool squared, float *restrict sums,
    float *restrict counts) {
  for (ptrdiff_t x = 0; x < width; x++) {
    float value = known[x] == known[x] ? values[x] : 0.0f;
    sums[x] += squared ? value * value : value;
    counts[x] += known[x] == known[x] ? 1.0f : 0.0f;
  }
}

PLB_CLONES
void plb_stereo_between(const float *line, ptrdiff_t width, float *restrict result) {
  cells_f32 places;
  for (int i = 0; i < CELL; i++) places[i] = (float)(2 * i + 1) / (2 * CELL);
  for (ptrdiff_t start = -CELL / 2; start < width; start += CELL, line++) {
    cells_f32 values = line[0] + places * (line[1] - line[0]);
    if (start >= 0 && start + CELL <= width) {
      *(cells_f32 *)(result + start) = values;
    } else {
      for (int i = 0; i < CELL; i++)
        if (start + i >= 0 && start + i < width) result[start + i] = values[i];
    }
  }
}

PLB_CLONES
void plb_stereo_refit(
    ptrdiff_t width, plb_stereo_surface surface, const float *again, const float *neighbors,
    const float *ratio, float *restrict values, float *restrict shift, float *restrict variance) {
  for (ptrdiff_t x = 0; x < width; x++) {
    float curve = surface.curve * ratio[x], edge = surface.edge * (1 - neighbors[x]);
    values[x] -= shift[x];
    shift[x] += again[x];
    variance[x] = surface.least * surface.least + curve * curve * variance[x] + edge * edge;
  }
}

PLB_CLONES
void plb_stereo_blend(
    ptrdiff_t width, plb_stereo_surface surface, const float *shift, const float *noise,
    const float *misfit, const float *ratio, float *restrict values, float *restrict variance) {
  for (ptrdiff_t x = 0; x < width; x++) {
    float curve = surface.noise_curve * ratio[x], all = surface.noise_share * noise[x];
    curve *= curve;
    all = all > curve ? all : curve;
    // Where nothing is moved nothing need be kept; no division by 0.
    float share = all < misfit[x] ? all / misfit[x] : 1.0f, own = surface.own * shift[x];
    values[x] += share * shift[x];
    // Not sqrtf, which would set errno, pixel by pixel.
    variance[x] = __builtin_elementwise_sqrt(
        variance[x] + surface.misfit * surface.misfit * misfit[x] + own * own);
  }
}

// The change of the pixels from `start` to `end`, whose slope is that between two others each.
static inline __attribute__((always_inline)) void face(
    const float *values, const float *above, const float *below, const float *frontal,
    ptrdiff_t start, ptrdiff_t end, ptrdiff_t first, ptrdiff_t last, ptrdiff_t columns, float vertical,
    float square, float bend, float *change) {
  for (ptrdiff_t x = start; x < end; x++) {
    float left = values[x + first], right = values[x + last], own = values[x];
    float across = columns > 0 ? (right - left) / (float)columns : 0;
    float down = (below[x] - above[x]) * vertical;
    float bend_across = left + right - 2 * own, bend_down = above[x] + below[x] - 2 * own;
    float slope = (across * across + down * down) / square;
    // NaN fails every comparison.
    int is_line = (bend_across <= bend) & (bend_across >= -bend) & (bend_down <= bend) &
                  (bend_down >= -bend);
    change[x] = is_line ? frontal[x] / (1 + slope * slope) : 0;
  }
}

PLB_CLONES
void plb_stereo_facing(
    const float *values, const float *above, const float *below, const float *frontal,
    ptrdiff_t width, ptrdiff_t reach, ptrdiff_t rows, float steepest, float bend,
    float *restrict change) {
  float vertical = rows > 0 ? 1.0f / (float)rows : 0, square = steepest * steepest;
#define part(start, end, first, last) \
  face(values, above, below, frontal, start, end, first, last, (last) - (first), vertical, square, \
       bend, change)
  // Only near both ends of a row is the distance another at each pixel.
  for (ptrdiff_t x = 0; x < width; x++) {
    if (x == reach && x + reach < width) {
      part(x, width - reach, -reach, reach);
      x = width - reach;
    }
    ptrdiff_t first = x > reach ? -reach : -x, last = x + reach < width ? reach : width - 1 - x;
    part(x, x + 1, first, last);
  }
#undef part
}
