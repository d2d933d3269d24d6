// Whole-raster kernels of depth filters. No kernel allocates, checks sizes or keeps state: the
// Swift caller has done so. Depths are meters, NaN where missing. Tests hold each kernel to plain
// Swift. "Padded" rasters have a border of NaN, so that no kernel asks whether a neighbor exists.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// σ of each depth: sqrt(constant² + (linear·z)² + (quadratic·z²)²); NaN where missing.
void plb_filter_sigma(
    const float *_Nonnull depth, ptrdiff_t count, float constant, float linear, float quadratic,
    float *_Nonnull sigma);

// Makes depth and σ missing where the depth is not above 0 or σ is not finite and at least 0.
void plb_filter_reliable(float *_Nonnull depth, float *_Nonnull sigma, ptrdiff_t count);

// The root of σ² and the variance of a shared error, constant² + (linear·z)² + (quadratic·z²)², whose own root
// is rounded to a float before; NaN where either is missing.
void plb_filter_total_sigma(
    const float *_Nonnull own, const float *_Nonnull depth, ptrdiff_t count, double constant,
    double linear, double quadratic, float *_Nonnull total);

// 1 / (scale·σ²), at most that of the least normal number.
void plb_filter_falloff(
    const float *_Nonnull sigma, ptrdiff_t count, float scale, float *_Nonnull falloff);

// Gray levels as numbers.
void plb_filter_levels(
    const uint8_t *_Nonnull levels, ptrdiff_t count, float *_Nonnull result);

// Depths outside of near…far become missing.
void plb_filter_range(float *_Nonnull depth, ptrdiff_t count, float near, float far);

// Depths whose level is below the least one become missing.
void plb_filter_confidence(
    float *_Nonnull depth, const uint8_t *_Nonnull levels, ptrdiff_t count, uint8_t least);

// σ becomes missing where depth is; returns how many pixels that was new to, and in `measured` how
// many σ there were.
int64_t plb_filter_finish(
    const float *_Nonnull depth, float *_Nonnull sigma, ptrdiff_t count,
    int64_t *_Nonnull measured);

// What a filter did, by comparing what was with what is.
typedef struct {
  int64_t measured, removed, invented, moved;
  double sum, worst;  // of |move| in meters
} plb_filter_changes;

void plb_filter_compare(
    const float *_Nonnull before, const float *_Nonnull after, ptrdiff_t count,
    plb_filter_changes *_Nonnull changes);

// One row of a bilateral filter whose range weight is (1 − d²·falloff)₊⁸, which is the Gaussian of
// σ = 1 / sqrt(16·falloff) up to 4 σ, and 0 beyond. `row` points at the first pixel of a padded
// row; taps are offsets from a pixel, the pixel itself not among them (its weight is 1).
void plb_filter_bilateral(
    const float *_Nonnull row, const float *_Nonnull falloff, const ptrdiff_t *_Nonnull taps,
    const float *_Nonnull weights, int32_t tap_count, ptrdiff_t count, float *_Nonnull result);

// Likewise with a second range weight, that of a padded guide whose rows are as long; without falloff
// that of the guide alone.
void plb_filter_joint(
    const float *_Nonnull row, const float *_Nullable falloff, const float *_Nonnull guide,
    float guide_falloff, const ptrdiff_t *_Nonnull taps, const float *_Nonnull weights,
    int32_t tap_count, ptrdiff_t count, float *_Nonnull result);

// inverse[i] = 1 / depth[i], step[i] = max(sigmas·σ/z², share/z): what counts as a step there.
void plb_filter_inverse(
    const float *_Nonnull depth, const float *_Nonnull sigma, ptrdiff_t count, float sigmas,
    float share, float *_Nonnull inverse, float *_Nonnull step);

// Makes pixels missing that hang between two surfaces: in one of four directions and at one of two
// scales both neighbors are a step away, one nearer and one farther, and what lies behind each
// neighbor is at most half that step from it. `row` is padded by 4 at least.
void plb_filter_flying(
    const float *_Nonnull row, const float *_Nonnull step, ptrdiff_t stride, ptrdiff_t count,
    float *_Nonnull depth);

// 1 where a pixel and one of its 8 neighbors are a step of inverse depth apart that does not
// continue the slope on the pixel's other side, or else behind the neighbor; else 0. `row` is padded
// by 2 at least.
void plb_filter_silhouette(
    const float *_Nonnull row, const float *_Nonnull step, ptrdiff_t stride, ptrdiff_t count,
    uint8_t *_Nonnull edge);

// Bit 0: measured; bit 1: belongs to the left pixel; bit 2: belongs to the pixel above, that is, at
// most a step away. `above` may be the row itself for the first row, where bit 2 is to be ignored.
void plb_filter_links(
    const float *_Nonnull row, const float *_Nonnull above, const float *_Nonnull step,
    ptrdiff_t count, uint8_t *_Nonnull links);

// A run of linked pixels of one row.
typedef struct {
  int32_t start, count;  // pixels
  int32_t parent, size;  // the run of the same surface that came first; pixels of the surface
} plb_filter_run;

// The runs of all rows, joined to surfaces by the links; `labels` is two rows long. Returns the
// number of runs.
int32_t plb_filter_runs(
    const uint8_t *_Nonnull links, int32_t width, int32_t height, int32_t *_Nonnull labels,
    plb_filter_run *_Nonnull runs);

// The rule that fills a missing pixel.
enum { PLB_SURFACE, PLB_LEFT, PLB_FARTHEST, PLB_NEAREST };

typedef struct {
  int32_t choice;      // one of the above
  int32_t reach;       // pixels that a ray may cross before it meets something measured
  int32_t samples;     // measured pixels that each ray takes, 1…4
  int32_t directions;  // of 16 that must meet something
  int32_t gap;         // the most neighboring directions that may meet nothing
  float agreement;     // the weighted RMS of residuals that one surface has, in σ of the samples
  float outlier;       // the largest residual, likewise
  float share;         // the least σ, as a share of the inverse depth
  float sigmas;        // the largest ± of the result, in σ of the samples
  float color;         // σ of a color, in codes
} plb_filter_filling;

// Fills missing pixels; all rasters are packed, `guide` has 3 bytes a pixel. Each pixel depends on
// measured ones alone, so that no order matters. `depth` and `sigmas` hold what was measured.
// Returns how many were filled.
int64_t plb_filter_fill(
    const float *_Nonnull inverse, const float *_Nonnull sigma, const uint8_t *_Nullable guide,
    int32_t width, int32_t height, const plb_filter_filling *_Nonnull rule, float *_Nonnull depth,
    float *_Nonnull sigmas);

// For each square of side×side pixels the index of its lower median among measured ones, −1 where
// there is none; of equals the first in rows. `width` is that of the depth map, a multiple of side.
void plb_filter_medians(
    const float *_Nonnull depth, int32_t width, int32_t height, int32_t side,
    int32_t *_Nonnull sources);

// One frame of a temporal filter: `depth` and `sigma` are the frame's and become the result's,
// `state`, `spread` and `history` (bit 0: measured in the frame before) are kept from call to call.
// A missing pixel that `needed` of the last `window` frames measured keeps its state; 0 of any
// window: as long as there is one.
void plb_filter_temporal(
    float *_Nonnull depth, float *_Nonnull sigma, float *_Nonnull state, float *_Nonnull spread,
    uint8_t *_Nonnull history, ptrdiff_t count, float share, float sigmas, int32_t window,
    int32_t needed);

// Widens a row of marks: result = OR of the 2·radius + 1 marks around; `row` is padded by radius.
void plb_filter_widen(
    const uint8_t *_Nonnull row, ptrdiff_t radius, ptrdiff_t count, uint8_t *_Nonnull result);

// Makes depths missing where one of some rows of marks is set.
void plb_filter_clear(
    const uint8_t *_Nonnull marks, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t count,
    float *_Nonnull depth);

// One row of a map at the size of its color image. Each pixel lies between four pixels of the map;
// `columns` are the left ones and `shares` how far right of them it lies, 0…1, for each pixel.
// Where the four agree within `agreement` σ they are interpolated in inverse depth; where they do
// not, each is weighted by its color too, and those that agree with the heaviest make the value.
typedef struct {
  const float *_Nonnull inverse, *_Nonnull sigma;  // two rows of the map, inverse depth and its σ
  const uint8_t *_Nonnull colors;                  // of these rows, 3 bytes a pixel
  ptrdiff_t stride;                                // from the upper to the lower row, in pixels
  float down;                                      // how far below the upper row, 0…1
  float agreement, color;                          // in σ; σ of a color in codes
} plb_filter_rows;

void plb_filter_upsample(
    const plb_filter_rows *_Nonnull rows, const int32_t *_Nonnull columns,
    const float *_Nonnull shares, const uint8_t *_Nonnull guide, ptrdiff_t count,
    float *_Nonnull depth, float *_Nonnull sigma);
