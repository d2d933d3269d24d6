#pragma STDC FP_CONTRACT OFF
#include "stereo_kernels.h"
#include <math.h>

PLB_CLONES
void plb_corner_strength(
    const uint8_t *gray, size_t width, size_t height, size_t radius, float *scratch,
    float *strength) {
  for (size_t i = 0; i < width * height; i++) strength[i] = 0;
  const size_t border = radius + 1, side = 2 * radius + 1;
  if (width <= 2 * border || height <= 2 * border) return;
  const float scale = 1.0f / (float)(4 * side * side);
  float *xx = scratch, *xy = scratch + width, *yy = scratch + 2 * width;
  for (size_t y = border; y + border < height; y++) {
    // Columns of the window first: neighbors in memory, which the compiler vectorizes. All sums are
    // of whole numbers below 2^24, which single precision holds exactly.
    for (size_t x = 0; x < 3 * width; x++) scratch[x] = 0;
    for (size_t row = y - radius; row <= y + radius; row++) {
      const uint8_t *line = gray + row * width;
      for (size_t x = 1; x + 1 < width; x++) {
        const float gx = (float)((int)line[x + 1] - (int)line[x - 1]);
        const float gy = (float)((int)line[x + width] - (int)line[x - width]);
        xx[x] += gx * gx;
        xy[x] += gx * gy;
        yy[x] += gy * gy;
      }
    }
    for (size_t x = border; x + border < width; x++) {
      float a = 0, b = 0, c = 0;
      for (size_t column = x - radius; column <= x + radius; column++) {
        a += xx[column];
        b += xy[column];
        c += yy[column];
      }
      const float half = (a - c) * 0.5f;
      strength[y * width + x] = ((a + c) * 0.5f - sqrtf(half * half + b * b)) * scale;
    }
  }
}

PLB_CLONES
void plb_box_sums(
    const uint8_t *gray, size_t width, size_t height, size_t radius, uint32_t *scratch,
    uint32_t *sums) {
  for (size_t i = 0; i < width * height; i++) sums[i] = 0;
  if (width <= 2 * radius || height <= 2 * radius) return;
  for (size_t y = radius; y + radius < height; y++) {
    for (size_t x = 0; x < width; x++) scratch[x] = 0;
    for (size_t row = y - radius; row <= y + radius; row++)
      for (size_t x = 0; x < width; x++) scratch[x] += gray[row * width + x];
    uint32_t sum = 0;
    for (size_t x = 0; x < 2 * radius; x++) sum += scratch[x];
    for (size_t x = radius; x + radius < width; x++) {
      sum += scratch[x + radius];
      sums[y * width + x] = sum;
      sum -= scratch[x - radius];
    }
  }
}

PLB_CLONES
void plb_nearest_descriptors(
    const uint64_t *descriptors, size_t count, const uint64_t *others, size_t otherCount,
    int32_t *nearest, int32_t *distances, int32_t *secondDistances) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t *own = descriptors + 4 * i;
    int32_t best = 257, second = 257, place = -1;
    for (size_t j = 0; j < otherCount; j++) {
      const uint64_t *other = others + 4 * j;
      const int32_t distance = __builtin_popcountll(own[0] ^ other[0]) +
          __builtin_popcountll(own[1] ^ other[1]) + __builtin_popcountll(own[2] ^ other[2]) +
          __builtin_popcountll(own[3] ^ other[3]);
      if (distance < best) {
        second = best;
        best = distance;
        place = (int32_t)j;
      } else if (distance < second) {
        second = distance;
      }
    }
    nearest[i] = place;
    distances[i] = best;
    secondDistances[i] = second;
  }
}

// Samples a window around a position, one pixel wider than it, bilinearly; 0 where it leaves the
// image. Precondition: the position is finite.
static int window(
    const uint8_t *gray, size_t width, size_t height, size_t radius, double x, double y,
    double *samples) {
  const double reach = (double)radius + 1;
  if (!(x >= reach && y >= reach && x + reach + 1 < (double)width && y + reach + 1 < (double)height))
    return 0;
  const double left = x - reach, top = y - reach;
  const size_t column = (size_t)left, row = (size_t)top, side = 2 * radius + 3;
  const double u = left - (double)column, v = top - (double)row;
  for (size_t j = 0; j < side; j++) {
    const uint8_t *line = gray + (row + j) * width + column;
    for (size_t i = 0; i < side; i++) {
      const double upper = line[i] + u * ((double)line[i + 1] - line[i]);
      const double lower = line[i + width] + u * ((double)line[i + width + 1] - line[i + width]);
      samples[j * side + i] = upper + v * (lower - upper);
    }
  }
  return 1;
}

enum { maximumSide = 2 * 15 + 3 };

float plb_refine_place(
    const uint8_t *left, const uint8_t *right, size_t width, size_t height, size_t rightWidth,
    size_t rightHeight, size_t radius, const double *leftXY, double *rightXY) {
  const size_t side = 2 * radius + 3, inner = 2 * radius + 1;
  const double count = (double)(inner * inner);
  double a[maximumSide * maximumSide], b[maximumSide * maximumSide];
  if (!window(left, width, height, radius, leftXY[0], leftXY[1], a)) return -2;
  double meanA = 0, varianceA = 0;
  for (size_t j = 1; j <= inner; j++)
    for (size_t i = 1; i <= inner; i++) meanA += a[j * side + i];
  meanA /= count;
  for (size_t j = 1; j <= inner; j++)
    for (size_t i = 1; i <= inner; i++) {
      const double d = a[j * side + i] - meanA;
      varianceA += d * d;
    }
  if (!(varianceA > count)) return -2;
  double x = rightXY[0], y = rightXY[1], correlation = -2;
  for (int step = 0; step < 12; step++) {
    if (!window(right, rightWidth, rightHeight, radius, x, y, b)) return -2;
    double meanB = 0, varianceB = 0, product = 0;
    for (size_t j = 1; j <= inner; j++)
      for (size_t i = 1; i <= inner; i++) meanB += b[j * side + i];
    meanB /= count;
    for (size_t j = 1; j <= inner; j++)
      for (size_t i = 1; i <= inner; i++) {
        const double d = b[j * side + i] - meanB;
        varianceB += d * d;
        product += d * (a[j * side + i] - meanA);
      }
    if (!(varianceB > count)) return -2;
    correlation = product / sqrt(varianceA * varianceB);
    if (step == 11) break;
    // Gauss-Newton with the right image's gradients, contrast and brightness taken out.
    const double gain = sqrt(varianceB / varianceA);
    double xx = 0, xy = 0, yy = 0, rx = 0, ry = 0;
    for (size_t j = 1; j <= inner; j++)
      for (size_t i = 1; i <= inner; i++) {
        const size_t at = j * side + i;
        const double gx = (b[at + 1] - b[at - 1]) / 2, gy = (b[at + side] - b[at - side]) / 2;
        const double residual = gain * (a[at] - meanA) - (b[at] - meanB);
        xx += gx * gx;
        xy += gx * gy;
        yy += gy * gy;
        rx += gx * residual;
        ry += gy * residual;
      }
    const double determinant = xx * yy - xy * xy;
    if (!(determinant > 1e-6 * (xx + yy) * (xx + yy))) return -2;
    const double dx = (yy * rx - xy * ry) / determinant, dy = (xx * ry - xy * rx) / determinant;
    if (dx * dx + dy * dy > 4) return -2;
    x += dx;
    y += dy;
    if (dx * dx + dy * dy < 1e-6) step = 10;
  }
  rightXY[0] = x;
  rightXY[1] = y;
  return (float)correlation;
}
