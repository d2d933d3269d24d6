// Kernels that bring a depth map and mattes to the size of a photo. No kernel allocates, checks
// sizes or keeps state: the Swift caller has done so. Tests hold each to plain Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// The small map with a border of three cells on each side, all of `stride` cells a row; pointers
// are to the first bordered cell.
typedef struct {
  const float *_Nonnull values;    // disparities
  const float *_Nonnull middles;   // halfway between the least and the largest around a cell
  const uint8_t *_Nonnull edges;   // 1 where those are so far apart that there is an edge
  const uint8_t *_Nonnull colors;  // RGB of the photo at each cell
  const uint8_t *_Nullable matte;  // of the subject at each cell
  ptrdiff_t stride;
  float color_sigma;               // codes
} plb_upsampling;

// One row of the photo: `columns[x]` is the bordered cell left of pixel x, `shares[x]` how far it is
// toward the next one; `row` and `share` say the same of the row.
void plb_upsample_row(
    const plb_upsampling *_Nonnull map, int32_t row, float share, const int32_t *_Nonnull columns,
    const float *_Nonnull shares, const uint8_t *_Nonnull color, const uint8_t *_Nullable matte,
    ptrdiff_t count, float *_Nonnull result);

// One row of a matte at another size: bilinear, rounded half up.
void plb_upsample_levels(
    const uint8_t *_Nonnull upper, const uint8_t *_Nonnull lower, float share,
    const int32_t *_Nonnull left, const int32_t *_Nonnull right, const float *_Nonnull shares,
    ptrdiff_t count, uint8_t *_Nonnull result);
