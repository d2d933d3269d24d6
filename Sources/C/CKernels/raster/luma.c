#include "raster_kernels.h"

PLB_CLONES
void plb_luma(const uint8_t *source, ptrdiff_t count, uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint32_t red = source[3 * i], green = source[3 * i + 1], blue = source[3 * i + 2];
    result[i] = (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
  }
}
