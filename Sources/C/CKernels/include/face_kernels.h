#ifndef PLUMBLINE_FACE_KERNELS_H
#define PLUMBLINE_FACE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "clones.h"

/// Rows of red, green and blue bytes.
typedef struct {
  const uint8_t *pixels;
  int32_t width, height;
  /// Pixels from one row to the next.
  ptrdiff_t stride;
} plb_face_image;

/// Where the pixels of a crop lie in an image: pixel (column, row) at origin + column·right + row·down,
/// in pixels whose centers are whole numbers.
typedef struct {
  float origin_x, origin_y, right_x, right_y, down_x, down_y;
} plb_face_grid;

/// Samples one row of a crop between four pixels, as factor·level + offset for red, green and blue.
///
/// Outside of the image is its nearest pixel, or black where `is_black` is not 0; positions are clamped to a
/// pixel around the image first, so any finite or infinite grid is read safely, and NaN reads the corner.
void plb_face_sample(
    const plb_face_image *image, const plb_face_grid *grid, int32_t row, int32_t width,
    int32_t is_black, float factor, float offset, float *result);

/// Means of squares of `side` × `side` pixels, rounded half up: `columns` squares of `rows` rows.
///
/// Of each square the lines `start` and `start + step` are read. `first` is the first pixel of the first square;
/// all squares lie inside. `side` is 2…256. `sums` has room for 3 · `side` · `columns` + 5 numbers, `totals` for
/// 3 · `columns` + 1.
void plb_face_reduce(
    const uint8_t *first, ptrdiff_t stride, int32_t side, int32_t start, int32_t step, int32_t columns,
    int32_t rows, uint16_t *sums, float *totals, uint8_t *result);

#endif
