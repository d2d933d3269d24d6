#include "stereo_kernels.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { CELL = 8 };

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
  for (ptrdiff_t start = -CELL / 2; start < width; start += CELL, line++) {
    float first = line[0], slope = line[1] - line[0], values[CELL];
    for (int i = 0; i < CELL; i++)
      values[i] = first + (float)(2 * i + 1) / (2 * CELL) * slope;
    if (start >= 0 && start + CELL <= width) {
      for (int i = 0; i < CELL; i++) result[start + i] = values[i];
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

void plb_stereo_facing(
    const float *values, const float *above, const float *below, const float *frontal,
    ptrdiff_t width, ptrdiff_t reach, ptrdiff_t rows, float steepest, float bend, float *change) {
  float vertical = rows > 0 ? 1.0f / (float)rows : 0, square = steepest * steepest;
  for (ptrdiff_t x = 0; x < width; x++) {
    ptrdiff_t first = x > reach ? x - reach : 0, last = x + reach < width ? x + reach : width - 1;
    float left = values[first], right = values[last], own = values[x];
    float across = last > first ? (right - left) / (float)(last - first) : 0;
    float down = (below[x] - above[x]) * vertical;
    float bend_across = left + right - 2 * own, bend_down = above[x] + below[x] - 2 * own;
    float slope = (across * across + down * down) / square;
    // NaN fails every comparison.
    bool is_line = bend_across <= bend && bend_across >= -bend && bend_down <= bend && bend_down >= -bend;
    change[x] = is_line ? frontal[x] / (1 + slope * slope) : 0;
  }
}
