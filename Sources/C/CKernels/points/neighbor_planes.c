#include <math.h>
#include <string.h>

#include "point_kernels.h"

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// Eight points at a time, each in a lane of its own that no other changes.
enum { LANES = 8 };
typedef double lanes __attribute__((ext_vector_type(LANES)));
// What comparing lanes gives: `long` has the size of `int64_t` everywhere, and on Apple's systems it is another type.
typedef __typeof__((lanes)0 == (lanes)0) lane_bits;

// One rotation of Jacobi's method in the plane (p, q); r is the third axis. Lanes that are done turn by nothing.
INLINE void rotate(lanes a[3][3], lanes v[3][3], const lane_bits *done, int p, int q, int r) {
  const lane_bits isStill = *done | (a[p][q] == 0);
  const lanes theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const lanes size =
      1 / (__builtin_elementwise_abs(theta) + __builtin_elementwise_sqrt(theta * theta + 1));
  lanes t = theta < 0 ? -size : size;
  t = isStill ? (lanes)0 : t;
  const lanes c = 1 / __builtin_elementwise_sqrt(t * t + 1), s = t * c, entry = a[p][q];
  a[p][p] -= t * entry;
  a[q][q] += t * entry;
  a[p][q] = a[q][p] = isStill ? entry : (lanes)0;
  const lanes rp = a[r][p], rq = a[r][q];
  a[r][p] = a[p][r] = c * rp - s * rq;
  a[r][q] = a[q][r] = s * rp + c * rq;
  for (int k = 0; k < 3; k++) {
    const lanes kp = v[k][p], kq = v[k][q];
    v[k][p] = c * kp - s * kq;
    v[k][q] = s * kp + c * kq;
  }
}

// Diagonalizes a; v becomes the vectors as columns. Golub and Van Loan, Matrix Computations, section 8.5:
// convergence is quadratic, and eight sweeps are more than three rows ever need.
INLINE void diagonalize(lanes a[3][3], lanes v[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) v[i][j] = i == j;
  const lanes size = __builtin_elementwise_abs(a[0][0]) + __builtin_elementwise_abs(a[1][1]) +
                     __builtin_elementwise_abs(a[2][2]);
  for (int sweep = 0; sweep < 8; sweep++) {
    const lane_bits done =
        __builtin_elementwise_abs(a[0][1]) + __builtin_elementwise_abs(a[0][2]) +
            __builtin_elementwise_abs(a[1][2]) <=
        1e-16 * size;
    if (__builtin_reduce_and(done) != 0) return;
    rotate(a, v, &done, 0, 1, 2);
    rotate(a, v, &done, 0, 2, 1);
    rotate(a, v, &done, 1, 2, 0);
  }
}

// The mean of products about the mean; returns how many neighbors there are. The products are summed about the
// place itself, among its neighbors, so that nothing is lost by taking the mean off afterwards.
INLINE int32_t covariance(
    const float *points, const uint64_t *list, int32_t neighbors, const float *place,
    double a[6]) {
  double sum[3] = {0, 0, 0}, squares[6] = {0, 0, 0, 0, 0, 0};
  int32_t number = 0;
  for (; number < neighbors && list[number] != UINT64_MAX; number++) {
    const float *p = points + 3 * (size_t)(uint32_t)list[number];
    const double x = (double)p[0] - place[0], y = (double)p[1] - place[1],
                 z = (double)p[2] - place[2];
    sum[0] += x;
    sum[1] += y;
    sum[2] += z;
    squares[0] += x * x;
    squares[1] += x * y;
    squares[2] += x * z;
    squares[3] += y * y;
    squares[4] += y * z;
    squares[5] += z * z;
  }
  const double share = 1.0 / (number > 0 ? number : 1);
  int entry = 0;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++, entry++)
      a[entry] = (squares[entry] - sum[i] * sum[j] * share) * share;
  return number;
}

// The plane of one lane, as plb_neighbor_planes states it.
INLINE void plane(
    lanes a[3][3], lanes v[3][3], int lane, int32_t number, const float *place,
    const float *viewpoint, float *normal, float *values) {
  const double d[3] = {a[0][0][lane], a[1][1][lane], a[2][2][lane]};
  int least = 0, most = 0;
  for (int k = 1; k < 3; k++) {
    if (d[k] < d[least]) least = k;
    if (d[k] >= d[most]) most = k;
  }
  const int middle = 3 - least - most;
  // Coordinates have 24 bits: a second spread below 1e-12 of the first, squared, is rounding.
  if (number < 3 || least == most || !(d[middle] > 1e-12 * d[most])) {
    for (int k = 0; k < 3; k++) normal[k] = values[k] = NAN;
    return;
  }
  double toward = 0;
  for (int k = 0; k < 3; k++) toward += v[k][least][lane] * ((double)viewpoint[k] - place[k]);
  const double sign = toward < 0 ? -1 : 1;
  for (int k = 0; k < 3; k++) normal[k] = (float)(sign * v[k][least][lane]);
  values[0] = (float)(d[least] > 0 ? d[least] : 0);
  values[1] = (float)d[middle];
  values[2] = (float)d[most];
}

PLB_CLONES
void plb_neighbor_planes(
    const float *points, const uint64_t *found, ptrdiff_t count, int32_t neighbors,
    const float *places, const float *viewpoint, float *normals, float *values) {
  static const int entries[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (ptrdiff_t first = 0; first < count; first += LANES) {
    const int used = count - first < LANES ? (int)(count - first) : LANES;
    int32_t numbers[LANES];
    double columns[6][LANES] = {{0}};
    for (int lane = 0; lane < used; lane++) {
      double own[6];
      numbers[lane] = covariance(
          points, found + (first + lane) * neighbors, neighbors, places + 3 * (first + lane), own);
      for (int entry = 0; entry < 6; entry++) columns[entry][lane] = own[entry];
    }
    lanes a[3][3], v[3][3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) memcpy(&a[i][j], columns[entries[i][j]], sizeof a[i][j]);
    diagonalize(a, v);
    for (int lane = 0; lane < used; lane++) {
      const ptrdiff_t i = 3 * (first + lane);
      plane(a, v, lane, numbers[lane], places + i, viewpoint, normals + i, values + i);
    }
  }
}
