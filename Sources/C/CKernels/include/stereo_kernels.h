// Whole-raster kernels of stereo matching. No kernel allocates, checks sizes or keeps state: the
// Swift caller has done so. Tests hold each kernel to plain Swift.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pair_features.h"
#include "clones.h"

// What describes a pixel, one plane of bytes each: six of the census, then gradient and gray level,
// each as value, least and maximum within half a pixel.
enum { PLB_CENSUS_PLANES = 6, PLB_FEATURE_PLANES = 12 };
// Disparities are padded to a multiple of this many; a block of a horizontal path has as many in front,
// of which the last, and the first of the next block, are greater than any cost.
enum { PLB_DISPARITY_LANES = 32 };

// The features of one row. `row` points at the first pixel of a row that is padded by 4 pixels at
// both ends and by 3 rows, `stride` apart; `features` are planes of `count` bytes, `plane` apart.
void plb_stereo_features(
    const uint8_t *_Nonnull row, ptrdiff_t stride, ptrdiff_t count, uint8_t *_Nonnull features,
    ptrdiff_t plane);

// The features of a right row for reading disparities upwards: result[j] is the pixel
// width − 1 − j − first, or the one at the end where there is none, so that what lies outside is
// neither like nor unlike; `length` bytes a plane.
void plb_stereo_reverse(
    const uint8_t *_Nonnull features, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t first,
    uint8_t *_Nonnull result, ptrdiff_t length);

// What each pixel of a row costs at each disparity: costs[x·lanes + k].
void plb_stereo_costs(
    const uint8_t *_Nonnull left, ptrdiff_t plane, const uint8_t *_Nonnull reversed,
    ptrdiff_t length, ptrdiff_t width, ptrdiff_t lanes, uint8_t *_Nonnull costs);

// Costs are summed in these units, so that a path of them fits a byte: the cost of a pixel and the
// largest penalty together are at most 255.
enum { PLB_COST_UNIT = 16, PLB_COST_MOST = 111, PLB_PENALTY_MOST = 255 - PLB_COST_MOST };

// Sums of 3×3 pixels in units of PLB_COST_UNIT, at most PLB_COST_MOST, from what the pixels of three rows
// cost; both ends are repeated. Lanes from `count` on become 255.
void plb_stereo_box(
    const uint8_t *_Nonnull above, const uint8_t *_Nonnull here, const uint8_t *_Nonnull below,
    ptrdiff_t width, ptrdiff_t count, ptrdiff_t lanes, uint8_t *_Nonnull result);

// Both horizontal paths of a row; `result` is overwritten with their sum. `blocks` are 4 blocks.
void plb_stereo_horizontal(
    const uint8_t *_Nonnull costs, const uint8_t *_Nonnull gray, ptrdiff_t width, ptrdiff_t lanes,
    uint8_t small_step, const uint8_t *_Nonnull large_steps, uint8_t *_Nonnull blocks,
    uint16_t *_Nonnull result);

// One row of up to three paths from the row before, which may lie above or below: straight, from
// the left, from the right. `before` and `after` are `paths` rows of width + 2 pixels of `lanes` bytes, the
// first and last of which are of no pixel; a byte before and one behind them can be read. `least` likewise hold
// each pixel's least. `limits` is room for paths · width bytes. result = sums + all, unless `sums` is nil; both
// may be one.
void plb_stereo_vertical(
    const uint8_t *_Nonnull costs, const uint8_t *_Nonnull gray,
    const uint8_t *_Nonnull gray_before, ptrdiff_t width, ptrdiff_t lanes, ptrdiff_t paths,
    uint8_t small_step, const uint8_t *_Nonnull large_steps, const uint8_t *_Nonnull before,
    const uint8_t *_Nonnull least_before, uint8_t *_Nonnull after, uint8_t *_Nonnull least_after,
    uint8_t *_Nonnull limits, const uint16_t *_Nullable sums, uint16_t *_Nullable result);

// What became of a pixel.
enum { PLB_ACCEPTED, PLB_UNCOVERED, PLB_AMBIGUOUS, PLB_INCONSISTENT };

// The best disparity of each pixel of a row, one array for each property.
typedef struct {
  uint16_t *_Nonnull best;      // its index
  uint16_t *_Nonnull least;     // its sum
  uint16_t *_Nonnull down;      // sums of its neighbors, 65535 where there is none
  uint16_t *_Nonnull up;
  uint8_t *_Nonnull has_rival;  // whether one not next to it costs hardly more
  uint8_t *_Nonnull state;
} plb_stereo_choices;

// Finds the least sum of each pixel; rivals are sums below the least times `rival_scale`.
void plb_stereo_choose(
    const uint16_t *_Nonnull sums, ptrdiff_t width, ptrdiff_t count, ptrdiff_t lanes,
    float rival_scale, plb_stereo_choices choices);

// Places each choice between whole disparities, and sets its state; ratio = (least + floor) / rise, at
// most `most`.
//
// Between a V and a parabola: the ratio r of the smaller rise to the larger gives the offset
// ½ − 0.425·r − 0.075·r². A plain V was pulled to half pixels, a parabola to whole ones.
// Source: this project's trial on shifted textures, whose median errors the tests hold below
// 0.08 pixels; for V and parabola M. Shimizu, M. Okutomi, "Precise Sub-Pixel Estimation on
// Area-Based Matching", ICCV 2001.
//
// `frontal` is what has to be added where a surface faces the cameras: there both rises hold up to
// `steps`, the penalties of a step of 1 on all paths, and the ratio is too near to 1. Without them,
// r = (smaller − s) / (larger − s) with s = min(steps / (1 + ratio), 0.6·larger) gives the offset
// (1 − r)·(0.2 + 0.3 / (1 + r)), two parts of a V and three of a parabola.
// Source: decision 0031; s and the parts are fitted to shifted textures.
void plb_stereo_place(
    plb_stereo_choices choices, ptrdiff_t width, int32_t first, int32_t count,
    float floor, float most, float steps, float *_Nonnull disparity, float *_Nonnull ratio,
    float *_Nonnull frontal);

// The best disparity of each right pixel, by the sums of the left ones: that of pixel
// width − 1 − first − i is at best[i], as an index; 65535, or beyond the last, where no left pixel
// can fit. The leftmost of equals wins. `least` and `best` are width + lanes + PLB_DISPARITY_LANES numbers.
void plb_stereo_choose_right(
    const uint16_t *_Nonnull sums, ptrdiff_t width, ptrdiff_t lanes, uint16_t *_Nonnull least,
    uint16_t *_Nonnull best);

// Refuses a pixel whose match prefers a disparity that differs by more than `tolerance` pixels, at
// both whole disparities around it (nothing is asked without `right`, the best of the right
// pixels); what is not accepted becomes NaN.
void plb_stereo_check(
    plb_stereo_choices choices, ptrdiff_t width, int32_t first, int32_t count, int32_t tolerance,
    const uint16_t *_Nullable right, float *_Nonnull disparity);

// How many pixels of a row came to each state: four numbers in their order.
void plb_stereo_count(
    const uint8_t *_Nonnull state, ptrdiff_t width, int32_t *_Nonnull counts);

// Every so many pixels a neighbor is asked: those between say much the same.
enum { PLB_PLANE_STEP = 4, PLB_PLANE_MISSING = INT16_MIN };

// Disparities as whole numbers, (value − offset) / scale; what is missing or does not fit becomes
// PLB_PLANE_MISSING.
void plb_stereo_quantize(
    const float *_Nonnull row, ptrdiff_t count, float scale, float offset,
    int16_t *_Nonnull result);

// Fits a plane to the disparities around each pixel of a row that differ from its own by at most
// `tolerance`; `radius` is a multiple of the step. `row` points at the first pixel of a row that is
// padded by `radius` in both directions, and by 32 at its end, with PLB_PLANE_MISSING. `shift` is the
// plane's value at the pixel less its own, in pixels; NaN where its own is missing.
//
// `variance` is what the fit leaves of one pixel's own, 1/n + m·S⁻¹·m, with m the neighbors' mean
// position and S their scatter, the variance of a regression at its point (N. Draper, H. Smith, "Applied
// Regression Analysis", 3rd edition, 1998, equation 5.4.1); `neighbors` is n over the number that is
// tried. Both are nil or neither is.
//
// Sums are of 16 bits: tolerance · Σ|i| · (2n + 1) ≤ 32767 for the steps i = −n…n of the radius, and
// no number lies less than the tolerance above PLB_PLANE_MISSING.
void plb_stereo_smooth(
    const int16_t *_Nonnull row, ptrdiff_t stride, ptrdiff_t count, int32_t radius,
    int16_t tolerance, float scale, float *_Nonnull shift, float *_Nullable variance,
    float *_Nullable neighbors);

// How disparities of a row change where its surface faces the cameras: change = t·frontal with
// t = 1 / (1 + (slope² / steepest²)²), the slope that of a line through the pixels `reach` columns and
// rows away; 0 where one of those is missing or they are no line. `above` and `below` are rows that are
// `rows` apart, which may be fewer at the ends of the map, as columns may.
void plb_stereo_facing(
    const float *_Nonnull values, const float *_Nonnull above, const float *_Nonnull below,
    const float *_Nonnull frontal, ptrdiff_t width, ptrdiff_t reach, ptrdiff_t rows, float steepest,
    float bend, float *_Nonnull change);

// Adds a row of values, or of their squares, and how many they are, where `known` is not NaN:
// sums[x] += value, counts[x] += 1.
void plb_stereo_accumulate(
    const float *_Nonnull values, const float *_Nonnull known, ptrdiff_t width, bool squared,
    float *_Nonnull sums, float *_Nonnull counts);

// Numbers between the centers of cells of 8 pixels: pixel x of 8·i − 4 … 8·i + 3 lies between
// line[i] and line[i + 1]; `line` are as many numbers as there are cells, and each end once more.
void plb_stereo_between(
    const float *_Nonnull line, ptrdiff_t width, float *_Nonnull result);

// How far planes are trusted, and what σ² is the sum of; see Swift's SurfaceSmoothing and
// MatchingSigma.
typedef struct {
  float least, curve, edge;         // pixels, pixels per ratio, pixels
  float misfit, own;                // shares of what the far plane moves, nearby and here
  float noise_share, noise_curve;   // of the near plane's values: per mean square, pixels per ratio
} plb_stereo_surface;

// After the far plane's second fit: values −= shift, shift += again, and variance becomes the part of
// σ² that the fit gives: least² + (curve·ratio)²·variance + (edge·(1 − neighbors))².
void plb_stereo_refit(
    ptrdiff_t width, plb_stereo_surface surface, const float *_Nonnull again,
    const float *_Nonnull neighbors, const float *_Nonnull ratio, float *_Nonnull values,
    float *_Nonnull shift, float *_Nonnull variance);

// values += share · shift with share = max(noise_share·noise, (noise_curve·ratio)²) / misfit, at most 1;
// the variance becomes √(variance + misfit-share²·misfit + own²·shift²).
void plb_stereo_blend(
    ptrdiff_t width, plb_stereo_surface surface, const float *_Nonnull shift,
    const float *_Nonnull noise, const float *_Nonnull misfit, const float *_Nonnull ratio,
    float *_Nonnull values, float *_Nonnull variance);

// How far other surfaces are looked for, in pixels; half the side of the windows that are compared;
// how many disparities are compared, the pixel's own among them.
enum { PLB_EDGE_REACH = 6, PLB_EDGE_WINDOW = 3, PLB_EDGE_CANDIDATES = 5 };
// The difference, in pixels of disparity, beyond which neighbors are on two surfaces.
#define PLB_EDGE_JUMP 1.5f
// The part of σ where two disparities fit alike, in pixels; and σ per gray level by which the better
// one misses, in pixels.
#define PLB_EDGE_OPEN 0.6f
#define PLB_EDGE_MISFIT 0.1f

// Both images in rows that are `stride` apart; `left` and `right` point at their first pixels. Around
// them 3 rows, 3 columns at the beginning of each row and 8 at its end are padded, and 8 bytes at the end.
typedef struct {
  const uint8_t *_Nonnull left, *_Nonnull right;
  ptrdiff_t stride, width, height;
} plb_stereo_edge_images;

// Writes by how many levels each pixel of a row is lighter than its match; one without a disparity is compared
// with the right pixel in its place.
void plb_stereo_level_offsets(
    const uint8_t *_Nonnull left, const uint8_t *_Nonnull right, const float *_Nonnull disparity,
    ptrdiff_t width, float *_Nonnull offsets);

// Chooses between the surfaces around an edge for each pixel of row y: a pixel takes the disparity of
// another surface nearby where that explains its surroundings by 7 tenths of the own one's cost or less.
// The cost is the sum of the differences of gray levels, at most 10 each, over 7×7 pixels, each weighted
// by (24 − |difference to the middle pixel|)² / 16, so that what is not like the middle does not count.
// `offsets` are what the left levels lie above the right ones around each pixel. Disparities are
// compared in sixteenths of a pixel.
//
// σ² gets the square of 0.6 · (best / second)² + 0.1 · (mean difference of the best).
// Source: K.-J. Yoon, I. S. Kweon, "Adaptive Support-Weight Approach for Correspondence Search", IEEE
// TPAMI 28(4), 2006; the numbers are this project's, decision 0053.
void plb_stereo_edges(
    plb_stereo_edge_images images, const float *_Nonnull map, const float *_Nonnull sigmas, ptrdiff_t y,
    const float *_Nonnull offsets, float *_Nonnull result, float *_Nonnull result_sigmas);
