// Kernels around a network: an image made its input, its output made a map of the image.
// No kernel allocates, checks sizes or keeps state: the Swift caller has done so. Tests hold each to
// plain Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// What each pixel of a scaled axis takes: `start[i + 1] − start[i]` weights from `start[i]` on, of the
// source's pixels from `first[i]` on.
typedef struct {
  const int32_t *_Nonnull first, *_Nonnull start;
  const float *_Nonnull weights;
  int32_t count;
} plb_estimation_axis;

// sums[j] = Σ weight·row[j] over the rows of one pixel of the axis `rows`, for `width` bytes.
void plb_estimation_rows(
    const uint8_t *_Nonnull image, ptrdiff_t row_bytes, const plb_estimation_axis *_Nonnull rows,
    int32_t pixel, ptrdiff_t width, float *_Nonnull sums);

// colors[3·i + c] = Σ weight·sums[3·x + c] over the columns of each pixel of the axis. One number after
// the last color of `sums` is read and does not count.
void plb_estimation_columns(
    const float *_Nonnull sums, const plb_estimation_axis *_Nonnull columns,
    float *_Nonnull colors);

// Where the colors of one row of an upright image lie, and where its numbers go.
typedef struct {
  ptrdiff_t first, step;             // of the source, in pixels
  ptrdiff_t pixel_step, channel_step;  // of the result, in numbers
  int32_t channel[3];                // which color is the result's first, second, third channel
  float gain[3], offset[3];          // result = gain·color + offset, by the result's channel
} plb_estimation_packing;

void plb_estimation_pack(
    const float *_Nonnull colors, const plb_estimation_packing *_Nonnull packing, ptrdiff_t count,
    float *_Nonnull result);

// Says that fresh memory will be filled from end to end, so that the system may give it in large pages.
void plb_estimation_expect(void *_Nonnull memory, size_t bytes);

// line[i] = row[first[i]] + share[i]·(row[first[i] + 1] − row[first[i]]).
void plb_estimation_stretch(
    const float *_Nonnull row, const int32_t *_Nonnull first, const float *_Nonnull share,
    ptrdiff_t count, float *_Nonnull line);

// What is made of an interpolated value v.
typedef enum {
  PLB_ESTIMATION_PLAIN = 0,     // v
  PLB_ESTIMATION_LINE = 1,      // a·v + b, missing unless above 0
  PLB_ESTIMATION_RECIPROCAL = 2,  // a/v + b, missing unless v and the result are above 0
  PLB_ESTIMATION_INVERSE_LINE = 3  // 1/(a·v + b), missing unless a·v + b is above 0
} plb_estimation_rule;

// v = upper[i] + share·(lower[i] − upper[i]); result[i] is made of it by the rule.
void plb_estimation_blend(
    const float *_Nonnull upper, const float *_Nonnull lower, float share, int32_t rule, float a,
    float b, ptrdiff_t count, float *_Nonnull result);
