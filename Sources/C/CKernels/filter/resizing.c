#include "filter_kernels.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

enum { MOST = 64 };

void plb_filter_medians(
    const float *depth, int32_t width, int32_t height, int32_t side, int32_t *sources) {
  for (int32_t top = 0; top + side <= height; top += side) {
    for (int32_t left = 0; left + side <= width; left += side) {
      int32_t order[MOST], count = 0;
      for (int32_t y = top; y < top + side; y++) {
        for (int32_t x = left; x < left + side; x++) {
          int32_t at = y * width + x, place = count;
          float value = depth[at];
          if (!(value == value)) continue;
          for (; place > 0 && depth[order[place - 1]] > value; place--)
            order[place] = order[place - 1];
          order[place] = at;
          count++;
        }
      }
      *sources++ = count ? order[(count - 1) / 2] : -1;
    }
  }
}

static inline float likeness(const uint8_t *a, const uint8_t *b, float sigma) {
  int32_t red = a[0] - b[0], green = a[1] - b[1], blue = a[2] - b[2];
  float off = (float)(red * red + green * green + blue * blue) / (sigma * sigma);
  return 1 / (1 + off * off);
}

void plb_filter_upsample(
    const plb_filter_rows *rows, const int32_t *columns, const float *shares,
    const uint8_t *guide, ptrdiff_t count, float *depth, float *sigma) {
  for (ptrdiff_t i = 0; i < count; i++) {
    ptrdiff_t places[4] = {
        columns[i], columns[i] + 1, columns[i] + rows->stride, columns[i] + rows->stride + 1};
    float right = shares[i], down = rows->down;
    float weights[4] = {
        (1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down};
    depth[i] = sigma[i] = NAN;
    // A pixel belongs to the nearest one of the map: where that is missing, it is.
    int nearest = (right >= 0.5f) + 2 * (down >= 0.5f);
    if (!(rows->inverse[places[nearest]] == rows->inverse[places[nearest]])) continue;
    float least = INFINITY, most = 0, limit = INFINITY;
    for (int k = 0; k < 4; k++) {
      float value = rows->inverse[places[k]], noise = rows->agreement * rows->sigma[places[k]];
      if (!(value == value)) {
        weights[k] = 0;
        continue;
      }
      least = least < value ? least : value;
      most = most > value ? most : value;
      limit = limit < noise ? limit : noise;
    }
    int agree = most - least <= limit, best = nearest;
    if (!agree) {
      for (int k = 0; k < 4; k++) {
        // Not 0, so that color can prefer a pixel that is not the nearest.
        if (weights[k] > 0) weights[k] += 0.05f;
        weights[k] *= likeness(guide + 3 * i, rows->colors + 3 * places[k], rows->color);
      }
      for (int k = 0; k < 4; k++) best = weights[k] > weights[best] ? k : best;
    }
    float chosen = rows->inverse[places[best]], total = 0, sum = 0, squares = 0, others = 0;
    for (int k = 0; k < 4; k++) {
      if (!(weights[k] > 0)) continue;
      float value = rows->inverse[places[k]], noise = rows->sigma[places[k]];
      float difference = value - chosen;
      if (agree || fabsf(difference) <= rows->agreement * noise) {
        total += weights[k];
        sum += weights[k] * difference;
        squares += weights[k] * noise * noise;
      } else {
        others += weights[k] * difference * difference;
      }
    }
    if (!(total > 0)) {
      // No color is like it: the nearest, whose weight may have vanished.
      total = 1;
      squares = rows->sigma[places[best]] * rows->sigma[places[best]];
    }
    float value = chosen + sum / total, z = 1 / value;
    // What the other surface's weight says about having chosen the wrong one.
    float variance = squares / total + others / (total + others);
    float own = sqrtf(variance) * z * z;
    if (!(z > 0) || !(z < INFINITY) || !(own < INFINITY)) continue;
    depth[i] = z;
    sigma[i] = own;
  }
}
