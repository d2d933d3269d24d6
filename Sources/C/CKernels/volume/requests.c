#include <math.h>

#include "volume_keys.h"
#include "volume_kernels.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

// Blocks from the origin in each direction that keys reach.
static const double limit = VOLUME_REACH - 2;

ptrdiff_t plb_volume_requests(
    const plb_volume_frame *frame, const plb_volume_pixel *pixels, int32_t row, int32_t every,
    const double *origin, const double *rotation, uint64_t *recent, uint64_t *keys,
    ptrdiff_t capacity) {
  ptrdiff_t count = 0;
  const double ry = ((double)row - (double)frame->center_y) / (double)frame->focal_y;
  const double *r = rotation;
  const double least = 2.5 * (double)frame->voxel;
  // Pixels for each voxel of a frontal surface at 1 m.
  const float density = frame->voxel * frame->focal_x;
  const double sides = sqrt(r[0] * r[0] + r[3] * r[3] + r[6] * r[6]);
  for (int32_t column = 0; column < frame->width; column += every) {
    const plb_volume_pixel *pixel = pixels + column;
    if (!(pixel->weight_per_truncation > 0)) continue;
    // Of pixels that lie closer on the surface than two voxels not all are examined: bands are five thick.
    float apart = pixel->inverse_depth * pixel->inverse_depth * pixel->plane_distance * density;
    int32_t step_mask = apart < 1 ? 0 : apart < 2 ? 1 : 3;
    if ((row | column) & step_mask) continue;
    double rx = ((double)column - (double)frame->center_x) / (double)frame->focal_x;
    double ray[3] = {
      r[0] * rx + r[1] * ry + r[2], r[3] * rx + r[4] * ry + r[5], r[6] * rx + r[7] * ry + r[8]};
    double depth = 1 / (double)pixel->inverse_depth, tau = (double)pixel->truncation;
    // Half of the truncation, 1.5 sigma, and at least 2.5 voxels: a block that only one frame's error reaches
    // is not made for it, and one that exists takes the whole band.
    double half = 0.5 * tau > least ? 0.5 * tau : least;
    // Along the axis: that over the cosine, at most twice of it at slanted surfaces.
    double reach = half * depth / (double)pixel->plane_distance;
    reach = reach < 2 * half ? reach : 2 * half;
    // Steps of half a block at most.
    double wanted = ceil(4 * reach * sides * sqrt(rx * rx + ry * ry + 1));
    int32_t steps = wanted > 2 ? (wanted < 1e4 ? (int32_t)wanted : 10000) : 2;
    for (int32_t step = 0; step <= steps; step++) {
      double z = depth + reach * (2 * (double)step / (double)steps - 1);
      double x = origin[0] + ray[0] * z, y = origin[1] + ray[1] * z, w = origin[2] + ray[2] * z;
      // Written so that NaN is refused.
      if (!(z > 0 && fabs(x) < limit && fabs(y) < limit && fabs(w) < limit)) continue;
      uint64_t key = volume_key(volume_floor(x), volume_floor(y), volume_floor(w));
      // The last key at each of 64 places: most pixels repeat the key of a neighbor.
      uint64_t *slot = recent + ((key ^ key >> 19 ^ key >> 38) & 63);
      if (*slot == key) continue;
      if (count == capacity) return count;
      *slot = key;
      keys[count++] = key;
    }
  }
  return count;
}
