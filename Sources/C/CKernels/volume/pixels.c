#include <math.h>
#include <string.h>

#include "volume_kernels.h"
#include "volume_vectors.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

PLB_CLONES_256
void plb_volume_inverse_row(
    const float *depth, const float *noise, int32_t width, float *result) {
  for (int32_t x = 0; x < width; x++) {
    int usable = (depth[x] > 0) & (depth[x] < INFINITY) & (noise[x] > 0) & (noise[x] < INFINITY);
    float inverse = 1 / (usable ? depth[x] : 1);
    result[x] = usable ? inverse : 0;
  }
}

_Static_assert(PLB_VOLUME_TILE == lanes, "a tile is as wide as a vector");

#define ABSOLUTE(a) ((floats)((ints)(a) & INT32_MAX))

// Eight numbers of a row, or as many as there are, and 0.
PLB_INLINE void load(const float *values, int32_t count, floats *result) {
  *result = (floats){0};
  if (count >= lanes) memcpy(result, values, sizeof(*result));
  else memcpy(result, values, (size_t)count * sizeof(float));
}

PLB_INLINE void store(const floats *values, int32_t count, float *result) {
  if (count >= lanes) memcpy(result, values, sizeof(*values));
  else memcpy(result, values, (size_t)count * sizeof(float));
}

// The slope of 1/z from the two neighbors that are one surface with the pixel.
typedef struct {
  floats slope;
  ints known;  // 0 where a neighbor was measured, but none is one surface with the pixel
  ints behind;  // whether a neighbor is a nearer surface
} side_views;

PLB_INLINE void slopes(
    const floats *before, const floats *here, const floats *after, float step, float share, side_views *views) {
  const floats zero = {0};
  floats limit = share * *here, left = *here - *before, right = *after - *here;
  ints has_left = ABSOLUTE(left) <= limit, has_right = ABSOLUTE(right) <= limit;
  floats sum = PICK(has_left, left, zero) + PICK(has_right, right, zero);
  floats apart = PICK(has_left & has_right, zero + 2 * step, zero + step);
  views->slope = sum / apart;
  // Without any measured neighbor the slope is not known, and taken as 0.
  views->known = has_left | has_right | (~(*before > 0) & ~(*after > 0));
  views->behind = (left < -limit) | (right > limit);
}

// Up to eight pixels, one vector for each part in the order of plb_volume_pixel, and how far they see.
typedef struct {
  floats parts[lanes];
  floats near, far;
} tile_pixels;

// 1/z of eight pixels and of those beside, above and below them.
typedef struct {
  floats here, left, right, above, below;
} tile_depths;

PLB_INLINE void load_depths(
    const float *inverse, ptrdiff_t stride, ptrdiff_t reach, int32_t count, tile_depths *depths) {
  load(inverse, count, &depths->here);
  load(inverse - reach, count, &depths->left);
  load(inverse + reach, count, &depths->right);
  load(inverse - reach * stride, count, &depths->above);
  load(inverse + reach * stride, count, &depths->below);
}

PLB_INLINE void prepare(
    const plb_volume_frame *frame, const tile_depths *depths, const floats *noise, int32_t first,
    int32_t row, tile_pixels *pixels) {
  const floats zero = {0}, one = zero + 1, infinite = zero + INFINITY;
  const floats lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const float step = (float)frame->slope_step, v = (float)row - frame->center_y;
  const float ry = v / frame->focal_y;
  floats q = depths->here;
  side_views across, down;
  slopes(&depths->left, &q, &depths->right, step, frame->one_surface, &across);
  slopes(&depths->above, &q, &depths->below, step, frame->one_surface, &down);
  // The plane a x + b y + c z = 1 in camera axes.
  floats u = ((float)first + lane) - frame->center_x;
  floats a = across.slope * frame->focal_x, b = down.slope * frame->focal_y;
  floats c = q - across.slope * u - down.slope * v;
  floats length2 = a * a + b * b + c * c, rx = u / frame->focal_x;
  floats cosine2 = q * q / (length2 * (1 + rx * rx + ry * ry));
  floats z = 1 / q, z2 = z * z, own = *noise * *noise;
  floats shared = frame->shared_constant + frame->shared_linear * z2
                  + frame->shared_quadratic * z2 * z2;
  floats tau = 3 * __builtin_elementwise_sqrt(own + shared);
  const floats least = zero + 2.5f * frame->voxel, most = zero + 8 * frame->voxel;
  tau = PICK(tau > least, tau, least);
  tau = PICK(tau < most, tau, most);
  floats weight = frame->time_weight * cosine2 / own;
  floats plane = 1 / __builtin_elementwise_sqrt(length2);
  // A weight that is no number, as of a noise whose square is 0, is no surface.
  ints usable = (q > 0) & (weight > 0) & (weight < infinite) & across.known & down.known;
  floats half = 0.5f * (ABSOLUTE(across.slope) + ABSOLUTE(down.slope)), least_q = q - half;
  floats near = (1 - tau / plane) / (q + half);
  floats behind = 2 * tau * q;
  behind = PICK(tau / plane < behind, tau / plane, behind);
  floats far = PICK(least_q > 0, (one + behind) / least_q, infinite);
  // The noise along the axis moves the plane by q * plane of it.
  floats parts[lanes] = {
    q, across.slope, down.slope, plane, weight / tau, q * plane * q * plane * cosine2, tau,
    (floats)((ints){0} + PLB_VOLUME_CARVES & ~across.behind & ~down.behind)};
  for (int i = 0; i < lanes; i++) pixels->parts[i] = PICK(usable, parts[i], zero);
  pixels->near = PICK(usable, near, infinite);
  pixels->far = PICK(usable, far, -infinite);
}

PLB_CLONES
void plb_volume_row(
    const plb_volume_frame *frame, const float *inverse, ptrdiff_t stride, const float *noise,
    int32_t row, plb_volume_pixel *result, float *nearest, float *farthest, float *tile_nearest,
    float *tile_farthest) {
  for (int32_t first = 0; first < frame->width; first += lanes) {
    const int32_t count = frame->width - first < lanes ? frame->width - first : lanes;
    tile_depths depths;
    tile_pixels pixels;
    load_depths(inverse + first, stride, frame->slope_step, count, &depths);
    floats noises;
    load(noise + first, count, &noises);
    prepare(frame, &depths, &noises, first, row, &pixels);
    store(&pixels.near, count, nearest + first);
    store(&pixels.far, count, farthest + first);
    float near = least_of(&pixels.near), far = most_of(&pixels.far);
    float *tile_near = tile_nearest + first / lanes, *tile_far = tile_farthest + first / lanes;
    *tile_near = near < *tile_near ? near : *tile_near;
    *tile_far = far > *tile_far ? far : *tile_far;
    transpose(pixels.parts);
    memcpy(result + first, pixels.parts, (size_t)count * sizeof(plb_volume_pixel));
  }
}
