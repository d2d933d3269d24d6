// The guided filter of a color image. No kernel allocates or checks sizes: the Swift caller has
// done so. Sums are whole numbers, so that a row does not depend on where its band began.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// Coverage is carried as 16 times its code; with radii up to 31 no sum leaves 32 bits.
enum { PLB_GUIDED_SUMS = 13, PLB_GUIDED_SCALE = 16, PLB_GUIDED_RADIUS = 31 };

// Means of squares of side×side pixels, of fewer at the right and lower border.
// Writes rows first…end of a result of ceil(width / side) columns.
void plb_guided_reduce_colors(
    const uint8_t *_Nonnull source, ptrdiff_t stride, int32_t width, int32_t height, int32_t side,
    int32_t first, int32_t end, uint8_t *_Nonnull result);
void plb_guided_reduce_levels(
    const uint16_t *_Nonnull source, int32_t width, int32_t height, int32_t side, int32_t first,
    int32_t end, uint16_t *_Nonnull result);

typedef struct {
  const uint8_t *_Nonnull guide;   // 3 bytes a pixel
  const uint16_t *_Nonnull input;  // at most 255 · PLB_GUIDED_SCALE
  int32_t width, height, radius;
  double epsilon;  // added to the variances of colors, in codes²
} plb_guided;

// How many elements `columns` has below.
ptrdiff_t plb_guided_places(int32_t width);

// Coefficients of rows first…end: (red, green, blue, offset) · 2²⁰ a pixel.
void plb_guided_coefficients(
    const plb_guided *_Nonnull filter, int32_t first, int32_t end, uint32_t *_Nonnull columns,
    int64_t *_Nonnull result);

// Their means over the windows of rows first…end. `columns` has 4 · width elements.
void plb_guided_means(
    const int64_t *_Nonnull coefficients, int32_t width, int32_t height, int32_t radius,
    int32_t first, int32_t end, int64_t *_Nonnull columns, float *_Nonnull result);

// One row of the result: coefficients of two rows mixed, brought to the row's columns, applied to
// its colors. `mixed` has 4 · small elements. Values are at most 255 · PLB_GUIDED_SCALE.
void plb_guided_apply(
    const float *_Nonnull upper, const float *_Nonnull lower, float down, int32_t small,
    float *_Nonnull mixed, const uint8_t *_Nonnull guide, int32_t width, int32_t side,
    float *_Nonnull result);
