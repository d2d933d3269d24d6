#include "tracking_kernels.h"

#include <math.h>
#include <stdbool.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

typedef struct {
  float x, y, z;
} vector;

static inline vector point_at(const plb_tracking_frame *frame, int32_t column, int32_t row) {
  float z = frame->depth[row * frame->depth_stride + column];
  return (vector){
    ((float)column - frame->principal_x) / frame->focal_x * z,
    ((float)row - frame->principal_y) / frame->focal_y * z, z};
}

static inline bool is_near(const plb_tracking_frame *frame, vector point, float z) {
  // Comparisons with NaN are false.
  return fabsf(point.z - z) <= frame->step * z;
}

// How far the differences at a pixel reach: `reach` pixels, or more where the noise over them would turn
// the normal by more than 31°; 0 where four times as many are too few.
static inline int32_t reach_at(const plb_tracking_frame *frame, float z, float noise) {
  // Two errors of √2 together over 2·reach pixels of z/f each: tan 31° = 0.6.
  float needed = 1.4142136f * noise * frame->focal_x / (1.2f * z);
  float limit = (float)(4 * frame->reach);
  if (!(needed <= limit)) return 0;
  int32_t whole = (int32_t)ceilf(needed);
  return whole > frame->reach ? whole : frame->reach;
}

// The unit normal toward the camera at a pixel, whose point is `center`; whether there is one.
static inline bool normal_at(
    const plb_tracking_frame *frame, int32_t column, int32_t row, vector center, float noise,
    vector *normal) {
  const int32_t reach = reach_at(frame, center.z, noise);
  if (reach == 0 || column < reach || row < reach || column >= frame->width - reach || row >= frame->height - reach)
    return false;
  vector right = point_at(frame, column + reach, row), left = point_at(frame, column - reach, row);
  vector below = point_at(frame, column, row + reach), above = point_at(frame, column, row - reach);
  if (!(is_near(frame, right, center.z) && is_near(frame, left, center.z)
        && is_near(frame, below, center.z) && is_near(frame, above, center.z)))
    return false;
  vector a = {right.x - left.x, right.y - left.y, right.z - left.z};
  vector b = {below.x - above.x, below.y - above.y, below.z - above.z};
  // Down × right points toward the camera.
  vector n = {b.y * a.z - b.z * a.y, b.z * a.x - b.x * a.z, b.x * a.y - b.y * a.x};
  float length = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
  if (!(length > 0)) return false;
  *normal = (vector){n.x / length, n.y / length, n.z / length};
  // A surface that is seen from behind is an error of the differences.
  return normal->x * center.x + normal->y * center.y + normal->z * center.z < 0;
}

ptrdiff_t plb_tracking_gather(
    const plb_tracking_frame *frame, int32_t stride, int32_t done, float *values,
    ptrdiff_t capacity, ptrdiff_t count) {
  const float constant = frame->shared_constant, linear = frame->shared_linear;
  const float quadratic = frame->shared_quadratic;
  for (int32_t row = 0; row < frame->height; row += stride) {
    for (int32_t column = 0; column < frame->width; column += stride) {
      if (done > 0 && row % done == 0 && column % done == 0) continue;
      vector point = point_at(frame, column, row), normal;
      float noise = frame->noise ? frame->noise[row * frame->noise_stride + column] : 0;
      if (!(point.z > 0) || !(noise < INFINITY) || (frame->noise && !(noise > 0))) continue;
      if (!normal_at(frame, column, row, point, noise, &normal)) continue;
      float square = point.z * point.z;
      float shared = constant * constant + linear * linear * square
          + quadratic * quadratic * square * square;
      float parts[PLB_TRACKING_PLANES] = {
        point.x, point.y, point.z, noise * noise + shared, normal.x, normal.y, normal.z};
      for (int plane = 0; plane < PLB_TRACKING_PLANES; plane++)
        values[plane * capacity + count] = parts[plane];
      count++;
    }
  }
  return count;
}

void plb_tracking_normals_row(
    const plb_tracking_frame *frame, int32_t row, float *normals, float *sigma) {
  for (int32_t column = 0; column < frame->width; column++) {
    vector point = point_at(frame, column, row), normal = {NAN, NAN, NAN};
    float noise = frame->noise ? frame->noise[row * frame->noise_stride + column] : 0;
    bool is_surface = point.z > 0 && noise < INFINITY && (!frame->noise || noise > 0);
    if (!is_surface || !normal_at(frame, column, row, point, noise, &normal))
      normal = (vector){NAN, NAN, NAN};
    normals[3 * column] = normal.x;
    normals[3 * column + 1] = normal.y;
    normals[3 * column + 2] = normal.z;
    float along = (normal.x * point.x + normal.y * point.y + normal.z * point.z) / point.z;
    sigma[column] = fabsf(along) * noise;
  }
}
