#include "matting_kernels.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

// Colors of photos are often all on a line, so that the covariances' determinant is a small difference of
// large products: in single precision nothing would be left of it.
//
// What is known of the colors of a window: their means, and the inverse of their covariances (xx, xy, xz,
// yy, yz, zz). `is_valid` is 0 for a window that leaves the image.
typedef struct {
  int is_valid;
  double mean[3], inverse[6];
} window;

// A window's colors, 9 of each.
static inline void gather(
    const uint16_t *colors, int32_t width, int32_t x, int32_t y, double levels[3][9]) {
  for (int32_t row = 0; row < 3; row++) {
    const uint16_t *from = colors + 3 * ((ptrdiff_t)(y + row - 1) * width + x - 1);
    for (int32_t column = 0; column < 3; column++)
      for (int k = 0; k < 3; k++) levels[k][3 * row + column] = from[3 * column + k];
  }
}

static window window_at(
    const uint16_t *colors, int32_t width, int32_t height, float epsilon, int32_t x, int32_t y) {
  window found = {0};
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return found;
  double levels[3][9], sums[3] = {0};
  gather(colors, width, x, y, levels);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 9; i++) sums[k] += levels[k][i];
    found.mean[k] = sums[k] / 9;
    for (int i = 0; i < 9; i++) levels[k][i] -= found.mean[k];
  }
  double c[6] = {0};
  for (int i = 0; i < 9; i++) {
    double red = levels[0][i], green = levels[1][i], blue = levels[2][i];
    c[0] += red * red;
    c[1] += red * green;
    c[2] += red * blue;
    c[3] += green * green;
    c[4] += green * blue;
    c[5] += blue * blue;
  }
  // The sums of squares are nine times the covariances, and so is epsilon: it cancels in the inverse.
  c[0] += epsilon;
  c[3] += epsilon;
  c[5] += epsilon;
  double a = c[3] * c[5] - c[4] * c[4], b = c[2] * c[4] - c[1] * c[5];
  double d = c[1] * c[4] - c[2] * c[3];
  double scale = 9 / (c[0] * a + c[1] * b + c[2] * d);
  found.inverse[0] = a * scale;
  found.inverse[1] = b * scale;
  found.inverse[2] = d * scale;
  found.inverse[3] = (c[0] * c[5] - c[2] * c[2]) * scale;
  found.inverse[4] = (c[1] * c[2] - c[0] * c[4]) * scale;
  found.inverse[5] = (c[0] * c[3] - c[1] * c[1]) * scale;
  found.is_valid = 1;
  return found;
}

static inline void multiply(const double m[6], const double v[3], double result[3]) {
  result[0] = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
  result[1] = m[1] * v[0] + m[3] * v[1] + m[4] * v[2];
  result[2] = m[2] * v[0] + m[4] * v[1] + m[5] * v[2];
}

// The nine windows that hold a pixel, columns first; those of the pixel before are moved along.
static void move_windows(
    const uint16_t *colors, int32_t width, int32_t height, float epsilon, int32_t x, int32_t y,
    int is_next, window windows[3][3]) {
  if (is_next) memmove(windows[0], windows[1], 2 * sizeof windows[0]);
  for (int column = is_next ? 2 : 0; column < 3; column++)
    for (int row = 0; row < 3; row++)
      windows[column][row] =
          window_at(colors, width, height, epsilon, x + column - 1, y + row - 1);
}

PLB_CLONES
void plb_matting_reduce(
    const uint8_t *colors, ptrdiff_t stride, int32_t width, int32_t height, int32_t side,
    const uint16_t *light, int32_t first, int32_t end, uint16_t *result) {
  int32_t columns = (width + side - 1) / side;
  for (int32_t y = first; y < end; y++) {
    int32_t top = y * side, bottom = top + side < height ? top + side : height;
    for (int32_t x = 0; x < columns; x++) {
      int32_t left = x * side, right = left + side < width ? left + side : width;
      uint32_t sums[3] = {0}, count = (uint32_t)((bottom - top) * (right - left));
      for (int32_t row = top; row < bottom; row++) {
        const uint8_t *codes = colors + 3 * (row * stride + left);
        for (int32_t i = 0; i < 3 * (right - left); i += 3)
          for (int k = 0; k < 3; k++) sums[k] += light[codes[i + k]];
      }
      uint16_t *target = result + 3 * ((ptrdiff_t)(y - first) * columns + x);
      for (int k = 0; k < 3; k++) target[k] = (uint16_t)((sums[k] + count / 2) / count);
    }
  }
}

PLB_CLONES
void plb_matting_stencils(
    const uint16_t *colors, int32_t width, int32_t height, float epsilon, const int32_t *pixels,
    ptrdiff_t count, float *stencils) {
  window windows[3][3];
  for (ptrdiff_t i = 0; i < count; i++) {
    int32_t x = pixels[i] % width, y = pixels[i] / width;
    int is_next = i > 0 && x > 0 && pixels[i - 1] == pixels[i] - 1;
    move_windows(colors, width, height, epsilon, x, y, is_next, windows);
    float *stencil = stencils + PLB_MATTING_STENCIL * i;
    memset(stencil, 0, PLB_MATTING_STENCIL * sizeof *stencil);
    const uint16_t *own = colors + 3 * (ptrdiff_t)pixels[i];
    for (int column = 0; column < 3; column++) {
      for (int row = 0; row < 3; row++) {
        const window *at = &windows[column][row];
        if (!at->is_valid) continue;
        double off[3], turned[3], levels[3][9];
        for (int k = 0; k < 3; k++) off[k] = own[k] - at->mean[k];
        multiply(at->inverse, off, turned);
        gather(colors, width, x + column - 1, y + row - 1, levels);
        float *corner = stencil + 5 * row + column;
        for (int j = 0; j < 9; j++) {
          double like = 1 + turned[0] * (levels[0][j] - at->mean[0]) +
                       turned[1] * (levels[1][j] - at->mean[1]) +
                       turned[2] * (levels[2][j] - at->mean[2]);
          corner[5 * (j / 3) + j % 3] -= (float)(like / 9);
        }
        stencil[12] += 1;
      }
    }
  }
}

PLB_CLONES
void plb_matting_multiply(
    const float *stencils, const float *weights, const int32_t *places, ptrdiff_t count,
    const float *values, ptrdiff_t stride, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    const float *stencil = stencils + PLB_MATTING_STENCIL * i;
    const float *corner = values + places[i] - 2 * stride - 2;
    float sums[5] = {0};
    for (int row = 0; row < 5; row++)
      for (int column = 0; column < 5; column++)
        sums[column] += stencil[5 * row + column] * corner[row * stride + column];
    result[i] =
        sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + weights[i] * values[places[i]];
  }
}

PLB_CLONES
void plb_matting_lines(
    const uint16_t *colors, int32_t width, int32_t height, float epsilon, const float *values,
    ptrdiff_t stride, const int32_t *pixels, ptrdiff_t count, float *lines) {
  window windows[3][3];
  for (ptrdiff_t i = 0; i < count; i++) {
    int32_t x = pixels[i] % width, y = pixels[i] / width;
    int is_next = i > 0 && x > 0 && pixels[i - 1] == pixels[i] - 1;
    move_windows(colors, width, height, epsilon, x, y, is_next, windows);
    double sum[4] = {0}, used = 0;
    for (int column = 0; column < 3; column++) {
      for (int row = 0; row < 3; row++) {
        const window *at = &windows[column][row];
        if (!at->is_valid) continue;
        double levels[3][9], products[3] = {0}, line[3], total = 0;
        gather(colors, width, x + column - 1, y + row - 1, levels);
        for (int j = 0; j < 9; j++) {
          double value = values[(y + row - 2 + j / 3 + 2) * stride + x + column - 2 + j % 3 + 2];
          total += value;
          for (int k = 0; k < 3; k++) products[k] += (levels[k][j] - at->mean[k]) * value;
        }
        for (int k = 0; k < 3; k++) products[k] /= 9;
        multiply(at->inverse, products, line);
        sum[3] += total / 9;
        for (int k = 0; k < 3; k++) {
          sum[k] += line[k];
          sum[3] -= line[k] * at->mean[k];
        }
        used += 1;
      }
    }
    float *line = lines + 4 * (ptrdiff_t)pixels[i];
    if (!(used > 0)) continue;
    for (int k = 0; k < 4; k++) line[k] = (float)(sum[k] / used);
  }
}
