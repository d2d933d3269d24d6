// Kernels of the depth-of-field effect, on tiles of a photo. Light is linear, four floats a cell:
// red, green and blue times coverage, and coverage. No kernel allocates, checks sizes or keeps
// state: the Swift caller has done so. Tests hold each to plain Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "upsampling_kernels.h"

// A layer of like blur on a tile: cells of 2^level pixels, the first at (left, top) of the grid of
// such cells that starts at the photo's first pixel.
typedef struct {
  float *_Nullable cells;
  int32_t level, left, top, width, height;
} plb_blur_layer;

// Where a blur goes: to a layer, and with a share to the next one.
typedef struct {
  int32_t layer;
  float next;
} plb_blur_place;

// What lies behind edges, and before them where a matte says so: a grid of cells of 2^level pixels.
typedef struct {
  const float *_Nonnull behind;    // disparities; NaN where nothing is hidden
  const float *_Nonnull light;     // four floats: the hidden surface's light, and 1
  const float *_Nonnull front;     // the same of the nearer surface; all 0 where that is not known
  const float *_Nonnull near;      // the nearest disparity around
  int32_t level, width, height;
} plb_blur_hidden;

typedef struct {
  const plb_blur_layer *_Nonnull layers;  // from the nearest to the farthest
  const plb_blur_place *_Nonnull places;  // of a blur of (i − center)/steps pixels at i
  const float *_Nonnull linear;           // of each code
  int32_t center;                         // the last index is twice it
  float steps;                            // entries for each pixel of radius
  float focus, gain;                      // radius = gain·(disparity − focus)
  float gap;                              // radii in pixels that differ by more are two surfaces
  float highlights;                       // what is clipped is so many times brighter, less 1
  const float *_Nullable boosts;          // instead: what is clipped is so many times brighter, by gain
  int32_t width, height;                  // of the photo, whose rows are not padded
} plb_blur_law;

// Adds pixels `start ..< end` of a row to the cells of the layers that their blur belongs to. `color`,
// `disparity`, `matte` and `gain` (codes of a gain map, with `boosts`) are at the row's first pixel.
void plb_blur_scatter(
    const plb_blur_law *_Nonnull law, const plb_blur_hidden *_Nonnull hidden,
    const uint8_t *_Nonnull color, const float *_Nonnull disparity,
    const uint8_t *_Nullable matte, const uint8_t *_Nullable gain, int32_t row, int32_t start,
    int32_t end);

// One row of a convolution with an aperture. `sums` are running sums along rows of `stride` cells:
// sums[i] is what is before cell i, so a row of n cells has n + 1. Each span is a row of the aperture.
typedef struct {
  int32_t row;          // below the middle one
  int32_t left, right;  // whole cells from the cell's own left border
  float left_share, right_share;
} plb_blur_span;

void plb_blur_spans(
    const float *_Nonnull sums, ptrdiff_t stride, const plb_blur_span *_Nonnull spans,
    int32_t count, float scale, ptrdiff_t cells, float *_Nonnull result);

// Cells become running sums: `result` has one cell more.
void plb_blur_running(const float *_Nonnull cells, ptrdiff_t count, float *_Nonnull result);

// Composes a block of a row's pixels from the layers, nearest first, into `light` (four floats a
// pixel); `count` pixels from (x, y).
void plb_blur_compose(
    const plb_blur_layer *_Nonnull layer, int32_t x, int32_t y, ptrdiff_t count,
    float *_Nonnull upsampled, float *_Nonnull light);

// Composed light as codes; a pixel that nothing covers keeps its own.
void plb_blur_encode(
    const float *_Nonnull light, const uint8_t *_Nonnull codes, const uint8_t *_Nonnull original,
    ptrdiff_t count, uint8_t *_Nonnull result);

// The least and the largest disparity of each cell of `side` pixels in `rows` rows; NaN counts as
// `missing`.
void plb_blur_extremes(
    const float *_Nonnull disparity, ptrdiff_t stride, int32_t width, int32_t rows, int32_t side,
    float missing, float *_Nonnull least, float *_Nonnull most);

// The mean lights of those pixels of a cell of which the nearer surface covers at most a tenth, and at least
// nine tenths: four floats each, the last of them 1, or 0 where they are less than an eighth of the cell.
// `coverage` is of 255; where it is below `least` or above 255 − `least` it says nothing.
void plb_blur_side_lights(
    const uint8_t *_Nonnull color, const uint8_t *_Nonnull coverage, ptrdiff_t stride, int32_t width,
    int32_t rows, const float *_Nonnull linear, int32_t least, float *_Nonnull far,
    float *_Nonnull near);

// The mean light of those pixels of a cell whose disparity is not above a limit: four floats, the
// last of them 1, or 0 where there is none.
void plb_blur_far_light(
    const uint8_t *_Nonnull color, const float *_Nonnull disparity, ptrdiff_t stride, int32_t width,
    int32_t rows, const float *_Nonnull linear, float limit, float *_Nonnull light);
