#include "CDepthCodecKernels.h"

void plb_depth_codec_row_difference16(
    const uint16_t *row, const uint16_t *above, ptrdiff_t count, uint16_t *difference) {
  for (ptrdiff_t i = 0; i < count; i++) difference[i] = (uint16_t)(row[i] - above[i]);
}
