#pragma once
#include "corner_kernels.h"

// One row smoothed by (1 2 1)/4 both ways, rounded; `above` and `below` are its neighbors. The first
// and last pixel repeat their neighbor's value. The width is at least 3.
void plb_smooth_row(
    const uint8_t *_Nonnull above, const uint8_t *_Nonnull row, const uint8_t *_Nonnull below,
    ptrdiff_t width, uint8_t *_Nonnull result);

// How much each pixel of a row looks like the middle of a checkerboard corner, from 16 pixels on a
// ring of radius 5: result[x] for x from 5 to width − 6. `pixels` is the row inside an image with
// five rows above and below.
// Source: S. Bennett, J. Lasenby, ChESS – Quick and Robust Detection of Chess-board Features, 2013.
void plb_ring_response(
    const uint8_t *_Nonnull pixels, ptrdiff_t stride, ptrdiff_t width, int16_t *_Nonnull result);

// Columns of a row where the response is above a threshold and above all within two pixels; of equal
// ones the first. `row` is inside an image with two rows above and below. Columns run from `first` up
// to `end`, both at least 2 from the border. Returns how many were written.
ptrdiff_t plb_peaks_of_row(
    const int16_t *_Nonnull row, ptrdiff_t stride, ptrdiff_t first, ptrdiff_t end,
    int16_t threshold, int32_t *_Nonnull columns);
