#include "upsampling_kernels.h"

#pragma STDC FP_CONTRACT OFF

// Loops over the cells of a row are to become vectors, not to be written out.
#define EACH _Pragma("clang loop vectorize(enable) interleave(disable) unroll(disable)")

// Six cells of a row and two that weigh nothing.
enum { CELLS = 6, LANES = 8 };

// Which of two surfaces a pixel belongs to: the cells within two of it are in two classes by their
// disparity; nearness in the image and in color, or the matte where it parts the two, decide.
static inline __attribute__((always_inline)) float choose(
    const plb_upsampling *map, ptrdiff_t cell, float right, float down, const uint8_t *color,
    float matte) {
  float middle = map->middles[cell + (right >= 0.5f) + (down >= 0.5f) * map->stride];
  float scores[2][LANES] = {{0}}, sums[2][LANES] = {{0}}, totals[2][LANES] = {{0}};
  float insides[2][LANES] = {{0}}, columns[LANES] = {0};
  float scale = 1 / (map->color_sigma * map->color_sigma);
  for (int i = 0; i < CELLS; i++) {
    float off = (float)(i - 2) - right;
    columns[i] = 1 / (1 + off * off);
  }
  for (int32_t y = -2; y <= 3; y++) {
    float off_y = (float)y - down, weight_y = 1 / (1 + off_y * off_y);
    ptrdiff_t first = cell + y * map->stride - 2;
    float values[LANES] = {0}, levels[LANES] = {0};
    int32_t codes[3][LANES] = {{0}};
    for (int i = 0; i < CELLS; i++) {
      values[i] = map->values[first + i];
      for (int k = 0; k < 3; k++) codes[k][i] = map->colors[3 * (first + i) + k];
    }
    if (map->matte)
      for (int i = 0; i < CELLS; i++) levels[i] = (float)map->matte[first + i];
    EACH
    for (int i = 0; i < LANES; i++) {
      float weight = weight_y * columns[i];
      weight *= weight;
      int32_t red = color[0] - codes[0][i], green = color[1] - codes[1][i];
      int32_t blue = color[2] - codes[2][i];
      float off = (float)(red * red + green * green + blue * blue) * scale;
      float near = values[i] > middle ? weight : 0, far = values[i] > middle ? 0 : weight;
      float likeness = 1 / (1 + off * off);
      totals[0][i] += far;
      totals[1][i] += near;
      sums[0][i] += far * values[i];
      sums[1][i] += near * values[i];
      insides[0][i] += far * levels[i];
      insides[1][i] += near * levels[i];
      scores[0][i] += far * likeness;
      scores[1][i] += near * likeness;
    }
  }
  float score[2] = {0, 0}, sum[2] = {0, 0}, total[2] = {0, 0}, inside[2] = {0, 0};
  for (int near = 0; near < 2; near++)
    for (int i = 0; i < CELLS; i++) {
      score[near] += scores[near][i];
      sum[near] += sums[near][i];
      total[near] += totals[near][i];
      inside[near] += insides[near][i];
    }
  if (!(total[0] > 0)) return sum[1] / total[1];
  if (!(total[1] > 0)) return sum[0] / total[0];
  int near = score[1] > score[0];
  // The matte knows the subject's edge better than colors do, where this is the subject's edge.
  if (map->matte && inside[1] / total[1] - inside[0] / total[0] > 76.5f) near = matte >= 127.5f;
  return sum[near] / total[near];
}

PLB_CLONES
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
