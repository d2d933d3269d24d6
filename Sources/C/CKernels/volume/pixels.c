#include <math.h>

#include "volume_kernels.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

// Neighbors within 5 % of the depth are one surface: the edge band of Documentation/scan.md.
static const float one_surface = 0.05f;

// The slope from the two neighbors that are one surface with the pixel; 0 where none is.
static inline float slope(float before, float here, float after, float step) {
  float limit = one_surface * here * step;
  float left = here - before, right = after - here;
  int has_left = fabsf(left) <= limit, has_right = fabsf(right) <= limit;
  float sum = (has_left ? left : 0) + (has_right ? right : 0);
  float count = (float)(has_left + has_right);
  return count > 0 ? sum / (count * step) : 0;
}

// 1/z of the pixel, NaN outside of the map or where there is no surface.
static inline float inverse(
    const plb_volume_frame *frame, const float *depth, const float *noise, int32_t x, int32_t y) {
  if (x < 0 || y < 0 || x >= frame->width || y >= frame->height) return NAN;
  ptrdiff_t i = (ptrdiff_t)y * frame->width + x;
  return depth[i] > 0 && depth[i] < INFINITY && noise[i] > 0 && noise[i] < INFINITY ? 1 / depth[i]
                                                                                   : NAN;
}

void plb_volume_row(
    const plb_volume_frame *frame, const float *depth, const float *noise, int32_t y,
    plb_volume_pixel *result) {
  const int32_t width = frame->width, reach = frame->slope_step;
  const float step = (float)reach;
  for (int32_t x = 0; x < width; x++) {
    plb_volume_pixel pixel = {0};
    float q = inverse(frame, depth, noise, x, y);
    if (q > 0) {
      ptrdiff_t i = (ptrdiff_t)y * width + x;
      float sx = slope(
          inverse(frame, depth, noise, x - reach, y), q,
          inverse(frame, depth, noise, x + reach, y), step);
      float sy = slope(
          inverse(frame, depth, noise, x, y - reach), q,
          inverse(frame, depth, noise, x, y + reach), step);
      // The plane a x + b y + c z = 1 in camera axes.
      float u = (float)x - frame->center_x, v = (float)y - frame->center_y;
      float a = sx * frame->focal_x, b = sy * frame->focal_y, c = q - sx * u - sy * v;
      float length2 = a * a + b * b + c * c;
      float rx = u / frame->focal_x, ry = v / frame->focal_y;
      float cosine2 = q * q / (length2 * (1 + rx * rx + ry * ry));
      float z = depth[i], z2 = z * z;
      float own = noise[i] * noise[i];
      float shared = frame->shared_constant + frame->shared_linear * z2
                     + frame->shared_quadratic * z2 * z2;
      float tau = fmaxf(3 * sqrtf(own + shared), 2.5f * frame->voxel);
      pixel.inverse_depth = q;
      pixel.slope_x = sx;
      pixel.slope_y = sy;
      pixel.plane_distance = 1 / sqrtf(length2);
      pixel.weight = frame->time_weight * cosine2 / own;
      // A weight that is no number, as of a noise whose square is 0, is no surface.
      if (!(pixel.weight < INFINITY)) pixel.weight = 0;
      pixel.truncation = fminf(tau, 8 * frame->voxel);
      pixel.shared_variance = shared;
    }
    result[x] = pixel;
  }
}
