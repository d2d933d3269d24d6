#include "color_kernels.h"

static inline uint8_t clamped(int32_t value) {
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// In blocks: first what chroma adds, once for two pixels, then the sums, packed. Since luma is a
// whole number of 256ths, (256·y + c) >> 8 is y + (c >> 8) exactly.
PLB_CLONES
void plb_rgb_from_pairs(
    const uint8_t *luma, const uint8_t *blue, const uint8_t *red, ptrdiff_t count,
    const int32_t factors[4], uint8_t *result) {
  enum { pixels_in_block = 256 };
  int16_t r[pixels_in_block], g[pixels_in_block], b[pixels_in_block];
  const int32_t red_from_red = factors[0], green_from_blue = factors[1];
  const int32_t green_from_red = factors[2], blue_from_blue = factors[3];
  for (ptrdiff_t start = 0; start < count; start += pixels_in_block) {
    ptrdiff_t rest = count - start;
    ptrdiff_t n = rest < pixels_in_block ? rest : pixels_in_block;
    const uint8_t *cb = blue + start / 2, *cr = red + start / 2, *y = luma + start;
    uint8_t *rgb = result + 3 * start;
    for (ptrdiff_t i = 0; i < (n + 1) / 2; i++) {
      int32_t u = cb[i] - 128, v = cr[i] - 128;
      r[2 * i] = r[2 * i + 1] = (int16_t)((red_from_red * v + 128) >> 8);
      g[2 * i] = g[2 * i + 1] = (int16_t)((green_from_blue * u + green_from_red * v + 128) >> 8);
      b[2 * i] = b[2 * i + 1] = (int16_t)((blue_from_blue * u + 128) >> 8);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
      rgb[3 * i] = clamped(y[i] + r[i]);
      rgb[3 * i + 1] = clamped(y[i] + g[i]);
      rgb[3 * i + 2] = clamped(y[i] + b[i]);
    }
  }
}
