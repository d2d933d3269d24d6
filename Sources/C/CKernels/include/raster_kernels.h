// Whole-row kernels where plain Swift falls short of memory bandwidth (see Benchmarks/README.md);
// tests hold each to the same bits as plain Swift. No kernel allocates, checks sizes or keeps state:
// the Swift caller has done so.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// result = source > 0 and finite ? 1 / source : NaN
void plb_reciprocal(const float *_Nonnull source, ptrdiff_t count, float *_Nonnull result);

// result = half(source) > 0 and finite ? half(source) : NaN
void plb_depth_from_half(const uint16_t *_Nonnull source, ptrdiff_t count, float *_Nonnull result);

// result = half(source) > 0 and finite ? 1 / half(source) : NaN
void plb_depth_from_half_disparity(
    const uint16_t *_Nonnull source, ptrdiff_t count, float *_Nonnull result);

// One row of depth to packed XYZ: result[3i…] = (columns[i]·z, row·z, z). `streams` writes past the
// caches: better where the whole result is larger than they are, worse where it is used at once.
void plb_unproject_row(
    const float *_Nonnull depth, const float *_Nonnull columns, float row, ptrdiff_t count,
    float *_Nonnull result, bool streams);

// One row of depth to packed XYZ with a ray for each pixel: (rays_x[i]·z, rays_y[i]·z, z)
void plb_unproject_row_rays(
    const float *_Nonnull depth, const float *_Nonnull rays_x, const float *_Nonnull rays_y,
    ptrdiff_t count, float *_Nonnull result, bool streams);

// Packed red, green, blue to luma: (19595·R + 38470·G + 7471·B + 32768) / 65536
void plb_luma(const uint8_t *_Nonnull source, ptrdiff_t count, uint8_t *_Nonnull result);

// Values that are finite and above 0 fall into bins by their 11 highest bits of mantissa and their
// exponent, from 2⁻¹⁶ up to 2¹⁶ (what lies outside is in the first or last bin); all others have the
// number PLB_VALUE_BINS. Each pattern of a normal half-precision number has a bin of its own.
enum {
  PLB_VALUE_BIN_SHIFT = 12,
  PLB_FIRST_VALUE_BIN = (127 - 16) << (23 - PLB_VALUE_BIN_SHIFT),
  PLB_VALUE_BINS = 32 << (23 - PLB_VALUE_BIN_SHIFT),
};

// Adds 1 to the bin of each value, in turns to one and the other of two tables of
// PLB_VALUE_BINS + 1; the counts are the sums.
void plb_count_values(
    const float *_Nonnull source, ptrdiff_t count, uint32_t *_Nonnull even,
    uint32_t *_Nonnull odd);

// Three bytes of colors[bin of source[i]] each, lowest first; PLB_VALUE_BINS + 1 colors.
void plb_color_by_bin(
    const float *_Nonnull source, ptrdiff_t count, const uint32_t *_Nonnull colors,
    void *_Nonnull result);

// Three bytes of colors[(source[i] − near)·scale + 0.5] each, the place cut off to 0…255 and to a
// whole number; colors[256] where the source is not finite and above 0.
void plb_color_by_place(
    const float *_Nonnull source, ptrdiff_t count, float near, float scale,
    const uint32_t *_Nonnull colors, void *_Nonnull result);

// The same of 1 / source[i]; colors[256] also where that is infinite.
void plb_color_by_inverse_place(
    const float *_Nonnull source, ptrdiff_t count, float near, float scale,
    const uint32_t *_Nonnull colors, void *_Nonnull result);
