// Views of a scene from elsewhere, and what lies behind its edges. No kernel allocates or checks
// sizes. Disparities are finite; images have 3 bytes a pixel.
#pragma once
#include "mask_kernels.h"

// Minima of windows of 2·radius + 1 along rows, of rows first…end, eight at a
// time; `scratch` has 2 · width · 8 elements.
void plb_parallax_least_rows(
    const float *_Nonnull source, int32_t width, int32_t radius, int32_t first, int32_t end,
    float *_Nonnull scratch, float *_Nonnull result);

// Likewise along columns, of columns first…end, in blocks; `scratch` has 2 · height · 16 elements.
void plb_parallax_least_columns(
    const float *_Nonnull source, int32_t width, int32_t height, int32_t radius, int32_t first,
    int32_t end, float *_Nonnull scratch, float *_Nonnull result);

// The maximum disparity of each square of side×side pixels, of rows of squares first…end.
void plb_parallax_maximum(
    const float *_Nonnull disparity, int32_t width, int32_t height, int32_t side, int32_t first,
    int32_t end, float *_Nonnull result);

// 1, else 0, where a pixel is no farther than `step` before the least around it.
void plb_parallax_far(
    const float *_Nonnull disparity, const float *_Nonnull least, ptrdiff_t count, float step,
    float *_Nonnull result);

// Pyramids: four floats a pixel, color and disparity times weight; weights apart.
void plb_parallax_pull_first(
    const uint8_t *_Nonnull color, const float *_Nonnull disparity, const uint8_t *_Nonnull known,
    int32_t width, int32_t height, int32_t first, int32_t end, float *_Nonnull result,
    float *_Nonnull weights);
void plb_parallax_pull(
    const float *_Nonnull source, const float *_Nonnull weights, int32_t width, int32_t height,
    int32_t first, int32_t end, float *_Nonnull result, float *_Nonnull result_weights);
// What a level lacks from the next coarser one, by linear interpolation.
void plb_parallax_push(
    const float *_Nonnull coarse, int32_t coarse_width, int32_t coarse_height, int32_t width,
    int32_t first, int32_t end, float *_Nonnull level, const float *_Nonnull weights);
void plb_parallax_push_last(
    const float *_Nonnull coarse, int32_t coarse_width, int32_t coarse_height,
    const uint8_t *_Nonnull known, int32_t width, int32_t first, int32_t end,
    uint8_t *_Nonnull color, float *_Nonnull disparity);

typedef struct {
  const uint8_t *_Nonnull color;
  const float *_Nonnull disparity;
  const uint8_t *_Nonnull far_color;  // with what is near at edges replaced by what is behind
  const float *_Nonnull far_disparity;
  int32_t width, height;
  float shift_x, shift_y;    // pixels that one unit of disparity moves a pixel
  float focus;               // the disparity that stays
  float nearest, farthest;   // of all disparities
  float step;                // what is no longer one surface
  // The maximum disparity that can fall on the pixels of each square of side×side: nothing is
  // looked for before it.
  const float *_Nonnull bounds;
  int32_t side;
} plb_parallax;

// Rows first…end of the view: each pixel looks for the nearest surface that falls on it.
void plb_parallax_view(
    const plb_parallax *_Nonnull view, int32_t first, int32_t end, uint8_t *_Nonnull result);

// One image for red-cyan glasses from two, in linear light; the matrix has 3 rows of 6 in 1/1000:
// left, right. Tables as in light_kernels.h.
void plb_parallax_anaglyph(
    const uint8_t *_Nonnull left, const uint8_t *_Nonnull right, ptrdiff_t count,
    const int32_t *_Nonnull matrix, const uint16_t *_Nonnull linear, const uint8_t *_Nonnull codes,
    uint8_t *_Nonnull result);
