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

// Loops over lanes are to become vectors, not to be written out.
#define EACH _Pragma("clang loop vectorize(enable) interleave(disable) unroll(disable)")

enum { LANES = 16, PAD = PLB_GUIDED_RADIUS + 1 };

// Planes of column sums hold whole blocks of pixels; prefixes of a row have room on both sides, so that
// every window is the difference of two of them.
static inline ptrdiff_t padded(int32_t width) { return ((ptrdiff_t)width + LANES - 1) / LANES * LANES; }
static inline ptrdiff_t prefix_places(int32_t width) { return PAD + padded(width) + PAD + LANES; }

ptrdiff_t plb_guided_places(int32_t width) {
  return PLB_GUIDED_SUMS * (padded(width) + prefix_places(width));
}

// Adds a row's products to the sums of its columns, or takes them away: sign is 1 or −1 modulo 2³².
static inline __attribute__((always_inline)) void add_row(
    const plb_guided *filter, int32_t y, uint32_t sign, uint32_t *columns) {
  int32_t width = filter->width;
  ptrdiff_t plane = padded(width);
  const uint8_t *guide = filter->guide + 3 * (ptrdiff_t)y * width;
  const uint16_t *input = filter->input + (ptrdiff_t)y * width;
  for (int32_t x = 0; x < width; x += LANES) {
    uint32_t colors[3][LANES] = {{0}}, levels[LANES] = {0}, signed_colors[3][LANES];
    int32_t count = least(LANES, width - x);
    for (int32_t i = 0; i < count; i++) {
      for (int k = 0; k < 3; k++) colors[k][i] = guide[3 * (x + i) + k];
      levels[i] = input[x + i];
    }
    for (int k = 0; k < 3; k++)
      EACH
      for (int i = 0; i < LANES; i++) signed_colors[k][i] = colors[k][i] * sign;
    uint32_t *sum = columns + x;
    for (int k = 0; k < 3; k++, sum += plane)
      EACH
      for (int i = 0; i < LANES; i++) sum[i] += signed_colors[k][i];
    EACH
    for (int i = 0; i < LANES; i++) sum[i] += levels[i] * sign;
    sum += plane;
    for (int k = 0; k < 3; k++, sum += plane)
      EACH
      for (int i = 0; i < LANES; i++) sum[i] += signed_colors[k][i] * levels[i];
    for (int k = 0; k < 3; k++)
      for (int l = k; l < 3; l++, sum += plane)
        EACH
        for (int i = 0; i < LANES; i++) sum[i] += signed_colors[k][i] * colors[l][i];
  }
}

// The line through a window's colors and levels, by the inverse of a symmetric matrix.
static inline __attribute__((always_inline)) void fit(
    const double *sum, double count, double epsilon, int64_t *result) {
  double share = 1 / count;
  double r = sum[0] * share, g = sum[1 * LANES] * share, b = sum[2 * LANES] * share;
  double p = sum[3 * LANES] * share;
  double rp = sum[4 * LANES] * share - r * p, gp = sum[5 * LANES] * share - g * p;
  double bp = sum[6 * LANES] * share - b * p, rr = sum[7 * LANES] * share - r * r + epsilon;
  double rg = sum[8 * LANES] * share - r * g, rb = sum[9 * LANES] * share - r * b;
  double gg = sum[10 * LANES] * share - g * g + epsilon, gb = sum[11 * LANES] * share - g * b;
  double bb = sum[12 * LANES] * share - b * b + epsilon;
  double m0 = gg * bb - gb * gb, m1 = gb * rb - rg * bb, m2 = rg * gb - gg * rb;
  double m4 = rr * bb - rb * rb, m5 = rb * rg - rr * gb, m8 = rr * gg - rg * rg;
  double scale = 1 / (rr * m0 + rg * m1 + rb * m2);
  double red = (m0 * rp + m1 * gp + m2 * bp) * scale;
  double green = (m1 * rp + m4 * gp + m5 * bp) * scale;
  double blue = (m2 * rp + m5 * gp + m8 * bp) * scale;
  double offset = p - red * r - green * g - blue * b;
  result[0] = (int64_t)floor(red * 1048576 + 0.5);
  result[1 * LANES] = (int64_t)floor(green * 1048576 + 0.5);
  result[2 * LANES] = (int64_t)floor(blue * 1048576 + 0.5);
  result[3 * LANES] = (int64_t)floor(offset * 1048576 + 0.5);
}

PLB_CLONES
void plb_guided_coefficients(
    const plb_guided *filter, int32_t first, int32_t end, uint32_t *columns, int64_t *result) {
  int32_t width = filter->width, height = filter->height, radius = filter->radius;
  ptrdiff_t plane = padded(width), places = prefix_places(width);
  uint32_t *prefixes = columns + PLB_GUIDED_SUMS * plane;
  memset(columns, 0, sizeof(uint32_t) * PLB_GUIDED_SUMS * (size_t)plane);
  for (int32_t y = most(first - radius, 0); y < least(first + radius, height); y++)
    add_row(filter, y, 1, columns);
  for (int32_t y = first; y < end; y++) {
    if (y + radius < height) add_row(filter, y + radius, 1, columns);
    if (y > first && y - radius - 1 >= 0) add_row(filter, y - radius - 1, (uint32_t)-1, columns);
    int32_t rows = least(y + radius, height - 1) - most(y - radius, 0) + 1;
    for (int k = 0; k < PLB_GUIDED_SUMS; k++) {
      const uint32_t *column = columns + k * plane;
      uint32_t *prefix = prefixes + k * places, sum = 0;
      for (int32_t i = 0; i < PAD; i++) prefix[i] = 0;
      for (int32_t x = 0; x < width; x++) {
        prefix[PAD + x] = sum;
        sum += column[x];
      }
      for (ptrdiff_t i = PAD + width; i < places; i++) prefix[i] = sum;
    }
    for (int32_t x = 0; x < width; x += LANES) {
      double sums[PLB_GUIDED_SUMS][LANES], counts[LANES];
      int64_t lines[4][LANES];
      for (int k = 0; k < PLB_GUIDED_SUMS; k++) {
        const uint32_t *prefix = prefixes + k * places + PAD + x;
        EACH
        for (int i = 0; i < LANES; i++)
          sums[k][i] = (double)(prefix[i + radius + 1] - prefix[i - radius]);
      }
      EACH
      for (int i = 0; i < LANES; i++) {
        int32_t across = least(x + i + radius, width - 1) - most(x + i - radius, 0) + 1;
        // Lanes beyond the row are thrown away.
        counts[i] = (double)(rows * most(across, 1));
      }
      EACH
      for (int i = 0; i < LANES; i++)
        fit(&sums[0][i], counts[i], filter->epsilon, &lines[0][i]);
      int64_t *target = result + 4 * ((ptrdiff_t)y * width + x);
      for (int i = 0; i < least(LANES, width - x); i++)
        for (int k = 0; k < 4; k++) target[4 * i + k] = lines[k][i];
    }
  }
}

PLB_CLONES
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

PLB_CLONES
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
