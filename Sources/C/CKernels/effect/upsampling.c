#include "upsampling_kernels.h"
#include "four_floats.h"

#pragma STDC FP_CONTRACT OFF

static inline float between(const float *cells, ptrdiff_t stride, float right, float down) {
  float a = cells[0] + (cells[1] - cells[0]) * right;
  float b = cells[stride] + (cells[stride + 1] - cells[stride]) * right;
  return a + (b - a) * down;
}

// Whether the cell that a pixel is in lies near a step, with the cell before it.
static inline int is_in_band(
    const plb_upsampling *map, const plb_upsampling_row *place, ptrdiff_t i, ptrdiff_t *cell) {
  *cell = place->row * map->stride + place->columns[i];
  ptrdiff_t nearest =
      *cell + (place->shares[i] >= 0.5f) + (place->share >= 0.5f) * map->stride;
  return map->bands[nearest];
}

PLB_CLONES
void plb_upsample_shares(
    const plb_upsampling *map, const plb_upsampling_row *place, float *shares, uint8_t *unknown) {
  for (ptrdiff_t i = 0; i < place->count; i++) {
    ptrdiff_t cell;
    unknown[i] = is_in_band(map, place, i, &cell) != 0;
    float right = place->shares[i], down = place->share;
    float value = between(map->values + cell, map->stride, right, down);
    float near = between(map->near + cell, map->stride, right, down);
    float far = between(map->far + cell, map->stride, right, down);
    float share = (value - far) / (near - far);
    // Written so that NaN, away from all steps, is none.
    share = share > 0 ? (share < 1 ? share : 1) : 0;
    shares[i] = unknown[i] ? share : share >= 0.5f;
  }
}

// The coverage that a pixel's color says, by the lines of the four squares around it.
static inline float share_of(
    const plb_upsampling_lines *lines, int32_t x, int32_t y, const uint8_t *color) {
  float side = (float)lines->side;
  float u = ((float)x + 0.5f) / side - 0.5f, v = ((float)y + 0.5f) / side - 0.5f;
  u = u > 0 ? u : 0;
  v = v > 0 ? v : 0;
  int32_t left = (int32_t)u, top = (int32_t)v;
  int32_t right = left + 1 < lines->width ? left + 1 : left;
  int32_t bottom = top + 1 < lines->height ? top + 1 : top;
  float a = u - (float)left, b = v - (float)top;
  const float *upper = lines->lines + 4 * (ptrdiff_t)top * lines->width;
  const float *lower = lines->lines + 4 * (ptrdiff_t)bottom * lines->width;
  four above = load(upper + 4 * left) * splat(1 - a) + load(upper + 4 * right) * splat(a);
  four below = load(lower + 4 * left) * splat(1 - a) + load(lower + 4 * right) * splat(a);
  four line = above * splat(1 - b) + below * splat(b);
  const uint16_t *light = lines->light;
  return line[0] * (float)light[color[0]] + line[1] * (float)light[color[1]] +
         line[2] * (float)light[color[2]] + line[3];
}

// Linear fits leak a little: shares within this of none or all are cut.
#define LEAK 0.04f

PLB_CLONES
void plb_upsample_row(
    const plb_upsampling *map, const plb_upsampling_row *place, const plb_upsampling_lines *lines,
    int32_t y, const uint8_t *color, const uint8_t *matte, float *result, uint8_t *coverage) {
  for (ptrdiff_t i = 0; i < place->count; i++) {
    ptrdiff_t cell;
    int is_near = is_in_band(map, place, i, &cell);
    float right = place->shares[i], down = place->share;
    float value = between(map->values + cell, map->stride, right, down);
    result[i] = value;
    coverage[i] = matte ? matte[i] : 0;
    if (!is_near) continue;
    float near = between(map->near + cell, map->stride, right, down);
    float far = between(map->far + cell, map->stride, right, down);
    float share = (share_of(lines, (int32_t)i, y, color + 3 * i) - LEAK) / (1 - 2 * LEAK);
    // Written so that NaN is none.
    share = share > 0 ? (share < 1 ? share : 1) : 0;
    int32_t square = y / lines->side * lines->width + (int32_t)i / lines->side;
    if (share > 0 && share < 1 && !lines->edges[square]) {
      // Nothing speaks against the map.
      coverage[i] = 2 * value > near + far ? 254 : 1;
      continue;
    }
    coverage[i] = (uint8_t)(1 + share * 253 + 0.5f);
    // Each surface goes on as the map has it; only what hangs between the two is neither.
    if (share >= 0.5f)
      result[i] = value > near ? value : near;
    else
      result[i] = value < far ? value : far;
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
