// Whole-raster kernels of stereo matching. No kernel allocates, checks sizes or keeps state: the
// Swift caller has done so. Tests hold each kernel to plain Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "pair_features.h"

// One release binary serves every CPU: the loader picks the clone. The thread sanitizer
// instruments the resolver and crashes at start, so there are no clones under it.
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer)
#define PLB_STEREO_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLB_STEREO_CLONES
#endif

// What describes a pixel, one plane of bytes each: six of the census, then gradient and gray level,
// each as value, least and greatest within half a pixel.
enum { PLB_CENSUS_PLANES = 6, PLB_FEATURE_PLANES = 12 };
// Disparities are padded to a multiple of this many; a block of a path has as many in front, of
// which the last, and the first of the next block, are greater than any cost.
enum { PLB_DISPARITY_LANES = 32 };

// The features of one row. `row` points at the first pixel of a row that is padded by 4 pixels at
// both ends and by 3 rows, `stride` apart; `features` are planes of `count` bytes, `plane` apart.
void plb_stereo_features(
    const uint8_t *_Nonnull row, ptrdiff_t stride, ptrdiff_t count, uint8_t *_Nonnull features,
    ptrdiff_t plane);

// The features of a right row for reading disparities upwards: result[j] is the pixel
// width − 1 − j − first, 0 where there is none; `length` bytes a plane.
void plb_stereo_reverse(
    const uint8_t *_Nonnull features, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t first,
    uint8_t *_Nonnull result, ptrdiff_t length);

// What each pixel of a row costs at each disparity: costs[x·lanes + k].
void plb_stereo_costs(
    const uint8_t *_Nonnull left, ptrdiff_t plane, const uint8_t *_Nonnull reversed,
    ptrdiff_t length, ptrdiff_t width, ptrdiff_t first, ptrdiff_t count, ptrdiff_t lanes,
    uint8_t outside, uint8_t *_Nonnull costs);

// sums += added − removed.
void plb_stereo_slide(
    const uint8_t *_Nonnull added, const uint8_t *_Nullable removed, ptrdiff_t count,
    uint16_t *_Nonnull sums);

// Sums of 2·radius + 1 pixels of a row; ends are repeated. Lanes from `count` on become `padding`.
void plb_stereo_box(
    const uint16_t *_Nonnull sums, ptrdiff_t width, ptrdiff_t count, ptrdiff_t lanes,
    ptrdiff_t radius, uint16_t padding, uint16_t *_Nonnull result);

// Both horizontal paths of a row; `result` is overwritten with their sum. `blocks` are 4 blocks.
void plb_stereo_horizontal(
    const uint16_t *_Nonnull costs, const uint8_t *_Nonnull gray, ptrdiff_t width, ptrdiff_t lanes,
    uint16_t small_step, const uint16_t *_Nonnull large_steps, uint16_t *_Nonnull blocks,
    uint16_t *_Nonnull result);

// One row of up to three paths from the row before, which may lie above or below: straight, from
// the left, from the right. `before` and `after` are `paths` rows of width + 2 blocks, the first
// and last of which are of no pixel; `least` likewise hold each block's least. result = sums + all,
// unless `sums` is nil; both may be one.
void plb_stereo_vertical(
    const uint16_t *_Nonnull costs, const uint8_t *_Nonnull gray, const uint8_t *_Nonnull gray_before,
    ptrdiff_t width, ptrdiff_t lanes, ptrdiff_t paths, uint16_t small_step,
    const uint16_t *_Nonnull large_steps, const uint16_t *_Nonnull before,
    const uint16_t *_Nonnull least_before, uint16_t *_Nonnull after, uint16_t *_Nonnull least_after,
    const uint16_t *_Nullable sums, uint16_t *_Nullable result);

// The best disparity of each pixel of a row.
typedef struct {
  uint16_t best;      // its index
  uint16_t least;     // its sum
  uint16_t second;    // the least sum of those not next to it, 65535 where there is none
  uint16_t down, up;  // sums of its neighbors, 65535 where there is none
} plb_stereo_choice;

void plb_stereo_choose(
    const uint16_t *_Nonnull sums, ptrdiff_t width, ptrdiff_t count, ptrdiff_t lanes,
    plb_stereo_choice *_Nonnull choices);

// Every so many pixels a neighbor is asked: those between say much the same.
enum { PLB_PLANE_STEP = 4 };

// Fits a plane to the disparities around each pixel of a row that differ from its own by at most
// `tolerance`; `radius` is a multiple of the step, `row` points at the first pixel of a row that is padded by `radius` in both
// directions with NaN.
void plb_stereo_smooth(
    const float *_Nonnull row, ptrdiff_t stride, ptrdiff_t count, int32_t radius, float tolerance,
    float *_Nonnull result);
