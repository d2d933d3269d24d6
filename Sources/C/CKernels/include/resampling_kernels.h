// Whole-row kernels of resampling. No kernel allocates, checks sizes or keeps state: the Swift
// caller has done so. Tests hold each to the same bits as plain Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// Where the pixels of one row of a rectified or distorted image lie in another one.
typedef struct {
  float center_x, center_y;  // of the lens, in pixels of the source
  float scale_x, scale_y;    // source pixels for each pixel of the result, before the lens
  float step;                // entries of the table for each squared pixel of radius
  int32_t last;              // the index of the table's last entry
} plb_lens;

// positions[i] = center + d·(1 + m(|d|²)), d = (first_x + i·scale_x, y) from the center, and m
// linear between the entries of a table over the squared radius.
void plb_lens_row(
    const plb_lens *_Nonnull lens, const float *_Nonnull table, float first_x, float y,
    ptrdiff_t count, float *_Nonnull positions);

// For each position the pixel to its upper left (an index into packed rows) and the weights of the
// four around it, 255 in all, one byte each: left above, right above, left below, right below.
// Positions within half a pixel outside are moved to the border; farther ones get the index −1.
void plb_bilinear_weights(
    const float *_Nonnull positions, ptrdiff_t count, int32_t width, int32_t height,
    int32_t *_Nonnull indices, uint32_t *_Nonnull weights);

// The nearest pixel of each position as an index into packed rows, or −1 outside.
void plb_nearest(
    const float *_Nonnull positions, ptrdiff_t count, int32_t width, int32_t height,
    int32_t *_Nonnull indices);

// result = (Σ weight·sample + 127) / 255 over four neighbors; every index must be inside, with a
// right and a lower neighbor. `stride` is the pixels between two rows.
void plb_bilinear_gray(
    const uint8_t *_Nonnull source, ptrdiff_t stride, const int32_t *_Nonnull indices,
    const uint32_t *_Nonnull weights, ptrdiff_t count, uint8_t *_Nonnull result);
void plb_bilinear_rgb(
    const uint8_t *_Nonnull source, ptrdiff_t stride, const int32_t *_Nonnull indices,
    const uint32_t *_Nonnull weights, ptrdiff_t count, uint8_t *_Nonnull result);
