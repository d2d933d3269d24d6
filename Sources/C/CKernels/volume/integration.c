#include <string.h>

#include "volume_kernels.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { lanes = 8, rows = 64 };

// What one frame says of the eight voxels of a row.
typedef struct {
  float distance[lanes], weight[lanes], truncation[lanes], variance[lanes];
  float ray2[lanes];  // the squared length of the ray to depth 1
  int32_t index[lanes];
} row_view;

// Fills the places of the pixels; index -1 for voxels outside of the view.
static inline int32_t places(
    const plb_volume_frame *frame, const float *start, const float *step, float *u, float *v,
    float *z, float *ray2, int32_t *index) {
  const float right = (float)frame->width - 0.5f, bottom = (float)frame->height - 0.5f;
  int32_t any = 0;
  for (int i = 0; i < lanes; i++) {
    float x = start[0] + (float)i * step[0], y = start[1] + (float)i * step[1];
    float depth = start[2] + (float)i * step[2];
    float inverse = 1 / depth;
    float column = frame->focal_x * x * inverse + frame->center_x;
    float row = frame->focal_y * y * inverse + frame->center_y;
    int32_t inside = (depth > 0) & (column > -0.5f) & (row > -0.5f) & (column < right)
                     & (row < bottom);
    column = inside ? column : 0;
    row = inside ? row : 0;
    int32_t px = (int32_t)(column + 0.5f), py = (int32_t)(row + 0.5f);
    u[i] = column - (float)px;
    v[i] = row - (float)py;
    z[i] = depth;
    ray2[i] = inside ? 1 + (x * x + y * y) * inverse * inverse : 1;
    index[i] = inside ? py * frame->width + px : -1;
    any |= inside;
  }
  return any;
}

// Eight pixels, one array for each part; the last part is the color's bits.
enum { parts = 8 };
typedef float eight __attribute__((vector_size(32)));
_Static_assert(sizeof(plb_volume_pixel) == sizeof(eight), "a pixel fills a vector");

static inline __attribute__((always_inline)) void gather(
    const plb_volume_pixel *pixels, const int32_t *index, float part[parts][lanes]) {
  eight row[lanes], a[lanes], b[lanes], result;
  for (int i = 0; i < lanes; i++)
    memcpy(&row[i], pixels + (index[i] < 0 ? 0 : index[i]), sizeof(eight));
  // An 8 x 8 transposition: pairs, then fours, then halves.
  for (int i = 0; i < lanes; i += 2) {
    a[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < lanes; i += 4) {
    for (int k = 0; k < 2; k++) {
      b[i + 2 * k] = __builtin_shufflevector(a[i + k], a[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 2 * k + 1] =
          __builtin_shufflevector(a[i + k], a[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; i++) {
    result = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    memcpy(part[i], &result, sizeof(result));
    result = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    memcpy(part[i + 4], &result, sizeof(result));
  }
}

// Distance to the plane of the pixel and the weight there: full in front, falling to 0 from a third
// of the truncation behind the surface to all of it, so that the back of thin things is kept; and 0 from two
// truncations behind it along the ray, where a slanted ray may have left the thing again. Returns whether any
// weight is above 0.
static inline __attribute__((always_inline)) int32_t observe(
    const plb_volume_pixel *pixels, const float *u, const float *v, const float *z,
    row_view *view) {
  int32_t any = 0;
  float part[parts][lanes];
  gather(pixels, view->index, part);
  for (int i = 0; i < lanes; i++) {
    float inverse_depth = part[0][i], plane = part[3][i], weight = part[4][i], tau = part[6][i];
    float inverse = inverse_depth + part[1][i] * u[i] + part[2][i] * v[i];
    float distance = (1 - z[i] * inverse) * plane;
    float behind = (distance + tau) * 1.5f, factor = behind < tau ? behind : tau;
    int32_t seen = (view->index[i] >= 0) & (factor > 0) & (weight > 0)
                   & (z[i] * inverse < 1 + 2 * tau * inverse);
    // A pixel without a surface has a truncation of 0.
    float faded = weight * (factor / (weight > 0 ? tau : 1));
    float here = distance > tau ? part[5][i] : faded;
    // The noise along the axis moves the plane by `along` of it, with w = cos^2 / sigma^2 and cos = along / |ray|.
    float along = inverse_depth * plane, along2 = along * along;
    view->variance[i] = along2 * along2 / view->ray2[i];
    view->distance[i] = distance;
    view->weight[i] = seen ? here : 0;
    view->truncation[i] = tau;
    any |= seen;
  }
  return any;
}

// Weighted means. What lies beyond the truncation in front is free space: it changes only voxels behind a
// surface, and its weight is bounded.
static inline int32_t add(
    const plb_volume_frame *frame, const row_view *view, float *values, float *weights,
    float *variances) {
  // Copies, so that no store can change what is read.
  float mean[lanes], sum[lanes], weight_sum[lanes], variance_sum[lanes];
  memcpy(mean, values, sizeof(mean));
  memcpy(sum, values + lanes, sizeof(sum));
  memcpy(weight_sum, weights, sizeof(weight_sum));
  memcpy(variance_sum, variances, sizeof(variance_sum));
  const float free_views = frame->free_views, voxel = frame->voxel;
  int32_t near = 0;
  for (int i = 0; i < lanes; i++) {
    float w = view->weight[i], d = view->distance[i], tau = view->truncation[i];
    float old = sum[i], before = mean[i], grown = old + w;
    int32_t is_free = d > tau, used = (w > 0) & (!is_free | (before < 0));
    float target = is_free ? tau : d;
    float moved = before + w * (target - before) / (used ? grown : 1);
    float most = free_views * w, bounded = grown < most ? grown : most;
    bounded = bounded > old ? bounded : old;
    float total = is_free ? bounded : grown;
    mean[i] = used ? moved : before;
    sum[i] = used ? total : old;
    int32_t close = (w > 0) & (d < voxel) & (d > -voxel);
    weight_sum[i] += close ? w : 0;
    variance_sum[i] += close ? w * view->variance[i] : 0;
    near += close;
  }
  memcpy(values, mean, sizeof(mean));
  memcpy(values + lanes, sum, sizeof(sum));
  memcpy(weights, weight_sum, sizeof(weight_sum));
  memcpy(variances, variance_sum, sizeof(variance_sum));
  return near;
}

// Colors near the surface; the share of the new one is that of its weight.
static void paint(
    const plb_volume_pixel *pixels, const row_view *view, const float *sum, float limit,
    uint16_t *colors) {
  for (int i = 0; i < lanes; i++) {
    if (!(view->weight[i] > 0 && view->distance[i] < limit && view->distance[i] > -limit)) continue;
    uint32_t color = pixels[view->index[i]].color;
    if (color == 0) continue;
    float share = view->weight[i] / sum[i];
    int first = colors[i] == 0;
    for (int channel = 0; channel < 3; channel++) {
      // Red in 256ths plus one, so that 0 is no color.
      float now = (float)((color >> (8 * channel)) & 255) * 256;
      float old = (float)colors[channel * lanes + i] - 1;
      float mixed = first ? now : old + (now - old) * share;
      colors[channel * lanes + i] = (uint16_t)(mixed + 1.5f);
    }
  }
}

PLB_CLONES_256
plb_volume_change plb_volume_integrate(
    const plb_volume_frame *frame, const plb_volume_pixel *pixels, const float *origin,
    const float *steps, float *values, uint16_t *colors) {
  plb_volume_change change = {0};
  float weights[lanes] = {0}, variances[lanes] = {0};
  for (int row = 0; row < rows; row++) {
    float u[lanes], v[lanes], z[lanes], start[3];
    row_view view;
    for (int c = 0; c < 3; c++)
      start[c] = origin[c] + (float)(row & 7) * steps[3 + c] + (float)(row >> 3) * steps[6 + c];
    float *here = values + row * 2 * lanes;
    if (places(frame, start, steps, u, v, z, view.ray2, view.index) && observe(pixels, u, v, z, &view)) {
      int32_t close = add(frame, &view, here, weights, variances);
      if (close && colors)
        paint(pixels, &view, here + lanes, 2 * frame->voxel, colors + row * 3 * lanes);
      change.near += close;
    }
    for (int i = 0; i < lanes; i++) change.has_solid |= here[i] < 0;
  }
  for (int i = 0; i < lanes; i++) {
    change.weight += weights[i];
    change.variance += variances[i];
  }
  return change;
}
