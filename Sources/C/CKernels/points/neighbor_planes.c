#include <math.h>

#include "point_kernels.h"

#pragma STDC FP_CONTRACT OFF

// One rotation of Jacobi's method in the plane (p, q); r is the third axis.
static inline void rotate(double a[3][3], double v[3][3], int p, int q, int r) {
  if (a[p][q] == 0) return;
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c, entry = a[p][q];
  a[p][p] -= t * entry;
  a[q][q] += t * entry;
  a[p][q] = a[q][p] = 0;
  const double rp = a[r][p], rq = a[r][q];
  a[r][p] = a[p][r] = c * rp - s * rq;
  a[r][q] = a[q][r] = s * rp + c * rq;
  for (int k = 0; k < 3; k++) {
    const double kp = v[k][p], kq = v[k][q];
    v[k][p] = c * kp - s * kq;
    v[k][q] = s * kp + c * kq;
  }
}

// Diagonalizes a; v becomes the vectors as columns. Golub and Van Loan, Matrix Computations, section 8.5:
// convergence is quadratic, and eight sweeps are more than three rows ever need.
static void diagonalize(double a[3][3], double v[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) v[i][j] = i == j;
  const double size = fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]);
  for (int sweep = 0; sweep < 8; sweep++) {
    if (fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]) <= 1e-16 * size) return;
    rotate(a, v, 0, 1, 2);
    rotate(a, v, 0, 2, 1);
    rotate(a, v, 1, 2, 0);
  }
}

// Mean of products about the mean; returns how many neighbors there are.
static int32_t covariance(
    const float *points, const uint64_t *list, int32_t neighbors, double a[3][3]) {
  double mean[3] = {0, 0, 0}, sums[6] = {0, 0, 0, 0, 0, 0};
  int32_t number = 0;
  for (; number < neighbors && list[number] != UINT64_MAX; number++)
    for (int k = 0; k < 3; k++) mean[k] += points[3 * (size_t)(uint32_t)list[number] + k];
  for (int k = 0; k < 3; k++) mean[k] /= number > 0 ? number : 1;
  for (int32_t i = 0; i < number; i++) {
    const float *p = points + 3 * (size_t)(uint32_t)list[i];
    const double x = p[0] - mean[0], y = p[1] - mean[1], z = p[2] - mean[2];
    sums[0] += x * x;
    sums[1] += x * y;
    sums[2] += x * z;
    sums[3] += y * y;
    sums[4] += y * z;
    sums[5] += z * z;
  }
  const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a[i][j] = sums[place[i][j]] / (number > 0 ? number : 1);
  return number;
}

void plb_neighbor_planes(
    const float *points, const uint64_t *found, ptrdiff_t count, int32_t neighbors,
    const float *places, const float *viewpoint, float *normals, float *values) {
  for (ptrdiff_t i = 0; i < count; i++) {
    double a[3][3], v[3][3];
    const int32_t number = covariance(points, found + i * neighbors, neighbors, a);
    int least = 0, most = 0;
    if (number >= 3) diagonalize(a, v);
    for (int k = 1; k < 3; k++) {
      if (a[k][k] < a[least][least]) least = k;
      if (a[k][k] >= a[most][most]) most = k;
    }
    const int middle = 3 - least - most;
    // Coordinates have 24 bits: a second spread below 1e-12 of the first, squared, is rounding.
    if (number < 3 || least == most || !(a[middle][middle] > 1e-12 * a[most][most])) {
      for (int k = 0; k < 3; k++) normals[3 * i + k] = values[3 * i + k] = NAN;
      continue;
    }
    double toward = 0;
    for (int k = 0; k < 3; k++) toward += v[k][least] * ((double)viewpoint[k] - places[3 * i + k]);
    const double sign = toward < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) normals[3 * i + k] = (float)(sign * v[k][least]);
    values[3 * i] = (float)(a[least][least] > 0 ? a[least][least] : 0);
    values[3 * i + 1] = (float)a[middle][middle];
    values[3 * i + 2] = (float)a[most][most];
  }
}
