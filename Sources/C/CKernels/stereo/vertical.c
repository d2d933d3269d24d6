#include "stereo_kernels.h"

// Vectors of any width compile on any CPU; the compiler splits them where registers are shorter.
typedef uint8_t lanes_64 __attribute__((ext_vector_type(64), aligned(1)));
typedef uint8_t lanes_32 __attribute__((ext_vector_type(32), aligned(1)));
typedef uint16_t sums_64 __attribute__((ext_vector_type(64), aligned(2)));
typedef uint16_t sums_32 __attribute__((ext_vector_type(32), aligned(2)));

enum { PATHS = 3 };
// Where the pixel that a path comes from lies: straight, from the left, from the right.
static const int offsets[PATHS] = {0, -1, 1};

// One pixel of a path: the disparities that it comes from and goes to; in each lane the least of the former,
// and that with the large step added; the least of the latter so far.
typedef struct {
  const uint8_t *before;
  uint8_t *after;
  lanes_64 least, limit;
  lanes_32 least_after;
} path_step;

// Macros, since a vector as an argument of a function means another thing to each clone.
#define min(a, b) __builtin_elementwise_min(a, b)
#define add(a, b) __builtin_elementwise_add_sat(a, b)
#define same_64(value) (value)
#define lower_32(value) (value).lo
#define same_32(value) (value)
#define least_32(value) min((value).lo, (value).hi)

// Advances the paths of a pixel at `count` disparities from `k` on:
// costs + min(before, neighbors + small, least + large) − least. Saturation keeps walls walls; no other
// number reaches it, see PLB_COST_MOST. What lies beside the first and the last disparity is another pixel's,
// and is made a wall.
#define DEFINE_ADVANCE(name, lanes, sums_type, count, part, fold)                                       \
  static inline __attribute__((always_inline)) void name(                                          \
      const uint8_t *costs, path_step *steps, const ptrdiff_t paths, const ptrdiff_t k,            \
      const ptrdiff_t all, uint8_t small_step, const uint16_t *sums, uint16_t *result) {           \
    lanes first = (uint8_t)0, last = (uint8_t)0, cost = *(const lanes *)(costs + k);               \
    first[0] = k == 0 ? 255 : 0;                                                                   \
    last[count - 1] = k + count == all ? 255 : 0;                                                  \
    sums_type sum = (uint16_t)0;                                                                   \
    for (int i = 0; i < paths; i++) {                                                              \
      const uint8_t *before = steps[i].before + k;                                                 \
      lanes below = *(const lanes *)(before - 1) | first;                                          \
      lanes above = *(const lanes *)(before + 1) | last;                                           \
      lanes stay = min(*(const lanes *)before, part(steps[i].limit));                              \
      lanes change = add(min(below, above), (lanes)small_step);                                    \
      lanes value = add(cost, min(stay, change) - part(steps[i].least));                           \
      *(lanes *)(steps[i].after + k) = value;                                                      \
      steps[i].least_after = min(steps[i].least_after, fold(value));                               \
      sum += __builtin_convertvector(value, sums_type);                                            \
    }                                                                                              \
    if (sums) *(sums_type *)(result + k) = sum + *(const sums_type *)(sums + k);                   \
  }
DEFINE_ADVANCE(advance_64, lanes_64, sums_64, 64, same_64, least_32)
DEFINE_ADVANCE(advance_32, lanes_32, sums_32, 32, lower_32, same_32)

static inline uint8_t distance(uint8_t a, uint8_t b) { return (uint8_t)(a > b ? a - b : b - a); }

// The least of each pixel that a path comes from, and the large step from there.
static inline __attribute__((always_inline)) void limit(
    const uint8_t *gray, const uint8_t *gray_before, ptrdiff_t width, ptrdiff_t paths,
    const uint8_t *large_steps, const uint8_t *least_before, uint8_t *limits) {
  for (int i = 0; i < paths; i++) {
    uint8_t *restrict result = limits + i * width;
    const uint8_t *least = least_before + i * (width + 2) + 1 + offsets[i];
    ptrdiff_t first = offsets[i] < 0 ? 1 : 0, end = offsets[i] > 0 ? width - 1 : width;
    for (ptrdiff_t x = first; x < end; x++)
      result[x] = distance(gray[x], gray_before[x + offsets[i]]);
    // Outside there is nothing to come from; any step does.
    if (first > 0) result[0] = 0;
    if (end < width) result[end] = 0;
    for (ptrdiff_t x = 0; x < width; x++) result[x] = (uint8_t)(least[x] + large_steps[result[x]]);
  }
}

static inline __attribute__((always_inline)) void vertical(
    const uint8_t *costs, const uint8_t *limits, ptrdiff_t width, const ptrdiff_t lanes,
    const ptrdiff_t paths, uint8_t small_step, const uint8_t *before, const uint8_t *least_before,
    uint8_t *after, uint8_t *least_after, const uint16_t *sums, uint16_t *result) {
  ptrdiff_t row = (width + 2) * lanes;
  for (ptrdiff_t x = 0; x < width; x++) {
    path_step steps[PATHS];
    // Hides that it stays the same: else every pointer of every path is kept and moved by itself.
    __asm__("" : "+r"(row));
    for (int i = 0; i < paths; i++) {
      ptrdiff_t source = x + 1 + offsets[i];
      steps[i].before = before + i * row + source * lanes;
      steps[i].least = (lanes_64)least_before[i * (width + 2) + source];
      steps[i].limit = (lanes_64)limits[i * width + x];
      steps[i].after = after + i * row + (x + 1) * lanes;
      steps[i].least_after = (uint8_t)255;
    }
    const uint8_t *here = costs + x * lanes;
    const uint16_t *from = sums ? sums + x * lanes : 0;
    uint16_t *to = sums ? result + x * lanes : 0;
    ptrdiff_t k = 0;
    for (; k + 64 <= lanes; k += 64)
      advance_64(here, steps, paths, k, lanes, small_step, from, to);
    if (k < lanes) advance_32(here, steps, paths, k, lanes, small_step, from, to);
    for (int i = 0; i < paths; i++)
      least_after[i * (width + 2) + x + 1] = __builtin_reduce_min(steps[i].least_after);
  }
}

PLB_CLONES
void plb_stereo_vertical(
    const uint8_t *costs, const uint8_t *gray, const uint8_t *gray_before, ptrdiff_t width,
    ptrdiff_t lanes, ptrdiff_t paths, uint8_t small_step, const uint8_t *large_steps,
    const uint8_t *before, const uint8_t *least_before, uint8_t *after, uint8_t *least_after,
    uint8_t *limits, const uint16_t *sums, uint16_t *result) {
  limit(gray, gray_before, width, paths, large_steps, least_before, limits);
#define with(lanes, paths)                                                                         \
  vertical(                                                                                        \
      costs, limits, width, lanes, paths, small_step, before, least_before, after, least_after,    \
      sums, result)
  // Numbers of vectors that are known are no loops.
#define with_paths(lanes)         \
  if (paths == 1) with(lanes, 1); \
  else with(lanes, PATHS)
  switch (lanes) {
  case 32: with_paths(32); break;
  case 64: with_paths(64); break;
  case 96: with_paths(96); break;
  case 128: with_paths(128); break;
  default: with_paths(lanes);
  }
#undef with_paths
#undef with
}
