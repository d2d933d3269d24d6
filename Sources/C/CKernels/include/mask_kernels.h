// Masks from disparity, colors at soft edges, and mixing. No kernel allocates or checks sizes.
// Coverage is 0…255, disparity grows toward the camera, images have 3 bytes a pixel.
#pragma once
#include "guided_kernels.h"

// Finite disparities, at least the floor; what is not finite becomes the replacement.
void plb_mask_clean(
    const float *_Nonnull source, ptrdiff_t count, float floor, float replacement,
    float *_Nonnull result);

// The least and maximum finite one; least > maximum where none is.
void plb_mask_range(
    const float *_Nonnull source, ptrdiff_t count, float *_Nonnull least,
    float *_Nonnull maximum);

// Counts finite ones in bins of equal width; those beyond count in the outermost.
void plb_mask_histogram(
    const float *_Nonnull source, ptrdiff_t count, float least, float maximum, int32_t bins,
    int64_t *_Nonnull result);

// (disparity − middle) · slope + ½, within 0…1, times 255 · PLB_GUIDED_SCALE; not finite gives 0.
void plb_mask_ramp(
    const float *_Nonnull disparity, ptrdiff_t count, float middle, float slope,
    uint16_t *_Nonnull result);

// 1 between near and far with soft borders: min of two ramps, likewise scaled.
void plb_mask_band(
    const float *_Nonnull disparity, ptrdiff_t count, float farthest, float nearest, float slope,
    uint16_t *_Nonnull result);

// Scaled coverage to codes, stretched so that low becomes 0 and high 255.
void plb_mask_codes(
    const float *_Nonnull levels, ptrdiff_t count, float low, float high,
    uint8_t *_Nonnull result);

// Rows of an image at another size by linear interpolation, pixel centers matched.
void plb_mask_resize(
    const uint8_t *_Nonnull source, ptrdiff_t stride, int32_t width, int32_t height,
    int32_t channels, int32_t new_width, int32_t new_height, int32_t first, int32_t end,
    uint8_t *_Nonnull result);

// Rows of a box mean of one channel, of 2·radius + 1 along rows only, or columns only; the border
// is continued. Rounded to nearest.
void plb_mask_box_rows(
    const uint8_t *_Nonnull source, int32_t width, int32_t channels, int32_t radius,
    int32_t first, int32_t end, uint8_t *_Nonnull result);
void plb_mask_box_columns(
    const uint8_t *_Nonnull source, int32_t row, int32_t height, int32_t radius, int32_t first,
    int32_t end, uint32_t *_Nonnull sums, uint8_t *_Nonnull result);

enum { PLB_FOREGROUND_SUMS = 8 };

// One step of the foreground's colors of rows first…end: means of foreground and background over
// windows, and what of a pixel's color neither explains given to the foreground. `estimate` are the
// colors that are averaged: at first the image itself. `weights` are those of 256 coverages in the
// means. `columns` has PLB_FOREGROUND_SUMS · width elements; the radius is at most 127.
void plb_mask_foreground(
    const uint8_t *_Nonnull image, const uint8_t *_Nonnull estimate,
    const uint8_t *_Nonnull behind, const uint8_t *_Nonnull coverage,
    const uint8_t *_Nonnull weights, int32_t width, int32_t height, int32_t radius, int32_t first,
    int32_t end, uint32_t *_Nonnull columns, uint8_t *_Nonnull result,
    uint8_t *_Nonnull result_behind);

// α · front + (255 − α) · back, over 255, rounded.
void plb_mask_blend(
    const uint8_t *_Nonnull front, const uint8_t *_Nonnull back, const uint8_t *_Nonnull coverage,
    ptrdiff_t count, uint8_t *_Nonnull result);

// Likewise before one color.
void plb_mask_blend_color(
    const uint8_t *_Nonnull front, const uint8_t *_Nonnull color,
    const uint8_t *_Nonnull coverage, ptrdiff_t count, uint8_t *_Nonnull result);

// α · image + (255 − α) · its gray level (Rec. 709 weights on codes).
void plb_mask_desaturate(
    const uint8_t *_Nonnull image, const uint8_t *_Nonnull coverage, ptrdiff_t count,
    uint8_t *_Nonnull result);

// α · rose + (255 − α) · image, where rose is the image without its green.
void plb_mask_rose(
    const uint8_t *_Nonnull image, const uint8_t *_Nonnull coverage, ptrdiff_t count,
    uint8_t *_Nonnull result);

// Steadies disparities: mixed with the last ones where they differ by less than the step, else
// taken as they are; not finite ones keep the last. `state` starts as NaN.
void plb_mask_steady(
    const float *_Nonnull disparity, ptrdiff_t count, float share, float step,
    float *_Nonnull state);

// The image in stored codes without its hidden part: black where coverage is 0.
void plb_mask_hide(
    const uint8_t *_Nonnull coverage, ptrdiff_t count, uint8_t *_Nonnull image);
