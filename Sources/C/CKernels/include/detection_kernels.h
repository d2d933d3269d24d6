// Whole-image loops of the board detector; their Swift twins in the tests give the same bytes.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Darkest and brightest sample of each tile of 4 × 4 in four rows: `low` and `high` have `tiles`
// entries, `columns` of 8 · tiles bytes is scratch. Reads 4 · tiles samples of each row.
void plb_tile_extremes(
    const uint8_t *_Nonnull source, ptrdiff_t row_stride, ptrdiff_t tiles, uint8_t *_Nonnull low,
    uint8_t *_Nonnull high, uint8_t *_Nonnull columns);

// result = source < limits ? 1 : 0
void plb_darker(
    const uint8_t *_Nonnull source, const uint8_t *_Nonnull limits, ptrdiff_t count,
    uint8_t *_Nonnull result);

// Follows the next border between 1 (dark) and 0 that no call before has followed.
//
// `marks` is an image of `width` × `height` marks with a frame of at least one 0 around it;
// `offset` is where the search goes on and is moved on. Dark pixels touch at sides and corners.
// Followed pixels become 2. Writes up to `capacity` points (x, y) in order, x and y counted in the
// framed image, and returns their number; longer borders are followed but not kept, shorter ones
// than `shortest` are passed over. Returns 0 where none is left.
ptrdiff_t plb_next_border(
    uint8_t *_Nonnull marks, ptrdiff_t width, ptrdiff_t height, ptrdiff_t *_Nonnull offset,
    ptrdiff_t shortest, ptrdiff_t capacity, uint16_t *_Nonnull points);
