#include "stereo_kernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { LANES = 32, NONE = 65535 };
typedef uint16_t lanes_u16 __attribute__((ext_vector_type(LANES), aligned(2)));
typedef bool lanes_mask __attribute__((ext_vector_type(LANES)));

#define load(from) (*(const lanes_u16 *)(from))
#define bits_of(comparison) \
  __builtin_bit_cast(uint32_t, __builtin_convertvector(comparison, lanes_mask))

PLB_CLONES
void plb_stereo_choose(
    const uint16_t *sums, ptrdiff_t width, ptrdiff_t count, ptrdiff_t lanes, float rival_scale,
    plb_stereo_choices choices) {
  for (ptrdiff_t x = 0; x < width; x++) {
    const uint16_t *curve = sums + x * lanes;
    lanes_u16 least = load(curve);
    for (ptrdiff_t k = LANES; k < lanes; k += LANES) {
      least = __builtin_elementwise_min(least, load(curve + k));
    }
    uint16_t best_sum = __builtin_reduce_min(least);
    ptrdiff_t start = 0;
    uint32_t where = bits_of(load(curve) == best_sum);
    while (!where) {
      start += LANES;
      where = bits_of(load(curve + start) == best_sum);
    }
    ptrdiff_t best = start + __builtin_ctz(where);
    // Whole numbers below this are rivals; with a scale of 1 there are none.
    float limit = ceilf((float)best_sum * rival_scale);
    uint16_t below = limit < NONE ? (uint16_t)limit : NONE;
    uint32_t rivals = 0;
    for (ptrdiff_t k = 0; k < lanes; k += LANES) {
      uint32_t here = bits_of(load(curve + k) < below);
      // The best and those next to it are none; what lies left of them, then right of them.
      ptrdiff_t before = best - 1 - k, after = best + 2 - k;
      uint32_t mask = before <= 0 ? 0 : before >= LANES ? ~0u : (1u << before) - 1;
      mask |= after >= LANES ? 0 : after <= 0 ? ~0u : ~0u << after;
      ptrdiff_t end = count - k;
      if (end < LANES) mask &= (1u << end) - 1;
      rivals |= here & mask;
    }
    choices.best[x] = (uint16_t)best;
    choices.least[x] = best_sum;
    choices.down[x] = best > 0 ? curve[best - 1] : NONE;
    choices.up[x] = best + 1 < count ? curve[best + 1] : NONE;
    choices.has_rival[x] = rivals != 0;
  }
}

PLB_CLONES
void plb_stereo_choose_right(
    const uint16_t *sums, ptrdiff_t width, ptrdiff_t lanes, uint16_t *least, uint16_t *best) {
  lanes_u16 ramp;
  for (int i = 0; i < LANES; i++) ramp[i] = (uint16_t)i;
  for (ptrdiff_t i = 0; i < width + lanes; i++) least[i] = NONE;
  for (ptrdiff_t i = 0; i < width + lanes; i++) best[i] = NONE;
  for (ptrdiff_t x = 0; x < width; x++) {
    // What fits x at the first disparity, then those farther left: backwards, they lie in a row.
    uint16_t *sum_of = least + width - 1 - x, *index_of = best + width - 1 - x;
    for (ptrdiff_t k = 0; k < lanes; k += LANES) {
      lanes_u16 here = load(sums + x * lanes + k), before = load(sum_of + k);
      lanes_u16 is_less = (lanes_u16)(here < before), index = ramp + (uint16_t)k;
      *(lanes_u16 *)(sum_of + k) = __builtin_elementwise_min(here, before);
      *(lanes_u16 *)(index_of + k) = (is_less & index) | (~is_less & load(index_of + k));
    }
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

void plb_stereo_check(
    plb_stereo_choices choices, ptrdiff_t width, int32_t first, int32_t count, int32_t tolerance,
    const uint16_t *right, float *disparity) {
  for (ptrdiff_t x = 0; x < width; x++) {
    if (choices.state[x] == PLB_ACCEPTED && right) {
      float below = floorf(disparity[x]);
      int32_t low = (int32_t)below, high = below < disparity[x] ? low + 1 : low, objections = 0;
      for (int i = 0; i < 2; i++) {
        int32_t whole = i == 0 ? low : high, match = (int32_t)x - whole;
        if (match < 0 || match >= width) continue;
        int32_t index = right[width - 1 - first - match], difference = first + index - whole;
        // Beyond the last disparity is what nothing fits.
        if (index >= count) continue;
        objections += (difference < 0 ? -difference : difference) > tolerance;
      }
      if (objections == 2) choices.state[x] = PLB_INCONSISTENT;
    }
    if (choices.state[x] != PLB_ACCEPTED) disparity[x] = NAN;
  }
}
