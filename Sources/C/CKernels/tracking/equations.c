#include "tracking_kernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { BLOCK = 256, LANES = 8 };

// The points of one block that have a weight.
typedef struct {
  float jacobian[6][BLOCK], own[6][BLOCK];
  float weight[BLOCK], residual[BLOCK];
  int count;
} block_rows;

// Moves a block of points into the view and finds the nearest pixel of each, -1 outside.
static inline void project_block(
    const plb_tracking_view *view, const float *x, const float *y, const float *z, int count,
    float moved[3][BLOCK], int32_t *pixels) {
  const float *r = view->rotation, *t = view->translation;
  const float right = (float)view->width - 0.5f, bottom = (float)view->height - 0.5f;
  for (int i = 0; i < count; i++) {
    float a = r[0] * x[i] + r[1] * y[i] + r[2] * z[i] + t[0];
    float b = r[3] * x[i] + r[4] * y[i] + r[5] * z[i] + t[1];
    float c = r[6] * x[i] + r[7] * y[i] + r[8] * z[i] + t[2];
    float u = a / c * view->focal_x + view->principal_x;
    float v = b / c * view->focal_y + view->principal_y;
    // Not a number lies outside.
    int inside = (c > 0) & (u >= -0.5f) & (u < right) & (v >= -0.5f) & (v < bottom);
    int32_t column = (int32_t)((inside ? u : 0) + 0.5f), row = (int32_t)((inside ? v : 0) + 0.5f);
    moved[0][i] = a;
    moved[1][i] = b;
    moved[2][i] = c;
    // A sum that rounds up to the width belongs to the last column.
    column = column < view->width ? column : view->width - 1;
    row = row < view->height ? row : view->height - 1;
    pixels[i] = inside ? row * view->width + column : -1;
  }
}

static inline void add_lanes(double *sum, const double *lanes) {
  *sum += ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
      + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// Σ a·b over a block, whose rows are padded with 0.
static inline void add_products(double *sum, const double *a, const float *b, int count) {
  double lanes[LANES] = {0};
  for (int i = 0; i < count; i += LANES)
    for (int lane = 0; lane < LANES; lane++) lanes[lane] += a[i + lane] * (double)b[i + lane];
  add_lanes(sum, lanes);
}

// w·a of each row of a block.
static inline void weigh(const float *weights, const float *a, int count, double *weighted) {
  for (int i = 0; i < count; i++) weighted[i] = (double)weights[i] * (double)a[i];
}

static inline void add_block(block_rows *rows, plb_tracking_sums *sums) {
  float ones[BLOCK];
  double weighted[BLOCK];
  int count = (rows->count + LANES - 1) / LANES * LANES;
  for (int i = rows->count; i < count; i++) {
    rows->weight[i] = rows->residual[i] = 0;
    for (int k = 0; k < 6; k++) rows->jacobian[k][i] = rows->own[k][i] = 0;
  }
  for (int i = 0; i < count; i++) ones[i] = 1;
  int entry = 0;
  for (int a = 0; a < 6; a++) {
    weigh(rows->weight, rows->jacobian[a], count, weighted);
    for (int b = a; b < 6; b++, entry++) {
      add_products(&sums->information[entry], weighted, rows->jacobian[b], count);
      add_products(&sums->confirmed[entry], weighted, rows->own[b], count);
    }
    add_products(&sums->gradient[a], weighted, rows->residual, count);
  }
  weigh(rows->weight, rows->residual, count, weighted);
  add_products(&sums->cost, weighted, rows->residual, count);
  weigh(rows->weight, ones, count, weighted);
  add_products(&sums->weight, weighted, ones, count);
}

// The derivatives of n·p by a small motion of p.
static inline void add_derivatives(
    float rows[6][BLOCK], int k, float x, float y, float z, const float n[3]) {
  rows[0][k] = y * n[2] - z * n[1];
  rows[1][k] = z * n[0] - x * n[2];
  rows[2][k] = x * n[1] - y * n[0];
  rows[3][k] = n[0];
  rows[4][k] = n[1];
  rows[5][k] = n[2];
}

// Adds one point that falls on a pixel of the view; returns its residual, NaN where it has no weight.
static inline float add_point(
    const plb_tracking_view *view, const float *values, ptrdiff_t capacity, int32_t pixel,
    const float moved[3], block_rows *rows, plb_tracking_sums *sums) {
  int32_t row = pixel / view->width, column = pixel % view->width;
  float depth = view->depth[row * view->depth_stride + column];
  const float *n = view->normals + 3 * (row * view->normal_stride + column), *r = view->rotation;
  if (!(depth > 0) || !(n[0] == n[0])) return NAN;
  sums->seen++;
  const float x = values[0], y = values[capacity], z = values[2 * capacity];
  // The normal in the axes of the frame's camera.
  float m[3] = {
    r[0] * n[0] + r[3] * n[1] + r[6] * n[2], r[1] * n[0] + r[4] * n[1] + r[7] * n[2],
    r[2] * n[0] + r[5] * n[1] + r[8] * n[2]};
  const float own[3] = {values[4 * capacity], values[5 * capacity], values[6 * capacity]};
  float cosine = m[0] * own[0] + m[1] * own[1] + m[2] * own[2];
  if (!(cosine >= view->cosine)) return NAN;
  float residual = n[0] * (moved[0] - ((float)column - view->principal_x) / view->focal_x * depth)
      + n[1] * (moved[1] - ((float)row - view->principal_y) / view->focal_y * depth)
      + n[2] * (moved[2] - depth);
  // An error along the ray of the frame moves the point by this much along the normal.
  float along = (m[0] * x + m[1] * y + m[2] * z) / z;
  float sigma = view->sigma[row * view->sigma_stride + column];
  float variance = values[3 * capacity] * along * along + (sigma == sigma ? sigma * sigma : 0)
      + view->coarse_share * view->coarse_share * z * z;
  if (!(variance > 0)) return NAN;
  float square = residual * residual / variance, limit = view->cutoff * view->cutoff;
  float place = sqrtf(square) * PLB_TRACKING_BINS_PER_SIGMA;
  sums->bins[place < PLB_TRACKING_BINS - 1 ? (int)place : PLB_TRACKING_BINS - 1]++;
  if (!(square < limit)) return NAN;
  sums->used++;
  float share = 1 - square / limit;
  int k = rows->count++;
  rows->weight[k] = share * share / variance;
  rows->residual[k] = residual;
  add_derivatives(rows->jacobian, k, x, y, z, m);
  add_derivatives(rows->own, k, x, y, z, own);
  return residual;
}

PLB_CLONES
void plb_tracking_accumulate(
    const plb_tracking_view *view, const float *values, ptrdiff_t capacity, ptrdiff_t first,
    ptrdiff_t last, plb_tracking_sums *sums, float *residuals) {
  float moved[3][BLOCK];
  int32_t pixels[BLOCK];
  block_rows rows;
  for (ptrdiff_t start = first; start < last; start += BLOCK) {
    int count = (int)(last - start < BLOCK ? last - start : BLOCK);
    const float *points = values + start;
    project_block(
        view, points, points + capacity, points + 2 * capacity, count, moved, pixels);
    rows.count = 0;
    for (int i = 0; i < count; i++) {
      const float place[3] = {moved[0][i], moved[1][i], moved[2][i]};
      float residual = NAN;
      if (pixels[i] >= 0)
        residual = add_point(view, points + i, capacity, pixels[i], place, &rows, sums);
      if (residuals) residuals[start + i] = residual;
    }
    add_block(&rows, sums);
  }
}
