#include "upsampling_kernels.h"

#pragma STDC FP_CONTRACT OFF

static inline float likeness(const uint8_t *a, const uint8_t *b, float sigma) {
  int32_t red = a[0] - b[0], green = a[1] - b[1], blue = a[2] - b[2];
  float off = (float)(red * red + green * green + blue * blue) / (sigma * sigma);
  return 1 / (1 + off * off);
}

// Which of two surfaces a pixel belongs to: the cells within two of it are in two classes by their
// disparity; nearness in the image and in color, or the matte where it parts the two, decide.
static float choose(
    const plb_upsampling *map, ptrdiff_t cell, float right, float down, const uint8_t *color,
    float matte) {
  float middle = map->middles[cell + (right >= 0.5f) + (down >= 0.5f) * map->stride];
  float score[2] = {0, 0}, sum[2] = {0, 0}, total[2] = {0, 0}, inside[2] = {0, 0};
  for (int32_t y = -2; y <= 3; y++) {
    float off_y = (float)y - down, weight_y = 1 / (1 + off_y * off_y);
    for (int32_t x = -2; x <= 3; x++) {
      ptrdiff_t at = cell + y * map->stride + x;
      float off_x = (float)x - right, weight = weight_y / (1 + off_x * off_x);
      weight *= weight;
      int near = map->values[at] > middle;
      total[near] += weight;
      sum[near] += weight * map->values[at];
      if (map->matte) inside[near] += weight * (float)map->matte[at];
      score[near] += weight * likeness(color, map->colors + 3 * at, map->color_sigma);
    }
  }
  if (!(total[0] > 0)) return sum[1] / total[1];
  if (!(total[1] > 0)) return sum[0] / total[0];
  int near = score[1] > score[0];
  // The matte knows the subject's edge better than colors do, where this is the subject's edge.
  if (map->matte && inside[1] / total[1] - inside[0] / total[0] > 76.5f) near = matte >= 127.5f;
  return sum[near] / total[near];
}

void plb_upsample_row(
    const plb_upsampling *map, int32_t row, float share, const int32_t *columns,
    const float *shares, const uint8_t *color, const uint8_t *matte, ptrdiff_t count,
    float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    ptrdiff_t cell = row * map->stride + columns[i];
    const float *upper = map->values + cell, *lower = upper + map->stride;
    ptrdiff_t nearest = cell + (shares[i] >= 0.5f) + (share >= 0.5f) * map->stride;
    if (map->edges[nearest]) {
      result[i] =
          choose(map, cell, shares[i], share, color + 3 * i, matte ? (float)matte[i] : 0);
    } else {
      float a = upper[0] + (upper[1] - upper[0]) * shares[i];
      float b = lower[0] + (lower[1] - lower[0]) * shares[i];
      result[i] = a + (b - a) * share;
    }
  }
}

void plb_upsample_levels(
    const uint8_t *upper, const uint8_t *lower, float share, const int32_t *left,
    const int32_t *right, const float *shares, ptrdiff_t count, uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float a = (float)upper[left[i]] + ((float)upper[right[i]] - (float)upper[left[i]]) * shares[i];
    float b = (float)lower[left[i]] + ((float)lower[right[i]] - (float)lower[left[i]]) * shares[i];
    result[i] = (uint8_t)(a + (b - a) * share + 0.5f);
  }
}
