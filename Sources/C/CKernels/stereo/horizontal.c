#include "stereo_kernels.h"

enum { LANES = 32 };
typedef uint8_t lanes_u8 __attribute__((ext_vector_type(LANES), aligned(1)));
typedef uint16_t lanes_u16 __attribute__((ext_vector_type(LANES), aligned(2)));

// Macros, since a vector as an argument of a function means another thing to each clone.
#define load(from) (*(const lanes_u8 *)(from))
#define store(to, value) (*(lanes_u8 *)(to) = (value))
#define load_sums(from) (*(const lanes_u16 *)(from))
#define store_sums(to, value) (*(lanes_u16 *)(to) = (value))
#define widened(value) __builtin_convertvector(value, lanes_u16)
#define least_of(value) __builtin_reduce_min(value)
#define all(value) ((lanes_u8)(uint8_t)(value))
// costs + min(before, neighbors + small, least + large) − least. Saturation keeps walls walls; no
// other number reaches it, see PLB_COST_MOST.
#define step(costs, before, least, small, large)                                       \
  __builtin_elementwise_add_sat(                                                       \
      costs, __builtin_elementwise_min(                                                \
                 __builtin_elementwise_min(load(before), all((least) + (large))),      \
                 __builtin_elementwise_add_sat(                                        \
                     __builtin_elementwise_min(load((before) - 1), load((before) + 1)), \
                     all(small)))                                                      \
                 - all(least))

static inline uint8_t distance(uint8_t a, uint8_t b) { return (uint8_t)(a > b ? a - b : b - a); }

PLB_CLONES
void plb_stereo_horizontal(
    const uint8_t *costs, const uint8_t *gray, ptrdiff_t width, ptrdiff_t lanes, uint8_t small_step,
    const uint8_t *large_steps, uint8_t *blocks, uint16_t *result) {
  ptrdiff_t block = lanes + PLB_DISPARITY_LANES;
  for (ptrdiff_t i = 0; i < 4; i++)
    for (ptrdiff_t k = 0; k < lanes; k++) blocks[i * block + PLB_DISPARITY_LANES + k] = 0;
  uint8_t *right_before = blocks + PLB_DISPARITY_LANES, *right_after = right_before + block;
  uint8_t *left_before = right_after + block, *left_after = left_before + block;
  uint8_t least_right = 0, least_left = 0;
  // Both directions in one loop: each waits for its own last step, not for the other's.
  for (ptrdiff_t i = 0; i < width; i++) {
    ptrdiff_t x = i, z = width - 1 - i;
    uint8_t large_right = large_steps[i > 0 ? distance(gray[x], gray[x - 1]) : 0];
    uint8_t large_left = large_steps[i > 0 ? distance(gray[z], gray[z + 1]) : 0];
    lanes_u8 right = all(255), left = right;
    uint16_t *here = result + x * lanes, *there = result + z * lanes;
    for (ptrdiff_t k = 0; k < lanes; k += LANES) {
      lanes_u8 value =
          step(load(costs + x * lanes + k), right_before + k, least_right, small_step, large_right);
      store(right_after + k, value);
      right = __builtin_elementwise_min(right, value);
      lanes_u8 other =
          step(load(costs + z * lanes + k), left_before + k, least_left, small_step, large_left);
      store(left_after + k, other);
      left = __builtin_elementwise_min(left, other);
      // The first of both to come to a pixel sets its sum, the second adds to it.
      if (x < z) {
        store_sums(here + k, widened(value));
        store_sums(there + k, widened(other));
      } else if (x == z) {
        store_sums(here + k, widened(value) + widened(other));
      } else {
        store_sums(here + k, load_sums(here + k) + widened(value));
        store_sums(there + k, load_sums(there + k) + widened(other));
      }
    }
    least_right = least_of(right);
    least_left = least_of(left);
    uint8_t *swap = right_before;
    right_before = right_after;
    right_after = swap;
    swap = left_before;
    left_before = left_after;
    left_after = swap;
  }
}
