// Kernels that bring a depth map and mattes to the size of a photo. No kernel allocates, checks
// sizes or keeps state: the Swift caller has done so. Tests hold each to plain Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// The small map with a border of one cell on each side, all of `stride` cells a row; pointers are to
// the first bordered cell.
typedef struct {
  const float *_Nonnull values;   // disparities
  const float *_Nonnull near;     // of the surface before the step that is near, or the value
  const float *_Nonnull far;      // of the one behind it, or the value
  const uint8_t *_Nonnull bands;  // 1 near a step
  ptrdiff_t stride;
} plb_upsampling;

// A row of an image that is larger than the map: `columns[x]` is the bordered cell left of pixel x,
// `shares[x]` how far it is toward the next one; `row` and `share` say the same of the row.
typedef struct {
  const int32_t *_Nonnull columns;
  const float *_Nonnull shares;
  ptrdiff_t count;
  int32_t row;
  float share;
} plb_upsampling_row;

// The disparities between the cells of a row, and those of the two surfaces: NaN where no step is near.
void plb_upsample_surfaces(
    const plb_upsampling *_Nonnull map, const plb_upsampling_row *_Nonnull place,
    float *_Nonnull values, float *_Nonnull near, float *_Nonnull far);

// Disparities as linear functions of colors, four floats for each square of `side` pixels.
typedef struct {
  const float *_Nonnull lines;
  const uint8_t *_Nonnull edges;  // 1 where colors show an edge
  int32_t width, height, side;
} plb_upsampling_lines;

// Row `y` of the photo. Near a step, its color's disparity says how much of a pixel the nearer surface
// covers: `coverage` is that share of 255, 1 to 254, and the pixel gets the disparity of the surface that covers
// more of it. Where colors show no edge, the map stays. Elsewhere it is between its cells, and its coverage is that of the matte, or 0. `color` and
// `matte` are at the row's first pixel.
void plb_upsample_row(
    const plb_upsampling *_Nonnull map, const plb_upsampling_row *_Nonnull place,
    const plb_upsampling_lines *_Nonnull lines, int32_t y, const uint8_t *_Nonnull color,
    const uint8_t *_Nullable matte, float *_Nonnull result, uint8_t *_Nonnull coverage);

// One row of a matte at another size: bilinear, rounded half up.
void plb_upsample_levels(
    const uint8_t *_Nonnull upper, const uint8_t *_Nonnull lower, float share,
    const int32_t *_Nonnull left, const int32_t *_Nonnull right, const float *_Nonnull shares,
    ptrdiff_t count, uint8_t *_Nonnull result);
