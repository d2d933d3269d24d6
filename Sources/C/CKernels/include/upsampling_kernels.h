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

// How much of each pixel of a row the nearer surface covers by the map alone, 0 to 1, and in `unknown` 1 where
// a step is near. Elsewhere the pixel is wholly on the surface whose disparity is more alike.
void plb_upsample_shares(
    const plb_upsampling *_Nonnull map, const plb_upsampling_row *_Nonnull place,
    float *_Nonnull shares, uint8_t *_Nonnull unknown);

// Coverage as a linear function of light, four floats for each square of `side` pixels.
typedef struct {
  const float *_Nonnull lines;
  const uint16_t *_Nonnull light;  // of each code
  const uint8_t *_Nonnull edges;  // 1 where colors show an edge
  int32_t width, height, side;
} plb_upsampling_lines;

// Row `y` of the photo. Near a step its color says how much of a pixel the nearer surface covers: `coverage`
// is that share of 255, 1 to 254, and the pixel gets the disparity of the surface that covers more of it.
// Where colors show no edge, the map stays. Elsewhere the disparity is that between the cells, and the
// coverage is that of the matte, or 0. `color` and `matte` are at the row's first pixel.
void plb_upsample_row(
    const plb_upsampling *_Nonnull map, const plb_upsampling_row *_Nonnull place,
    const plb_upsampling_lines *_Nonnull lines, int32_t y, const uint8_t *_Nonnull color,
    const uint8_t *_Nullable matte, float *_Nonnull result, uint8_t *_Nonnull coverage);

// One row of a matte at another size: bilinear, rounded half up.
void plb_upsample_levels(
    const uint8_t *_Nonnull upper, const uint8_t *_Nonnull lower, float share,
    const int32_t *_Nonnull left, const int32_t *_Nonnull right, const float *_Nonnull shares,
    ptrdiff_t count, uint8_t *_Nonnull result);
