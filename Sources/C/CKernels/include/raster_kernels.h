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

// result = source > 0 and finite ? source : NaN
void plb_depth_checked(const float *_Nonnull source, ptrdiff_t count, float *_Nonnull result);

// Counts values by the upper 16 bits of their patterns, in 65536 bins, which for values above 0 are ordered
// as these are; all others are in the last bin. Every second value is counted in `others` instead, since
// equal neighbors would wait for each other.
void plb_depth_histogram(
    const float *_Nonnull source, ptrdiff_t count, uint32_t *_Nonnull bins, uint32_t *_Nonnull others);

// Counts those values above 0 by the lower 16 bits whose upper ones are `middle`; lowers `minimum` by values
// whose upper bits are `first`, and raises `maximum` by those where they are `last`.
void plb_depth_histogram_within(
    const float *_Nonnull source, ptrdiff_t count, uint32_t first, uint32_t middle, uint32_t last,
    uint32_t *_Nonnull bins, float *_Nonnull minimum, float *_Nonnull maximum);

// One row of a map whose lens moves pixels along their radius from its center: (columns[i], row) from
// there to slopes[i] + columns[i]·m·inverse_focal_x and row_slope + row·m·inverse_focal_y, with m linear
// between the entries of a table over the radius, `step` of them for each pixel.
typedef struct {
  float row, row_slope;
  float inverse_focal_x, inverse_focal_y;
  float step;
  int32_t last;  // the index of the table's last entry, at least 1
} plb_ray_row;
void plb_lens_rays(
    const plb_ray_row *_Nonnull law, const float *_Nonnull table, const float *_Nonnull columns,
    const float *_Nonnull slopes, ptrdiff_t count, float *_Nonnull x, float *_Nonnull y);

// Marks pixels that lie in the middle half of a step of more than `gap` of the nearer side: 1 between the
// columns two before and two after, 2 between the rows `above` and `below`. Returns whether any is marked;
// adds the number of values above 0. The row goes on for two values on both sides.
bool plb_pixels_in_steps(
    const float *_Nonnull row, const float *_Nonnull above, const float *_Nonnull below,
    ptrdiff_t count, float gap, uint8_t *_Nonnull marks, int64_t *_Nonnull measured);

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
