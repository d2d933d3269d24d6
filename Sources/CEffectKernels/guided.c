#include "guided_kernels.h"

#include <math.h>
#include <string.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

void plb_guided_reduce_colors(
    const uint8_t *source, ptrdiff_t stride, int32_t width, int32_t height, int32_t side,
    int32_t first, int32_t end, uint8_t *result) {
  int32_t columns = (width + side - 1) / side;
  for (int32_t row = first; row < end; row++) {
    int32_t top = row * side, bottom = least(top + side, height);
    for (int32_t column = 0; column < columns; column++) {
      int32_t left = column * side, right = least(left + side, width);
      uint32_t sums[3] = {0, 0, 0}, count = (uint32_t)((bottom - top) * (right - left));
      for (int32_t y = top; y < bottom; y++) {
        const uint8_t *pixel = source + 3 * (y * stride + left);
        for (int32_t x = left; x < right; x++, pixel += 3) {
          sums[0] += pixel[0];
          sums[1] += pixel[1];
          sums[2] += pixel[2];
        }
      }
      uint8_t *target = result + 3 * ((ptrdiff_t)row * columns + column);
      for (int k = 0; k < 3; k++) target[k] = (uint8_t)((sums[k] + count / 2) / count);
    }
  }
}

void plb_guided_reduce_levels(
    const uint16_t *source, int32_t width, int32_t height, int32_t side, int32_t first,
    int32_t end, uint16_t *result) {
  int32_t columns = (width + side - 1) / side;
  for (int32_t row = first; row < end; row++) {
    int32_t top = row * side, bottom = least(top + side, height);
    for (int32_t column = 0; column < columns; column++) {
      int32_t left = column * side, right = least(left + side, width);
      uint32_t sum = 0, count = (uint32_t)((bottom - top) * (right - left));
      for (int32_t y = top; y < bottom; y++)
        for (int32_t x = left; x < right; x++) sum += source[(ptrdiff_t)y * width + x];
      result[(ptrdiff_t)row * columns + column] = (uint16_t)((sum + count / 2) / count);
    }
  }
}

// Adds a row's products to the sums of its columns, or takes them away: sign is 1 or −1 modulo 2³².
static inline __attribute__((always_inline)) void add_row(
    const plb_guided *filter, int32_t y, uint32_t sign, uint32_t *restrict columns) {
  int32_t width = filter->width;
  const uint8_t *restrict guide = filter->guide + 3 * (ptrdiff_t)y * width;
  const uint16_t *restrict input = filter->input + (ptrdiff_t)y * width;
  for (int32_t x = 0; x < width; x++) {
    uint32_t red = guide[3 * x], green = guide[3 * x + 1], blue = guide[3 * x + 2];
    uint32_t level = input[x] * sign;
    uint32_t *sum = columns + PLB_GUIDED_SUMS * (ptrdiff_t)x;
    sum[0] += red * sign;
    sum[1] += green * sign;
    sum[2] += blue * sign;
    sum[3] += level;
    sum[4] += red * level;
    sum[5] += green * level;
    sum[6] += blue * level;
    sum[7] += red * red * sign;
    sum[8] += red * green * sign;
    sum[9] += red * blue * sign;
    sum[10] += green * green * sign;
    sum[11] += green * blue * sign;
    sum[12] += blue * blue * sign;
  }
}

// The line through a window's colors and levels, by the inverse of a symmetric matrix.
static inline __attribute__((always_inline)) void fit(
    const uint32_t *sum, double count, double epsilon, int64_t *result) {
  double share = 1 / count;
  double r = sum[0] * share, g = sum[1] * share, b = sum[2] * share, p = sum[3] * share;
  double rp = sum[4] * share - r * p, gp = sum[5] * share - g * p, bp = sum[6] * share - b * p;
  double rr = sum[7] * share - r * r + epsilon, rg = sum[8] * share - r * g;
  double rb = sum[9] * share - r * b, gg = sum[10] * share - g * g + epsilon;
  double gb = sum[11] * share - g * b, bb = sum[12] * share - b * b + epsilon;
  double m0 = gg * bb - gb * gb, m1 = gb * rb - rg * bb, m2 = rg * gb - gg * rb;
  double m4 = rr * bb - rb * rb, m5 = rb * rg - rr * gb, m8 = rr * gg - rg * rg;
  double scale = 1 / (rr * m0 + rg * m1 + rb * m2);
  double red = (m0 * rp + m1 * gp + m2 * bp) * scale;
  double green = (m1 * rp + m4 * gp + m5 * bp) * scale;
  double blue = (m2 * rp + m5 * gp + m8 * bp) * scale;
  double offset = p - red * r - green * g - blue * b;
  result[0] = (int64_t)floor(red * 1048576 + 0.5);
  result[1] = (int64_t)floor(green * 1048576 + 0.5);
  result[2] = (int64_t)floor(blue * 1048576 + 0.5);
  result[3] = (int64_t)floor(offset * 1048576 + 0.5);
}

PLB_MASK_CLONES
void plb_guided_coefficients(
    const plb_guided *filter, int32_t first, int32_t end, uint32_t *columns, int64_t *result) {
  int32_t width = filter->width, height = filter->height, radius = filter->radius;
  memset(columns, 0, sizeof(uint32_t) * PLB_GUIDED_SUMS * (size_t)width);
  for (int32_t y = most(first - radius, 0); y < least(first + radius, height); y++)
    add_row(filter, y, 1, columns);
  for (int32_t y = first; y < end; y++) {
    if (y + radius < height) add_row(filter, y + radius, 1, columns);
    if (y > first && y - radius - 1 >= 0) add_row(filter, y - radius - 1, (uint32_t)-1, columns);
    int32_t rows = least(y + radius, height - 1) - most(y - radius, 0) + 1;
    uint32_t sum[PLB_GUIDED_SUMS] = {0};
    for (int32_t x = 0; x < least(radius, width); x++)
      for (int k = 0; k < PLB_GUIDED_SUMS; k++) sum[k] += columns[PLB_GUIDED_SUMS * x + k];
    for (int32_t x = 0; x < width; x++) {
      if (x + radius < width) {
        const uint32_t *column = columns + PLB_GUIDED_SUMS * (x + radius);
        for (int k = 0; k < PLB_GUIDED_SUMS; k++) sum[k] += column[k];
      }
      if (x - radius - 1 >= 0) {
        const uint32_t *column = columns + PLB_GUIDED_SUMS * (x - radius - 1);
        for (int k = 0; k < PLB_GUIDED_SUMS; k++) sum[k] -= column[k];
      }
      int32_t across = least(x + radius, width - 1) - most(x - radius, 0) + 1;
      fit(sum, (double)(rows * across), filter->epsilon, result + 4 * ((ptrdiff_t)y * width + x));
    }
  }
}

PLB_MASK_CLONES
void plb_guided_means(
    const int64_t *coefficients, int32_t width, int32_t height, int32_t radius, int32_t first,
    int32_t end, int64_t *columns, float *result) {
  ptrdiff_t row = 4 * (ptrdiff_t)width;
  memset(columns, 0, sizeof(int64_t) * (size_t)row);
  for (int32_t y = most(first - radius, 0); y < least(first + radius, height); y++)
    for (ptrdiff_t i = 0; i < row; i++) columns[i] += coefficients[y * row + i];
  for (int32_t y = first; y < end; y++) {
    if (y + radius < height)
      for (ptrdiff_t i = 0; i < row; i++) columns[i] += coefficients[(y + radius) * row + i];
    if (y > first && y - radius - 1 >= 0)
      for (ptrdiff_t i = 0; i < row; i++) columns[i] -= coefficients[(y - radius - 1) * row + i];
    int32_t rows = least(y + radius, height - 1) - most(y - radius, 0) + 1;
    int64_t sum[4] = {0};
    for (int32_t x = 0; x < least(radius, width); x++)
      for (int k = 0; k < 4; k++) sum[k] += columns[4 * x + k];
    for (int32_t x = 0; x < width; x++) {
      if (x + radius < width)
        for (int k = 0; k < 4; k++) sum[k] += columns[4 * (x + radius) + k];
      if (x - radius - 1 >= 0)
        for (int k = 0; k < 4; k++) sum[k] -= columns[4 * (x - radius - 1) + k];
      int32_t across = least(x + radius, width - 1) - most(x - radius, 0) + 1;
      double share = 1 / ((double)(rows * across) * 1048576);
      for (int k = 0; k < 4; k++) result[y * row + 4 * x + k] = (float)((double)sum[k] * share);
    }
  }
}

PLB_MASK_CLONES
void plb_guided_apply(
    const float *upper, const float *lower, float down, int32_t small, float *mixed,
    const uint8_t *guide, int32_t width, int32_t side, float *result) {
  for (int32_t i = 0; i < 4 * small; i++) mixed[i] = upper[i] + (lower[i] - upper[i]) * down;
  float step = 1 / (float)side, limit = (float)(small - 1), top = 255 * PLB_GUIDED_SCALE;
  for (int32_t x = 0; x < width; x++) {
    float place = ((float)x + 0.5f) * step - 0.5f;
    place = place < 0 ? 0 : place > limit ? limit : place;
    int32_t left = (int32_t)place, right = left + 1 < small ? left + 1 : left;
    float share = place - (float)left;
    const float *a = mixed + 4 * left, *b = mixed + 4 * right;
    float red = a[0] + (b[0] - a[0]) * share, green = a[1] + (b[1] - a[1]) * share;
    float blue = a[2] + (b[2] - a[2]) * share, offset = a[3] + (b[3] - a[3]) * share;
    float value = red * guide[3 * x] + green * guide[3 * x + 1] + blue * guide[3 * x + 2] + offset;
    result[x] = value < 0 ? 0 : value > top ? top : value;
  }
}
