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
typedef uint8_t levels_u8 __attribute__((ext_vector_type(8), aligned(1)));
typedef int16_t pair_i16 __attribute__((ext_vector_type(16), aligned(2)));
typedef float ways_f32 __attribute__((ext_vector_type(8), aligned(4)));
typedef int32_t ways_i32 __attribute__((ext_vector_type(8), aligned(4)));
typedef int32_t pair_i32 __attribute__((ext_vector_type(16), aligned(4)));

// The disparities that are compared at one pixel: its own first.
typedef struct {
  float values[PLB_EDGE_CANDIDATES], sigmas[PLB_EDGE_CANDIDATES];
  int32_t costs[PLB_EDGE_CANDIDATES];
  int count;
} candidates;

PLB_CLONES
void plb_stereo_extent(
    const float *map, ptrdiff_t width, ptrdiff_t height, ptrdiff_t y, float *room, float *span) {
  float *low = room + REACH, *high = low + width + 2 * REACH;
  ptrdiff_t first = y > REACH ? y - REACH : 0, last = y + REACH < height ? y + REACH : height - 1;
  for (ptrdiff_t x = -REACH; x < width + REACH; x++) low[x] = INFINITY;
  for (ptrdiff_t x = -REACH; x < width + REACH; x++) high[x] = -INFINITY;
  for (ptrdiff_t v = first; v <= last; v++) {
    const float *row = map + v * width;
    // What is missing fails both comparisons.
    for (ptrdiff_t x = 0; x < width; x++) low[x] = row[x] < low[x] ? row[x] : low[x];
    for (ptrdiff_t x = 0; x < width; x++) high[x] = row[x] > high[x] ? row[x] : high[x];
  }
  for (ptrdiff_t x = 0; x < width; x++) {
    float lowest = low[x - REACH], highest = high[x - REACH];
    for (ptrdiff_t u = 1 - REACH; u <= REACH; u++) {
      lowest = low[x + u] < lowest ? low[x + u] : lowest;
      highest = high[x + u] > highest ? high[x + u] : highest;
    }
    span[x] = highest - lowest;
  }
}

// For each of the eight directions the disparity and σ of another surface nearby, from as far away as it
// reaches: there it was found with less of the surface on this side of the edge. NaN where there is none.
static inline __attribute__((always_inline)) void look_around(
    const plb_stereo_edge_images *images, const float *map, const float *sigmas, ptrdiff_t x,
    ptrdiff_t y, float *values, float *found_sigmas) {
  static const int8_t across[DIRECTIONS] = {1, -1, 0, 0, 1, 1, -1, -1};
  static const int8_t along[DIRECTIONS] = {0, 0, 1, -1, 1, -1, 1, -1};
  const ptrdiff_t width = images->width, height = images->height, here = y * width + x;
  float own = map[here];
  bool is_inside = x >= REACH && y >= REACH && x + REACH < width && y + REACH < height;
  ways_f32 value = NAN;
  ways_i32 reach = 0, open = -1;
  for (int step = 2; step <= REACH; step += 2) {
    ways_f32 there;
    for (int k = 0; k < DIRECTIONS; k++) {
      ptrdiff_t u = x + across[k] * step, v = y + along[k] * step;
      // Outside there is nothing, nor farther away.
      there[k] = is_inside || (u >= 0 && v >= 0 && u < width && v < height) ? map[v * width + u]
                                                                            : NAN;
    }
    ways_i32 is_other = __builtin_elementwise_abs(there - own) > PLB_EDGE_JUMP;
    ways_i32 is_third =
        (value == value) & ~(__builtin_elementwise_abs(there - value) <= PLB_EDGE_JUMP);
    ways_i32 taken = open & is_other & ~is_third;
    open &= ~(is_other & is_third);
    value = taken ? there : value;
    reach = taken ? (ways_i32)step : reach;
  }
  *(ways_f32 *)values = value;
  for (int k = 0; k < DIRECTIONS; k++)
    found_sigmas[k] = sigmas[here + (along[k] * width + across[k]) * reach[k]];
}

// Adds the disparities of other surfaces nearby, each but once.
static inline __attribute__((always_inline)) void collect(
    const plb_stereo_edge_images *images, const float *map, const float *sigmas, ptrdiff_t x,
    ptrdiff_t y, candidates *found) {
  float values[DIRECTIONS], around[DIRECTIONS];
  look_around(images, map, sigmas, x, y, values, around);
  found->values[0] = map[y * images->width + x];
  found->sigmas[0] = sigmas[y * images->width + x];
  found->count = 1;
  for (int k = 0; k < DIRECTIONS && found->count < PLB_EDGE_CANDIDATES; k++) {
    if (values[k] != values[k]) continue;
    bool is_known = false;
    for (int i = 1; i < found->count; i++)
      is_known |= fabsf(found->values[i] - values[k]) <= PLB_EDGE_JUMP / 2;
    if (is_known) continue;
    found->values[found->count] = values[k];
    found->sigmas[found->count] = around[k];
    found->count++;
  }
}

// Two rows of a window at once; the seventh stands alone, with an eighth that weighs nothing.
enum { ROW_PAIRS = WINDOW + 1 };
#define pair_of(first, second)                                                         \
  __builtin_convertvector(                                                             \
      __builtin_shufflevector(                                                         \
          *(const levels_u8 *)(first), *(const levels_u8 *)(second), 0, 1, 2, 3, 4, 5, \
          6, 7, 8, 9, 10, 11, 12, 13, 14, 15),                                         \
      pair_i16)
#define rows_at(from, pair, stride)                                                  \
  pair_of(                                                                           \
      (from) + (2 * (pair) - WINDOW) * (stride),                                     \
      (from) + (2 * (pair) - WINDOW + ((pair) < ROW_PAIRS - 1 ? 1 : 0)) * (stride))

// Sums the weighted differences of a window for each candidate; returns the sum of the weights.
static inline __attribute__((always_inline)) int32_t compare(
    const plb_stereo_edge_images *images, ptrdiff_t x, ptrdiff_t y, int16_t offset,
    candidates *found) {
  const pair_i16 inside = {-1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, 0};
  const pair_i16 first = {-1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, least = 0;
  const uint8_t *left = images->left + y * images->stride + x - WINDOW;
  int16_t center = left[WINDOW];
  pair_i16 weights[ROW_PAIRS], own[ROW_PAIRS], total = 0;
  for (int i = 0; i < ROW_PAIRS; i++) {
    pair_i16 levels = rows_at(left, i, images->stride);
    pair_i16 like = UNLIKE - __builtin_elementwise_abs(levels - center);
    like = __builtin_elementwise_max(like, least);
    weights[i] = ((like * like) >> 4) & (i < ROW_PAIRS - 1 ? inside : first);
    own[i] = levels - offset;
    total += weights[i];
  }
  for (int i = 0; i < found->count; i++) {
    int32_t sixteenths = (int32_t)floorf(found->values[i] * 16 + 0.5f);
    int32_t place = 16 * (int32_t)x - sixteenths, column = place >> 4;
    if (column < 0 || column >= images->width) {
      found->costs[i] = INT32_MAX;
      continue;
    }
    int16_t share = (int16_t)(place & 15);
    const uint8_t *right = images->right + y * images->stride + column - WINDOW;
    pair_i16 sum = 0;
    for (int k = 0; k < ROW_PAIRS; k++) {
      pair_i16 level = rows_at(right, k, images->stride) * (int16_t)(16 - share)
                       + rows_at(right + 1, k, images->stride) * share;
      pair_i16 change = __builtin_elementwise_abs(own[k] - ((level + 8) >> 4));
      sum += weights[k] * __builtin_elementwise_min(change, (pair_i16)(int16_t)DIFFERENCE_MOST);
    }
    found->costs[i] = __builtin_reduce_add(__builtin_convertvector(sum, pair_i32));
  }
  return __builtin_reduce_add(__builtin_convertvector(total, pair_i32));
}

PLB_CLONES
void plb_stereo_edges(
    plb_stereo_edge_images images, const float *map, const float *sigmas, ptrdiff_t y,
    const float *span, const float *offsets, float *result, float *result_sigmas) {
  for (ptrdiff_t x = 0; x < images.width; x++) {
    float own = map[y * images.width + x];
    result[x] = own;
    result_sigmas[x] = sigmas[y * images.width + x];
    if (own != own || !(span[x] > PLB_EDGE_JUMP)) continue;
    candidates found;
    collect(&images, map, sigmas, x, y, &found);
    if (found.count == 1) continue;
    int32_t total = compare(&images, x, y, (int16_t)floorf(offsets[x] + 0.5f), &found);
    int best = 0;
    for (int i = 1; i < found.count; i++)
      if (found.costs[i] < found.costs[best]) best = i;
    // 7 of 10: what fits hardly better is no reason to leave what the paths say.
    if ((int64_t)found.costs[best] * 10 >= (int64_t)found.costs[0] * 7) best = 0;
    int32_t rival = INT32_MAX;
    for (int i = 0; i < found.count; i++)
      if (i != best && found.costs[i] < rival) rival = found.costs[i];
    if (found.costs[best] == INT32_MAX) continue;
    float cost = (float)found.costs[best], ratio = (cost + 1) / ((float)rival + 1);
    float open = PLB_EDGE_OPEN * ratio * ratio + PLB_EDGE_MISFIT * cost / (float)total;
    result[x] = found.values[best];
    result_sigmas[x] =
        __builtin_elementwise_sqrt(found.sigmas[best] * found.sigmas[best] + open * open);
  }
}
