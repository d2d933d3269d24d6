#include "parallax_kernels.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }
static inline float lower(float a, float b) { return a < b ? a : b; }

// Van Herk's two running minima per block of the window's length, of `lanes` lines at once: `pitch` leads
// along a line, `beside` to the next one.
static inline __attribute__((always_inline)) void running_least(
    const float *source, ptrdiff_t pitch, ptrdiff_t beside, int32_t count, int32_t lanes,
    int32_t radius, float *scratch, float *result) {
  int32_t window = 2 * radius + 1, last = (count - 1) / window * window;
  float *ahead = scratch, *back = scratch + (ptrdiff_t)count * lanes;
  for (int32_t block = 0; block < count; block += window) {
    int32_t end = least(block + window, count);
    for (int32_t k = 0; k < lanes; k++) {
      float value = source[block * pitch + k * beside];
      ahead[(ptrdiff_t)block * lanes + k] = value;
      value = source[(end - 1) * pitch + k * beside];
      back[(ptrdiff_t)(end - 1) * lanes + k] = value;
    }
    for (int32_t i = block + 1; i < end; i++)
      for (int32_t k = 0; k < lanes; k++)
        ahead[(ptrdiff_t)i * lanes + k] =
            lower(ahead[(ptrdiff_t)(i - 1) * lanes + k], source[i * pitch + k * beside]);
    for (int32_t i = end - 2; i >= block; i--)
      for (int32_t k = 0; k < lanes; k++)
        back[(ptrdiff_t)i * lanes + k] =
            lower(back[(ptrdiff_t)(i + 1) * lanes + k], source[i * pitch + k * beside]);
  }
  for (int32_t i = 0; i < count; i++) {
    int32_t start = i - radius, end = least(i + radius, count - 1);
    const float *before = back + (ptrdiff_t)most(start, 0) * lanes;
    const float *after = ahead + (ptrdiff_t)end * lanes;
    float *target = result + i * pitch;
    // The first window ends in the first block, the last ones start in the last block; between
    // them a window is the end of a block and the start of the next, or one whole block.
    if (start <= 0)
      for (int32_t k = 0; k < lanes; k++) target[k * beside] = after[k];
    else if (start >= last)
      for (int32_t k = 0; k < lanes; k++) target[k * beside] = before[k];
    else
      for (int32_t k = 0; k < lanes; k++) target[k * beside] = lower(after[k], before[k]);
  }
}

PLB_CLONES
void plb_parallax_least_rows(
    const float *source, int32_t width, int32_t radius, int32_t first, int32_t end, float *scratch,
    float *result) {
  int32_t y = first;
  for (; y + 8 <= end; y += 8)
    running_least(
        source + (ptrdiff_t)y * width, 1, width, width, 8, radius, scratch,
        result + (ptrdiff_t)y * width);
  for (; y < end; y++)
    running_least(
        source + (ptrdiff_t)y * width, 1, width, width, 1, radius, scratch,
        result + (ptrdiff_t)y * width);
}

PLB_CLONES
void plb_parallax_least_columns(
    const float *source, int32_t width, int32_t height, int32_t radius, int32_t first, int32_t end,
    float *scratch, float *result) {
  int32_t x = first;
  for (; x + 16 <= end; x += 16)
    running_least(source + x, width, 1, height, 16, radius, scratch, result + x);
  if (x < end) running_least(source + x, width, 1, height, end - x, radius, scratch, result + x);
}

void plb_parallax_maximum(
    const float *disparity, int32_t width, int32_t height, int32_t side, int32_t first,
    int32_t end, float *result) {
  int32_t columns = (width + side - 1) / side;
  for (int32_t row = first; row < end; row++)
    for (int32_t column = 0; column < columns; column++) {
      float maximum = -INFINITY;
      for (int32_t y = row * side; y < least((row + 1) * side, height); y++)
        for (int32_t x = column * side; x < least((column + 1) * side, width); x++) {
          float value = disparity[(ptrdiff_t)y * width + x];
          maximum = value > maximum ? value : maximum;
        }
      result[(ptrdiff_t)row * columns + column] = maximum;
    }
}

PLB_CLONES
void plb_parallax_far(
    const float *disparity, const float *least, ptrdiff_t count, float step, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) result[i] = disparity[i] - least[i] <= step ? 1 : 0;
}

void plb_parallax_pull_first(
    const uint8_t *color, const float *disparity, const uint8_t *known, int32_t width,
    int32_t height, int32_t first, int32_t end, float *result, float *weights) {
  int32_t columns = (width + 1) / 2;
  for (int32_t row = first; row < end; row++) {
    for (int32_t column = 0; column < columns; column++) {
      float sum[4] = {0, 0, 0, 0}, weight = 0;
      for (int32_t y = 2 * row; y < least(2 * row + 2, height); y++)
        for (int32_t x = 2 * column; x < least(2 * column + 2, width); x++) {
          ptrdiff_t at = (ptrdiff_t)y * width + x;
          if (!known[at]) continue;
          for (int k = 0; k < 3; k++) sum[k] += color[3 * at + k];
          sum[3] += disparity[at];
          weight += 1;
        }
      ptrdiff_t target = (ptrdiff_t)row * columns + column;
      float share = weight > 0 ? 1 / weight : 0;
      for (int k = 0; k < 4; k++) result[4 * target + k] = sum[k] * share;
      weights[target] = weight * 0.25f;
    }
  }
}

void plb_parallax_pull(
    const float *source, const float *source_weights, int32_t width, int32_t height, int32_t first,
    int32_t end, float *result, float *weights) {
  int32_t columns = (width + 1) / 2;
  for (int32_t row = first; row < end; row++) {
    for (int32_t column = 0; column < columns; column++) {
      float sum[4] = {0, 0, 0, 0}, weight = 0;
      for (int32_t y = 2 * row; y < least(2 * row + 2, height); y++)
        for (int32_t x = 2 * column; x < least(2 * column + 2, width); x++) {
          ptrdiff_t at = (ptrdiff_t)y * width + x;
          for (int k = 0; k < 4; k++) sum[k] += source[4 * at + k] * source_weights[at];
          weight += source_weights[at];
        }
      ptrdiff_t target = (ptrdiff_t)row * columns + column;
      float share = weight > 0 ? 1 / weight : 0;
      for (int k = 0; k < 4; k++) result[4 * target + k] = sum[k] * share;
      // One known pixel of four counts in full on the next level: holes take what is closest.
      weights[target] = weight < 1 ? weight : 1;
    }
  }
}

// The coarse level at a pixel of the level below, a quarter of a pixel off its centers.
static inline __attribute__((always_inline)) void coarse_at(
    const float *coarse, int32_t width, int32_t height, int32_t x, int32_t y, float *result) {
  int32_t left = x / 2, top = y / 2;
  int32_t beside = most(least(left + (x % 2 ? 1 : -1), width - 1), 0);
  int32_t below = most(least(top + (y % 2 ? 1 : -1), height - 1), 0);
  const float *a = coarse + 4 * ((ptrdiff_t)top * width + left);
  const float *b = coarse + 4 * ((ptrdiff_t)top * width + beside);
  const float *c = coarse + 4 * ((ptrdiff_t)below * width + left);
  const float *d = coarse + 4 * ((ptrdiff_t)below * width + beside);
  for (int k = 0; k < 4; k++)
    result[k] = 0.75f * (0.75f * a[k] + 0.25f * b[k]) + 0.25f * (0.75f * c[k] + 0.25f * d[k]);
}

void plb_parallax_push(
    const float *coarse, int32_t coarse_width, int32_t coarse_height, int32_t width, int32_t first,
    int32_t end, float *level, const float *weights) {
  for (int32_t y = first; y < end; y++)
    for (int32_t x = 0; x < width; x++) {
      ptrdiff_t at = (ptrdiff_t)y * width + x;
      float weight = weights[at], value[4];
      if (weight >= 1) continue;
      coarse_at(coarse, coarse_width, coarse_height, x, y, value);
      for (int k = 0; k < 4; k++)
        level[4 * at + k] = level[4 * at + k] * weight + value[k] * (1 - weight);
    }
}

void plb_parallax_push_last(
    const float *coarse, int32_t coarse_width, int32_t coarse_height, const uint8_t *known,
    int32_t width, int32_t first, int32_t end, uint8_t *color, float *disparity) {
  for (int32_t y = first; y < end; y++)
    for (int32_t x = 0; x < width; x++) {
      ptrdiff_t at = (ptrdiff_t)y * width + x;
      float value[4];
      if (known[at]) continue;
      coarse_at(coarse, coarse_width, coarse_height, x, y, value);
      for (int k = 0; k < 3; k++) color[3 * at + k] = (uint8_t)(int32_t)(value[k] + 0.5f);
      disparity[at] = value[3];
    }
}

typedef int32_t four_sums __attribute__((vector_size(16)));

PLB_CLONES
void plb_parallax_anaglyph(
    const uint8_t *left, const uint8_t *right, ptrdiff_t count, const int32_t *matrix,
    const uint16_t *linear, const uint8_t *codes, uint8_t *result) {
  // Columns of the matrix: what a channel of an eye gives to red, green and blue.
  four_sums columns[6];
  for (int c = 0; c < 6; c++) columns[c] = (four_sums){matrix[c], matrix[6 + c], matrix[12 + c], 0};
  for (ptrdiff_t i = 0; i < count; i++) {
    four_sums sums = {500, 500, 500, 500};
    for (int k = 0; k < 3; k++) {
      int32_t one = linear[left[3 * i + k]], other = linear[right[3 * i + k]];
      sums += columns[k] * (four_sums){one, one, one, one};
      sums += columns[3 + k] * (four_sums){other, other, other, other};
    }
    for (int k = 0; k < 3; k++) {
      int32_t sum = sums[k] / 1000;
      result[3 * i + k] = codes[sum > 0 ? (sum < 65535 ? sum : 65535) : 0];
    }
  }
}
