#include "stereo_kernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum {
  REACH = PLB_EDGE_REACH,
  WINDOW = PLB_EDGE_WINDOW,
  DIRECTIONS = 8,
  // Levels at which a pixel stops to belong to the surface of the middle one.
  UNLIKE = 24,
  DIFFERENCE_MOST = 10
};
// Four rows of a window, each with what lies right of it, and their levels.
typedef uint8_t row_u8 __attribute__((ext_vector_type(16), aligned(1)));
typedef uint8_t rows_u8 __attribute__((ext_vector_type(64), aligned(1)));
typedef int16_t rows_i16 __attribute__((ext_vector_type(32), aligned(2)));
// As many pixels look around at once.
enum { PIXELS = 16 };
typedef float pixels_f32 __attribute__((ext_vector_type(PIXELS), aligned(4)));
typedef int32_t pixels_i32 __attribute__((ext_vector_type(PIXELS), aligned(4)));

// The disparities that are compared at one pixel: its own first.
typedef struct {
  float values[PLB_EDGE_CANDIDATES];
  // How far away each lies in the map.
  ptrdiff_t places[PLB_EDGE_CANDIDATES];
  int32_t costs[PLB_EDGE_CANDIDATES];
  int count;
} candidates;

PLB_CLONES
void plb_stereo_level_offsets(
    const uint8_t *left, const uint8_t *right, const float *disparity, ptrdiff_t width,
    float *restrict offsets) {
  for (ptrdiff_t x = 0; x < width; x++) {
    float shift = disparity[x] == disparity[x] ? __builtin_elementwise_round(disparity[x]) : 0;
    int32_t match = (int32_t)x - (int32_t)shift;
    match = match < 0 ? 0 : match;
    match = match < (int32_t)width ? match : (int32_t)width - 1;
    offsets[x] = (float)left[x] - (float)right[match];
  }
}

static const int8_t across[DIRECTIONS] = {1, -1, 0, 0, 1, 1, -1, -1};
static const int8_t along[DIRECTIONS] = {0, 0, 1, -1, 1, -1, 1, -1};

// For each of eight directions the disparity of another surface nearby, from as far away as it reaches:
// there it was found with less of the surface on this side of the edge. NaN where there is none.
typedef struct {
  float values[DIRECTIONS][PIXELS];
  int32_t reaches[DIRECTIONS][PIXELS];
  // A bit for each direction in which there is one.
  int32_t found[PIXELS];
} surroundings;

// The disparities `step` pixels away; outside there is nothing.
static inline __attribute__((always_inline)) void look(
    const plb_stereo_edge_images *images, const float *map, ptrdiff_t x, ptrdiff_t y, bool is_inside,
    float *there) {
  if (is_inside) {
    *(pixels_f32 *)there = *(const pixels_f32 *)(map + y * images->width + x);
    return;
  }
  for (int i = 0; i < PIXELS; i++) {
    bool is_in = y >= 0 && y < images->height && x + i >= 0 && x + i < images->width;
    there[i] = is_in ? map[y * images->width + x + i] : NAN;
  }
}

static inline __attribute__((always_inline)) void look_around(
    const plb_stereo_edge_images *images, const float *map, ptrdiff_t x, ptrdiff_t y,
    surroundings *around) {
  bool is_inside = x >= REACH && y >= REACH && x + PIXELS + REACH <= images->width &&
                   y + REACH < images->height;
  float room[PIXELS];
  look(images, map, x, y, is_inside, room);
  pixels_f32 own = *(pixels_f32 *)room;
  pixels_i32 found = 0;
  for (int k = 0; k < DIRECTIONS; k++) {
    pixels_f32 value = NAN;
    pixels_i32 reach = 0, open = -1;
    for (int step = 2; step <= REACH; step += 2) {
      look(images, map, x + across[k] * step, y + along[k] * step, is_inside, room);
      pixels_f32 there = *(pixels_f32 *)room;
      pixels_i32 is_other = __builtin_elementwise_abs(there - own) > PLB_EDGE_JUMP;
      pixels_i32 is_third =
          (value == value) & ~(__builtin_elementwise_abs(there - value) <= PLB_EDGE_JUMP);
      pixels_i32 taken = open & is_other & ~is_third;
      // Nor is there anything farther away.
      open &= ~(is_other & is_third);
      value = taken ? there : value;
      reach = taken ? (pixels_i32)step : reach;
    }
    *(pixels_f32 *)around->values[k] = value;
    *(pixels_i32 *)around->reaches[k] = reach;
    found |= (value == value) & (1 << k);
  }
  *(pixels_i32 *)around->found = found;
}

// Adds the disparities of other surfaces nearby, each but once.
static inline __attribute__((always_inline)) void collect(
    const surroundings *around, int pixel, ptrdiff_t width, candidates *found) {
  for (uint32_t rest = (uint32_t)around->found[pixel]; rest && found->count < PLB_EDGE_CANDIDATES;
       rest &= rest - 1) {
    int k = __builtin_ctz(rest);
    float value = around->values[k][pixel];
    bool is_known = false;
    for (int i = 1; i < found->count; i++)
      is_known |= fabsf(found->values[i] - value) <= PLB_EDGE_JUMP / 2;
    if (is_known) continue;
    found->values[found->count] = value;
    found->places[found->count] = (along[k] * width + across[k]) * around->reaches[k][pixel];
    found->count++;
  }
}

// The seventh row stands alone, with an eighth that weighs nothing.
#define row_at(from, row, stride) \
  *(const row_u8 *)((from) + ((row) - WINDOW - ((row) > 2 * WINDOW ? 1 : 0)) * (stride))
#define sixteen(n)                                                                                  \
  n, (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7, (n) + 8, (n) + 9, (n) + 10,     \
      (n) + 11, (n) + 12, (n) + 13, (n) + 14, (n) + 15
#define pair_of(a, b) __builtin_shufflevector(a, b, sixteen(0), sixteen(16))
#define four_of(a, b) __builtin_shufflevector(a, b, sixteen(0), sixteen(16), sixteen(32), sixteen(48))
#define rows_at(from, half, stride)                                                        \
  four_of(                                                                                 \
      pair_of(row_at(from, 4 * (half), stride), row_at(from, 4 * (half) + 1, stride)),     \
      pair_of(row_at(from, 4 * (half) + 2, stride), row_at(from, 4 * (half) + 3, stride)))
// Eight levels of each row, from the first or the second on, each with a byte of 0.
#define eight(n)                                                                                    \
  n, 64, (n) + 1, 64, (n) + 2, 64, (n) + 3, 64, (n) + 4, 64, (n) + 5, 64, (n) + 6, 64, (n) + 7, 64
#define levels_of(rows, first)                                                                      \
  (rows_i16)__builtin_shufflevector(                                                                \
      rows, (rows_u8)(uint8_t)0, eight(first), eight((first) + 16), eight((first) + 32),            \
      eight((first) + 48))

// Sums the weighted differences of a window for each candidate; returns the sum of the weights.
static inline __attribute__((always_inline)) int32_t compare(
    const plb_stereo_edge_images *images, ptrdiff_t x, ptrdiff_t y, int16_t offset,
    candidates *found) {
  const rows_i16 inside[2] = {
      {-1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, 0,
       -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, 0},
      {-1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, 0,
       -1, -1, -1, -1, -1, -1, -1, 0, 0,  0,  0,  0,  0,  0,  0,  0}};
  const uint8_t *left = images->left + y * images->stride + x - WINDOW;
  int16_t center = left[WINDOW];
  rows_i16 weights[2], own[2], total = 0;
  for (int i = 0; i < 2; i++) {
    rows_u8 rows = rows_at(left, i, images->stride);
    rows_i16 levels = levels_of(rows, 0);
    rows_i16 like = UNLIKE - __builtin_elementwise_abs(levels - center);
    like = __builtin_elementwise_max(like, (rows_i16)(int16_t)0);
    weights[i] = ((like * like) >> 4) & inside[i];
    own[i] = levels - offset;
    total += weights[i];
  }
  for (int i = 0; i < found->count; i++) {
    int32_t sixteenths = (int32_t)__builtin_elementwise_floor(found->values[i] * 16 + 0.5f);
    int32_t place = 16 * (int32_t)x - sixteenths, column = place >> 4;
    if (column < 0 || column >= images->width) {
      found->costs[i] = INT32_MAX;
      continue;
    }
    int16_t share = (int16_t)(place & 15);
    const uint8_t *right = images->right + y * images->stride + column - WINDOW;
    rows_i16 sum = 0;
    for (int k = 0; k < 2; k++) {
      rows_u8 rows = rows_at(right, k, images->stride);
      rows_i16 level = levels_of(rows, 0) * (int16_t)(16 - share) + levels_of(rows, 1) * share;
      rows_i16 change = __builtin_elementwise_abs(own[k] - ((level + 8) >> 4));
      sum += weights[k] * __builtin_elementwise_min(change, (rows_i16)(int16_t)DIFFERENCE_MOST);
    }
    // At most 49 · 36 · 10, which fits.
    found->costs[i] = __builtin_reduce_add(sum);
  }
  return __builtin_reduce_add(total);
}

// The best of the candidates, and what is left open; −1 where none can be compared.
static inline __attribute__((always_inline)) int best_of(
    const candidates *found, int32_t total, float *open) {
  int best = 0;
  for (int i = 1; i < found->count; i++)
    if (found->costs[i] < found->costs[best]) best = i;
  // 7 of 10: what fits hardly better is no reason to leave what the paths say.
  if ((int64_t)found->costs[best] * 10 >= (int64_t)found->costs[0] * 7) best = 0;
  int32_t rival = INT32_MAX;
  for (int i = 0; i < found->count; i++)
    if (i != best && found->costs[i] < rival) rival = found->costs[i];
  if (found->costs[best] == INT32_MAX) return -1;
  float cost = (float)found->costs[best], ratio = (cost + 1) / ((float)rival + 1);
  *open = PLB_EDGE_OPEN * ratio * ratio + PLB_EDGE_MISFIT * cost / (float)total;
  return best;
}

PLB_CLONES
void plb_stereo_edges(
    plb_stereo_edge_images images, const float *map, const float *sigmas, ptrdiff_t y,
    const float *offsets, float *result, float *result_sigmas) {
  const float *own = map + y * images.width, *own_sigmas = sigmas + y * images.width;
  for (ptrdiff_t x = 0; x < images.width; x++) result[x] = own[x];
  for (ptrdiff_t x = 0; x < images.width; x++) result_sigmas[x] = own_sigmas[x];
  surroundings around;
  for (ptrdiff_t start = 0; start < images.width; start += PIXELS) {
    ptrdiff_t count = start + PIXELS <= images.width ? PIXELS : images.width - start;
    look_around(&images, map, start, y, &around);
    for (int i = 0; i < count; i++) {
      // What is missing has no difference to others.
      if (!around.found[i]) continue;
      ptrdiff_t x = start + i;
      candidates found = {.values = {own[x]}, .count = 1};
      collect(&around, i, images.width, &found);
      int32_t total = compare(&images, x, y, (int16_t)floorf(offsets[x] + 0.5f), &found);
      float open;
      int best = best_of(&found, total, &open);
      if (best < 0) continue;
      result[x] = found.values[best];
      float sigma = own_sigmas[x + found.places[best]];
      result_sigmas[x] = __builtin_elementwise_sqrt(sigma * sigma + open * open);
    }
  }
}
