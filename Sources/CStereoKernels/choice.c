#include "CStereoKernels.h"

typedef uint16_t lanes_u16 __attribute__((ext_vector_type(32), aligned(2)));

#define load(from) (*(const lanes_u16 *)(from))

PLB_STEREO_CLONES
void plb_stereo_choose(
    const uint16_t *sums, ptrdiff_t width, ptrdiff_t count, ptrdiff_t lanes,
    plb_stereo_choice *choices) {
  lanes_u16 ramp, none = (lanes_u16)(uint16_t)65535;
  for (int i = 0; i < 32; i++) ramp[i] = (uint16_t)i;
  for (ptrdiff_t x = 0; x < width; x++) {
    const uint16_t *curve = sums + x * lanes;
    lanes_u16 least = none;
    for (ptrdiff_t k = 0; k < lanes; k += 32) {
      least = __builtin_elementwise_min(least, load(curve + k));
    }
    uint16_t best_sum = __builtin_reduce_min(least);
    lanes_u16 first = none;
    for (ptrdiff_t k = 0; k < lanes; k += 32) {
      lanes_u16 index = ramp + (uint16_t)k;
      first = __builtin_elementwise_min(
          first, load(curve + k) == best_sum ? index : none);
    }
    uint16_t best = __builtin_reduce_min(first);
    lanes_u16 second = none;
    for (ptrdiff_t k = 0; k < lanes; k += 32) {
      lanes_u16 index = ramp + (uint16_t)k, distance = index - best + (uint16_t)1;
      second = __builtin_elementwise_min(
          second, distance > (uint16_t)2 ? load(curve + k) : none);
    }
    choices[x] = (plb_stereo_choice){
        .best = best,
        .least = best_sum,
        .second = count > 3 || (count == 3 && best != 1) ? __builtin_reduce_min(second) : 65535,
        .down = best > 0 ? curve[best - 1] : 65535,
        .up = best + 1 < count ? curve[best + 1] : 65535,
    };
  }
}
