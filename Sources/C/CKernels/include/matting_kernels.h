// Kernels that carry known values over an image along its colors: closed-form matting. No kernel
// allocates, checks sizes or keeps state: the Swift caller has done so. Tests hold each to plain Swift.
//
// Within each window of 3×3 pixels the values are as nearly as possible a linear function of the three
// colors. `colors` are the light of red, green and blue, three levels a pixel, of `width` columns; `epsilon`
// is added to the sums of squared levels, so that weak edges count less. Windows lie within the image.
// Source: Levin, Lischinski and Weiss, A closed-form solution to natural image matting, IEEE PAMI 30
// (2), 2008, equation 12.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

enum { PLB_MATTING_STENCIL = 25 };

// The light of an image whose squares of `side` pixels become one: means of the levels that `light` has for
// codes, at most 2¹⁶ − 1, rounded half up. `colors` are RGB, `stride` pixels a row; rows `first ..< end` of
// the result. A side is at most 64.
void plb_matting_reduce(
    const uint8_t *_Nonnull colors, ptrdiff_t stride, int32_t width, int32_t height, int32_t side,
    const uint16_t *_Nonnull light, int32_t first, int32_t end, uint16_t *_Nonnull result);

// The rows of the matrix of `count` pixels, given by their indices in rising order: 25 numbers each, of
// the 5×5 pixels around, row after row; all are 0 where no window holds the pixel.
void plb_matting_stencils(
    const uint16_t *_Nonnull colors, int32_t width, int32_t height, float epsilon,
    const int32_t *_Nonnull pixels, ptrdiff_t count, float *_Nonnull stencils);

// The matrix times values, plus `weights` times values. `values` have a border of two pixels on each
// side, `stride` in a row; `places` are the pixels' indices there.
void plb_matting_multiply(
    const float *_Nonnull stencils, const float *_Nonnull weights, const int32_t *_Nonnull places,
    ptrdiff_t count, const float *_Nonnull values, ptrdiff_t stride, float *_Nonnull result);

// The linear functions around pixels: four floats each, of red, green and blue in levels, and the offset.
// They are the means of those of the windows that hold the pixel. `lines` is at pixel 0.
void plb_matting_lines(
    const uint16_t *_Nonnull colors, int32_t width, int32_t height, float epsilon,
    const float *_Nonnull values, ptrdiff_t stride, const int32_t *_Nonnull pixels,
    ptrdiff_t count, float *_Nonnull lines);
