#include <math.h>

#include "volume_kernels.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { tile = PLB_VOLUME_TILE };

PLB_CLONES_256
void plb_volume_inverse_row(
    const float *depth, const float *noise, int32_t width, float *result) {
  for (int32_t x = 0; x < width; x++) {
    int usable = (depth[x] > 0) & (depth[x] < INFINITY) & (noise[x] > 0) & (noise[x] < INFINITY);
    float inverse = 1 / (usable ? depth[x] : 1);
    result[x] = usable ? inverse : 0;
  }
}

// The slope of 1/z from the two neighbors that are one surface with the pixel.
typedef struct {
  float slope;
  int known;  // 0 where a neighbor was measured, but none is one surface with the pixel
  int behind;  // whether a neighbor is a nearer surface
} side_view;

static inline __attribute__((always_inline)) side_view slope(float before, float here, float after, float step,
                                                             float share) {
  float limit = share * here;
  float left = here - before, right = after - here;
  int has_left = fabsf(left) <= limit, has_right = fabsf(right) <= limit;
  float sum = (has_left ? left : 0) + (has_right ? right : 0);
  int count = has_left + has_right;
  // Without any measured neighbor the slope is not known, and taken as 0.
  int alone = !(before > 0) & !(after > 0);
  return (side_view){
    sum / ((float)(count > 1 ? 2 : 1) * step), (count > 0) | alone,
    (left < -limit) | (right > limit)};
}

// The pixels of a tile, one array for each part.
typedef struct {
  float inverse[tile], slope_x[tile], slope_y[tile], plane[tile], weight[tile], variance[tile];
  float truncation[tile], near[tile], far[tile];
  uint32_t carves[tile];
} tile_pixels;

static inline __attribute__((always_inline)) void prepare(
    const plb_volume_frame *frame, const float *inverse, ptrdiff_t stride, const float *noise,
    int32_t first, int32_t row, int32_t count, tile_pixels *pixels) {
  const ptrdiff_t reach = frame->slope_step;
  const float step = (float)reach, v = (float)row - frame->center_y;
  const float ry = v / frame->focal_y;
  for (int32_t i = 0; i < count; i++) {
    const float *here = inverse + first + i;
    float q = *here;
    side_view across = slope(here[-reach], q, here[reach], step, frame->one_surface);
    side_view down = slope(here[-reach * stride], q, here[reach * stride], step, frame->one_surface);
    // The plane a x + b y + c z = 1 in camera axes.
    float u = (float)(first + i) - frame->center_x;
    float a = across.slope * frame->focal_x, b = down.slope * frame->focal_y;
    float c = q - across.slope * u - down.slope * v;
    float length2 = a * a + b * b + c * c, rx = u / frame->focal_x;
    float cosine2 = q * q / (length2 * (1 + rx * rx + ry * ry));
    float z = 1 / q, z2 = z * z, own = noise[first + i] * noise[first + i];
    float shared = frame->shared_constant + frame->shared_linear * z2
                   + frame->shared_quadratic * z2 * z2;
    float wanted = 3 * sqrtf(own + shared), least = 2.5f * frame->voxel, most = 8 * frame->voxel;
    float tau = wanted > least ? wanted : least;
    tau = tau < most ? tau : most;
    float weight = frame->time_weight * cosine2 / own, plane = 1 / sqrtf(length2);
    // A weight that is no number, as of a noise whose square is 0, is no surface.
    int usable = (q > 0) & (weight > 0) & (weight < INFINITY) & across.known & down.known;
    float half = 0.5f * (fabsf(across.slope) + fabsf(down.slope)), least_q = q - half;
    float near = (1 - tau / plane) / (q + half);
    float behind = tau / plane < 2 * tau * q ? tau / plane : 2 * tau * q;
    float far = least_q > 0 ? (1 + behind) / least_q : INFINITY;
    pixels->inverse[i] = usable ? q : 0;
    pixels->slope_x[i] = usable ? across.slope : 0;
    pixels->slope_y[i] = usable ? down.slope : 0;
    pixels->plane[i] = usable ? plane : 0;
    pixels->weight[i] = usable ? weight : 0;
    // The noise along the axis moves the plane by q * plane of it.
    pixels->variance[i] = usable ? q * plane * q * plane * cosine2 : 0;
    pixels->carves[i] = (usable & !across.behind & !down.behind) ? PLB_VOLUME_CARVES : 0;
    pixels->truncation[i] = usable ? tau : 0;
    pixels->near[i] = usable ? near : INFINITY;
    pixels->far[i] = usable ? far : -INFINITY;
  }
}

PLB_CLONES_256
void plb_volume_row(
    const plb_volume_frame *frame, const float *inverse, ptrdiff_t stride, const float *noise,
    int32_t row, plb_volume_pixel *result, float *nearest, float *farthest, float *tile_nearest,
    float *tile_farthest) {
  for (int32_t first = 0; first < frame->width; first += tile) {
    int32_t count = frame->width - first < tile ? frame->width - first : tile;
    tile_pixels pixels;
    prepare(frame, inverse, stride, noise, first, row, count, &pixels);
    float near = tile_nearest[first / tile], far = tile_farthest[first / tile];
    for (int32_t i = 0; i < count; i++) {
      near = pixels.near[i] < near ? pixels.near[i] : near;
      far = pixels.far[i] > far ? pixels.far[i] : far;
      nearest[first + i] = pixels.near[i];
      farthest[first + i] = pixels.far[i];
      result[first + i] = (plb_volume_pixel){
        pixels.inverse[i], pixels.slope_x[i], pixels.slope_y[i], pixels.plane[i],
        pixels.weight[i], pixels.variance[i], pixels.truncation[i], pixels.carves[i]};
    }
    tile_nearest[first / tile] = near;
    tile_farthest[first / tile] = far;
  }
}
