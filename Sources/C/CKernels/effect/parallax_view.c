#include "parallax_kernels.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline float most_of(float a, float b) { return a > b ? a : b; }

static inline ptrdiff_t nearest_pixel(const plb_parallax *view, float x, float y) {
  float right = (float)(view->width - 1), bottom = (float)(view->height - 1);
  x = x > 0 ? (x < right ? x : right) : 0;
  y = y > 0 ? (y < bottom ? y : bottom) : 0;
  return (ptrdiff_t)(int32_t)(y + 0.5f) * view->width + (int32_t)(x + 0.5f);
}

// Four pixels around a position and their shares.
typedef struct {
  ptrdiff_t at[4];
  float share[4];
} corners;

static inline corners corners_at(const plb_parallax *view, float x, float y) {
  float right = (float)(view->width - 1), bottom = (float)(view->height - 1);
  x = x > 0 ? (x < right ? x : right) : 0;
  y = y > 0 ? (y < bottom ? y : bottom) : 0;
  int32_t left = (int32_t)x, top = (int32_t)y;
  int32_t beside = least(left + 1, view->width - 1), below = least(top + 1, view->height - 1);
  float across = x - (float)left, down = y - (float)top;
  ptrdiff_t row = (ptrdiff_t)top * view->width, next = (ptrdiff_t)below * view->width;
  return (corners){
      {row + left, row + beside, next + left, next + beside},
      {(1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down}};
}

// The color of one surface of a layer at about a disparity, found by its pixel.
static inline void take(
    const plb_parallax *view, const uint8_t *color, const float *disparity, float x, float y,
    float found, uint8_t *result) {
  // First the disparity between pixels, so that slopes move without steps; then the color.
  for (int round = 0; round < 2; round++) {
    float off = found - view->focus;
    corners place = corners_at(view, x - view->shift_x * off, y - view->shift_y * off);
    float sum = 0, total = 0, shares[4];
    for (int k = 0; k < 4; k++) {
      float ahead = disparity[place.at[k]] - found;
      shares[k] = fabsf(ahead) <= view->step ? place.share[k] : 0;
      sum += ahead * shares[k];
      total += shares[k];
    }
    if (!(total > 1e-6f)) {
      ptrdiff_t at = nearest_pixel(view, x - view->shift_x * off, y - view->shift_y * off);
      memcpy(result, color + 3 * at, 3);
      return;
    }
    float more = sum / total;
    if (round == 0 && more != 0) {
      found += more;
      continue;
    }
    for (int c = 0; c < 3; c++) {
      float mean = 0;
      for (int k = 0; k < 4; k++) mean += color[3 * place.at[k] + c] * shares[k];
      result[c] = (uint8_t)(int32_t)(mean / total + 0.5f);
    }
    return;
  }
}

// Loops over lanes are to become vectors, not to be written out.
#define EACH _Pragma("clang loop vectorize(enable) interleave(disable) unroll(disable)")

enum { LANES = 16 };

// Pixels of a row that search at once, and what they found.
typedef struct {
  float x[LANES], y, found[LANES];
  int32_t is_far[LANES];
} looking;

static inline float within(float value, float limit) {
  value = value > 0 ? value : 0;
  return value < limit ? value : limit;
}

// Finds the nearest surface that falls on each of `count` pixels: level by level, all pixels at once.
static inline __attribute__((always_inline)) void look(
    const plb_parallax *view, const float *bounds, int32_t column, int32_t count, looking *pixels) {
  float reach = most_of(fabsf(view->shift_x), fabsf(view->shift_y));
  float range = view->nearest - view->farthest;
  int32_t levels = (int32_t)ceilf(reach * range) + 1;
  float drop = range / (float)levels;
  // A surface that is met at its side, not its face, hides what is looked for.
  float side = drop + view->step;
  float right = (float)(view->width - 1), bottom = (float)(view->height - 1);
  int32_t starts[LANES], first = levels, open = count;
  for (int i = 0; i < LANES; i++) {
    pixels->x[i] = (float)(column + i);
    pixels->is_far[i] = 0;
    pixels->found[i] = view->farthest;
    starts[i] = INT32_MAX;
    if (i >= count) continue;
    // The last level before the bound, less one for rounding.
    float before = drop > 0 ? (view->nearest - bounds[(column + i) / view->side]) / drop - 1 : 0;
    starts[i] = before > 0 ? (before < (float)levels ? (int32_t)before : levels) : 0;
    first = least(first, starts[i]);
  }
  for (int32_t k = first; k <= levels && open > 0; k++) {
    float level = view->nearest - (float)k * drop, off = level - view->focus;
    float move_x = view->shift_x * off, move_y = view->shift_y * off;
    ptrdiff_t row = (ptrdiff_t)(int32_t)(within(pixels->y - move_y, bottom) + 0.5f) * view->width;
    const float *near = view->disparity + row, *far = view->far_disparity + row;
    // What is behind the last level is found there.
    float limit = k < levels ? level : -INFINITY;
    float values[LANES];
    int32_t places[LANES], is_hit[LANES], hits = 0;
    EACH
    for (int i = 0; i < LANES; i++) {
      places[i] = (int32_t)(within(pixels->x[i] - move_x, right) + 0.5f);
      values[i] = near[places[i]];
      is_hit[i] = (starts[i] <= k) & ((values[i] >= limit) | pixels->is_far[i]);
      hits |= is_hit[i];
    }
    if (!hits) continue;
    for (int i = 0; i < count; i++) {
      if (!is_hit[i]) continue;
      float value = values[i];
      if (!pixels->is_far[i] && value - level > side) pixels->is_far[i] = 1;
      if (pixels->is_far[i]) {
        value = far[places[i]];
        if (value < limit) continue;
      }
      pixels->found[i] = value - level > side ? level : value;
      starts[i] = INT32_MAX;
      open--;
    }
  }
}

// Where four pixels around a position are and their shares, of the surface at about a disparity.
typedef struct {
  int32_t at[4][LANES];
  float share[4][LANES], sum[LANES], total[LANES];
} surroundings;

static inline __attribute__((always_inline)) void surround(
    const plb_parallax *view, const looking *pixels, const float *found,
    surroundings *restrict result) {
  const float *restrict disparity = view->disparity;
  float right = (float)(view->width - 1), bottom = (float)(view->height - 1);
  EACH
  for (int i = 0; i < LANES; i++) {
    float off = found[i] - view->focus;
    float x = within(pixels->x[i] - view->shift_x * off, right);
    float y = within(pixels->y - view->shift_y * off, bottom);
    int32_t left = (int32_t)x, top = (int32_t)y;
    int32_t beside = least(left + 1, view->width - 1), below = least(top + 1, view->height - 1);
    float across = x - (float)left, down = y - (float)top;
    result->at[0][i] = top * view->width + left;
    result->at[1][i] = top * view->width + beside;
    result->at[2][i] = below * view->width + left;
    result->at[3][i] = below * view->width + beside;
    result->share[0][i] = (1 - across) * (1 - down);
    result->share[1][i] = across * (1 - down);
    result->share[2][i] = (1 - across) * down;
    result->share[3][i] = across * down;
    result->sum[i] = 0;
    result->total[i] = 0;
  }
  for (int k = 0; k < 4; k++)
    EACH
    for (int i = 0; i < LANES; i++) {
      float ahead = disparity[result->at[k][i]] - found[i];
      float share = fabsf(ahead) <= view->step ? result->share[k][i] : 0;
      result->share[k][i] = share;
      result->sum[i] += ahead * share;
      result->total[i] += share;
    }
}

typedef float four __attribute__((vector_size(16)));
typedef uint8_t four_codes __attribute__((vector_size(4)));

static inline four splat(float value) { return (four){value, value, value, value}; }

// A pixel's codes, and one that counts for nothing: the next pixel's, where there is one.
static inline four color_at(const plb_parallax *view, int32_t at) {
  four_codes codes = {0, 0, 0, 0};
  const uint8_t *pixel = view->color + 3 * (ptrdiff_t)at;
  if (at + 1 < view->width * view->height)
    memcpy(&codes, pixel, 4);
  else
    memcpy(&codes, pixel, 3);
  return __builtin_convertvector(codes, four);
}

// `take` of many pixels of the first layer.
static inline __attribute__((always_inline)) void take_near(
    const plb_parallax *view, const looking *pixels, int32_t count, uint8_t *result) {
  surroundings around;
  float found[LANES];
  int32_t is_known[LANES];
  surround(view, pixels, pixels->found, &around);
  EACH
  for (int i = 0; i < LANES; i++) {
    is_known[i] = around.total[i] > 1e-6f;
    found[i] = is_known[i] ? pixels->found[i] + around.sum[i] / around.total[i] : pixels->found[i];
  }
  surround(view, pixels, found, &around);
  for (int i = 0; i < count; i++) {
    if (pixels->is_far[i]) continue;
    uint8_t *target = result + 3 * i;
    if (!is_known[i] || !(around.total[i] > 1e-6f)) {
      float off = found[i] - view->focus;
      ptrdiff_t at = nearest_pixel(
          view, pixels->x[i] - view->shift_x * off, pixels->y - view->shift_y * off);
      memcpy(target, view->color + 3 * at, 3);
      continue;
    }
    four mean = {0, 0, 0, 0};
    for (int k = 0; k < 4; k++)
      mean += color_at(view, around.at[k][i]) * splat(around.share[k][i]);
    mean = mean / splat(around.total[i]) + splat(0.5f);
    for (int c = 0; c < 3; c++) target[c] = (uint8_t)(int32_t)mean[c];
  }
}

PLB_CLONES
void plb_parallax_view(const plb_parallax *view, int32_t first, int32_t end, uint8_t *result) {
  int32_t squares = (view->width + view->side - 1) / view->side;
  for (int32_t row = first; row < end; row++) {
    const float *bounds = view->bounds + (ptrdiff_t)(row / view->side) * squares;
    for (int32_t column = 0; column < view->width; column += LANES) {
      looking pixels;
      int32_t count = least(LANES, view->width - column);
      uint8_t *target = result + 3 * ((ptrdiff_t)row * view->width + column);
      pixels.y = (float)row;
      look(view, bounds, column, count, &pixels);
      take_near(view, &pixels, count, target);
      for (int i = 0; i < count; i++) {
        if (!pixels.is_far[i]) continue;
        take(
            view, view->far_color, view->far_disparity, pixels.x[i], pixels.y, pixels.found[i],
            target + 3 * i);
      }
    }
  }
}
