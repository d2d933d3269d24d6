#include "stereo_kernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { LANES = 32, NONE = 65535, BLOCK = 64 };
typedef uint16_t lanes_u16 __attribute__((ext_vector_type(LANES), aligned(2)));
typedef bool lanes_mask __attribute__((ext_vector_type(LANES)));

#define load(from) (*(const lanes_u16 *)(from))
#define bits_of(comparison) \
  __builtin_bit_cast(uint32_t, __builtin_convertvector(comparison, lanes_mask))

static inline __attribute__((always_inline)) void choose(
    const uint16_t *curve, ptrdiff_t x, ptrdiff_t count, const ptrdiff_t lanes, float rival_scale,
    plb_stereo_choices choices) {
  lanes_u16 least = load(curve);
  for (ptrdiff_t k = LANES; k < lanes; k += LANES)
    least = __builtin_elementwise_min(least, load(curve + k));
  uint16_t best_sum = __builtin_reduce_min(least);
  // Whole numbers below this are rivals; with a scale of 1 there are none.
  float limit = __builtin_elementwise_ceil((float)best_sum * rival_scale);
  uint16_t below = limit < NONE ? (uint16_t)limit : NONE;
  // Nothing here depends on where the best lies but by numbers: branches would be guessed wrongly.
  ptrdiff_t last = lanes - LANES, best = 0;
  int lesser = 0;
  for (ptrdiff_t k = last; k >= 0; k -= LANES) {
    uint32_t where = bits_of(load(curve + k) == best_sum), rivals = bits_of(load(curve + k) < below);
    best = where ? k + __builtin_ctz(where) : best;
    // What only fills the last vector is none.
    if (k == last) rivals &= ~0u >> (lanes - count);
    lesser += __builtin_popcount(rivals);
  }
  uint16_t down = best > 0 ? curve[best - 1] : NONE;
  uint16_t up = best + 1 < count ? curve[best + 1] : NONE;
  choices.best[x] = (uint16_t)best;
  choices.least[x] = best_sum;
  choices.down[x] = down;
  choices.up[x] = up;
  // The best and those next to it are none either.
  choices.has_rival[x] = lesser > (best_sum < below) + (down < below) + (up < below);
}

PLB_CLONES
void plb_stereo_choose(
    const uint16_t *sums, ptrdiff_t width, ptrdiff_t count, ptrdiff_t lanes, float rival_scale,
    plb_stereo_choices choices) {
#define with(lanes)                     \
  for (ptrdiff_t x = 0; x < width; x++) \
  choose(sums + x * (lanes), x, count, lanes, rival_scale, choices)
  // Numbers of vectors that are known are no loops.
  if (lanes == LANES) with(LANES);
  else if (lanes == 2 * LANES) with(2 * LANES);
  else with(lanes);
#undef with
}

// As many pixels are compared before what is known of the right ones is read and written, since each of
// those reads waits for the write before it.
enum { TOGETHER = 8 };

// Compares the sums of pixels that follow one another with what is known of the right pixels from `k` on,
// where those of the last pixel begin at 0, and those of each pixel before it one later.
static inline __attribute__((always_inline)) void compare(
    const uint16_t *sums, ptrdiff_t lanes, ptrdiff_t k, const int pixels, const bool is_first,
    const bool is_beyond, uint16_t *least, uint16_t *best) {
  lanes_u16 ramp;
  for (int i = 0; i < LANES; i++) ramp[i] = (uint16_t)i;
  lanes_u16 sum = load(least + k), index = load(best + k);
  for (int i = 0; i < pixels - is_beyond; i++) {
    ptrdiff_t later = pixels - 1 - i;
    lanes_u16 here = load(sums + i * lanes + k - later), own = ramp + (uint16_t)(k - later);
    // Before and beyond a pixel's sums are those of others.
    if (is_first) here |= (lanes_u16)(ramp < (uint16_t)later);
    if (is_beyond) here |= (lanes_u16)(ramp >= (uint16_t)later);
    lanes_u16 is_less = (lanes_u16)(here < sum);
    sum = __builtin_elementwise_min(here, sum);
    index = (is_less & own) | (~is_less & index);
  }
  *(lanes_u16 *)(least + k) = sum;
  *(lanes_u16 *)(best + k) = index;
}

PLB_CLONES
void plb_stereo_choose_right(
    const uint16_t *sums, ptrdiff_t width, ptrdiff_t lanes, uint16_t *least, uint16_t *best) {
  for (ptrdiff_t i = 0; i < width + lanes + LANES; i++) least[i] = NONE;
  for (ptrdiff_t i = 0; i < width + lanes + LANES; i++) best[i] = NONE;
  // What fits x at the first disparity, then those farther left: backwards, they lie in a row. Nothing lies
  // before the first pixel's sums, so that it is compared alone.
  for (ptrdiff_t x = 0; x < width;) {
    bool is_one = x == 0 || x + TOGETHER > width;
    const uint16_t *here = sums + x * lanes;
    ptrdiff_t place = width - x - (is_one ? 1 : TOGETHER);
    if (is_one) {
      for (ptrdiff_t k = 0; k < lanes; k += LANES)
        compare(here, lanes, k, 1, false, false, least + place, best + place);
    } else {
      compare(here, lanes, 0, TOGETHER, true, false, least + place, best + place);
      for (ptrdiff_t k = LANES; k < lanes; k += LANES)
        compare(here, lanes, k, TOGETHER, false, false, least + place, best + place);
      compare(here, lanes, lanes, TOGETHER, false, true, least + place, best + place);
    }
    x += is_one ? 1 : TOGETHER;
  }
}

PLB_CLONES
void plb_stereo_place(
    plb_stereo_choices choices, ptrdiff_t width, int32_t first, int32_t count, float floor,
    float most, float steps, float *disparity, float *ratio, float *frontal) {
  for (ptrdiff_t x = 0; x < width; x++) {
    int32_t least = choices.least[x], down = choices.down[x], up = choices.up[x];
    int32_t at_end = (down == NONE) | (up == NONE);
    int32_t before = (down == NONE ? least : down) - least;
    int32_t after = (up == NONE ? least : up) - least;
    int32_t rise = before > after ? before : after, lesser = before > after ? after : before;
    float steep = (float)(rise > 0 ? rise : 1), lean = (float)lesser / steep;
    float size = 0.5f - 0.425f * lean - 0.075f * lean * lean;
    float flat = ((float)least + floor) / steep;
    // Both neighbors pay for steps along the paths, less where noise ends them; then what is left is
    // taken as for a parabola and a V, three to two.
    float paid = steps / (1 + flat);
    paid = paid < 0.6f * steep ? paid : 0.6f * steep;
    float left = (float)lesser > paid ? (float)lesser - paid : 0, own = left / (steep - paid);
    float facing = (1 - own) * (0.2f + 0.3f / (1 + own));
    float offset = before > after ? size : -size, change = facing - size;
    int32_t unknown = at_end | (rise == 0);
    offset = unknown ? 0.0f : offset;
    frontal[x] = unknown ? 0.0f : before > after ? change : -change;
    int32_t whole = first + choices.best[x], match = (int32_t)x - whole;
    int32_t inside = (match >= 0) & (match < (int32_t)width);
    int32_t ambiguous = (count > 1) & (choices.has_rival[x] | (rise == 0));
    choices.state[x] = !inside ? PLB_UNCOVERED : ambiguous ? PLB_AMBIGUOUS : PLB_ACCEPTED;
    disparity[x] = (float)whole + offset;
    ratio[x] = rise > 0 && flat < most ? flat : most;
  }
}

// Whether the match of a pixel prefers the disparity `index`, too far from `whole`: 1 or 0.
static inline int32_t objects(
    int32_t x, int32_t width, int32_t first, int32_t count, int32_t tolerance, int32_t whole,
    int32_t index) {
  int32_t match = x - whole, difference = first + index - whole;
  difference = difference < 0 ? -difference : difference;
  // Beyond the last disparity is what nothing fits.
  return (match >= 0) & (match < width) & (index < count) & (difference > tolerance);
}

// Refuses those of up to BLOCK pixels from `x` on for which matches object to both whole disparities around.
static inline __attribute__((always_inline)) void ask(
    uint8_t *restrict states, const float *disparity, ptrdiff_t x, ptrdiff_t pixels, int32_t width,
    int32_t first, int32_t count, int32_t tolerance, const uint16_t *right) {
  int32_t lows[BLOCK], steps[BLOCK], indices[2][BLOCK];
  for (ptrdiff_t i = 0; i < pixels; i++) {
    float below = __builtin_elementwise_floor(disparity[x + i]);
    lows[i] = (int32_t)below;
    steps[i] = below < disparity[x + i];
  }
  for (ptrdiff_t i = 0; i < pixels; i++) {
    const uint16_t *place = right + width - 1 - x - i + lows[i] - first;
    indices[0][i] = place[0];
    indices[1][i] = place[steps[i]];
  }
  for (ptrdiff_t i = 0; i < pixels; i++) {
    int32_t here = (int32_t)(x + i), low = lows[i], high = low + steps[i];
    int32_t objections = objects(here, width, first, count, tolerance, low, indices[0][i]) +
                         objects(here, width, first, count, tolerance, high, indices[1][i]);
    int32_t refused = (states[i] == PLB_ACCEPTED) & (objections == 2);
    states[i] = refused ? PLB_INCONSISTENT : states[i];
  }
}

PLB_CLONES
void plb_stereo_check(
    plb_stereo_choices choices, ptrdiff_t width, int32_t first, int32_t count, int32_t tolerance,
    const uint16_t *right, float *disparity) {
  for (ptrdiff_t x = 0; right && x < width; x += BLOCK) {
    ptrdiff_t pixels = width - x < BLOCK ? width - x : BLOCK;
    ask(choices.state + x, disparity, x, pixels, (int32_t)width, first, count, tolerance, right);
  }
  for (ptrdiff_t x = 0; x < width; x++)
    disparity[x] = choices.state[x] == PLB_ACCEPTED ? disparity[x] : NAN;
}

PLB_CLONES
void plb_stereo_count(const uint8_t *state, ptrdiff_t width, int32_t *counts) {
  int32_t uncovered = 0, ambiguous = 0, inconsistent = 0;
  for (ptrdiff_t x = 0; x < width; x++) uncovered += state[x] == PLB_UNCOVERED;
  for (ptrdiff_t x = 0; x < width; x++) ambiguous += state[x] == PLB_AMBIGUOUS;
  for (ptrdiff_t x = 0; x < width; x++) inconsistent += state[x] == PLB_INCONSISTENT;
  counts[PLB_ACCEPTED] = (int32_t)width - uncovered - ambiguous - inconsistent;
  counts[PLB_UNCOVERED] = uncovered;
  counts[PLB_AMBIGUOUS] = ambiguous;
  counts[PLB_INCONSISTENT] = inconsistent;
}
