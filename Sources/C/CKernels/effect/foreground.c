#include <string.h>

#include "mask_kernels.h"

#pragma STDC FP_CONTRACT OFF

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

enum { FOREGROUND_SUMS = PLB_FOREGROUND_SUMS };

static inline __attribute__((always_inline)) void add_colors(
    const uint8_t *restrict front, const uint8_t *restrict behind,
    const uint8_t *restrict coverage, const uint8_t *restrict weights, int32_t width,
    uint32_t sign, uint32_t *restrict columns) {
  for (int32_t x = 0; x < width; x++) {
    uint32_t inside = weights[coverage[x]] * sign, outside = weights[255 - coverage[x]] * sign;
    uint32_t *sum = columns + FOREGROUND_SUMS * (ptrdiff_t)x;
    sum[0] += front[3 * x] * inside;
    sum[1] += front[3 * x + 1] * inside;
    sum[2] += front[3 * x + 2] * inside;
    sum[3] += behind[3 * x] * outside;
    sum[4] += behind[3 * x + 1] * outside;
    sum[5] += behind[3 * x + 2] * outside;
    sum[6] += inside;
    sum[7] += outside;
  }
}

PLB_CLONES
void plb_mask_foreground(
    const uint8_t *image, const uint8_t *estimate, const uint8_t *behind,
    const uint8_t *coverage, const uint8_t *weights, int32_t width, int32_t height, int32_t radius,
    int32_t first, int32_t end, uint32_t *columns, uint8_t *result, uint8_t *result_behind) {
  ptrdiff_t row = 3 * (ptrdiff_t)width;
  memset(columns, 0, sizeof(uint32_t) * FOREGROUND_SUMS * (size_t)width);
  for (int32_t y = most(first - radius, 0); y < least(first + radius, height); y++)
    add_colors(
        estimate + y * row, behind + y * row, coverage + (ptrdiff_t)y * width, weights,
        width, 1, columns);
  for (int32_t y = first; y < end; y++) {
    int32_t enter = y + radius, leave = y - radius - 1;
    if (enter < height)
      add_colors(
          estimate + enter * row, behind + enter * row, coverage + (ptrdiff_t)enter * width,
          weights, width, 1, columns);
    if (y > first && leave >= 0)
      add_colors(
          estimate + leave * row, behind + leave * row, coverage + (ptrdiff_t)leave * width,
          weights, width, (uint32_t)-1, columns);
    uint32_t sum[FOREGROUND_SUMS] = {0};
    for (int32_t x = 0; x < least(radius, width); x++)
      for (int k = 0; k < FOREGROUND_SUMS; k++) sum[k] += columns[FOREGROUND_SUMS * x + k];
    for (int32_t x = 0; x < width; x++) {
      if (x + radius < width)
        for (int k = 0; k < FOREGROUND_SUMS; k++)
          sum[k] += columns[FOREGROUND_SUMS * (x + radius) + k];
      if (x - radius - 1 >= 0)
        for (int k = 0; k < FOREGROUND_SUMS; k++)
          sum[k] -= columns[FOREGROUND_SUMS * (x - radius - 1) + k];
      const uint8_t *pixel = image + y * row + 3 * x;
      uint8_t *target = result + y * row + 3 * x, *rear = result_behind + y * row + 3 * x;
      uint32_t level = coverage[(ptrdiff_t)y * width + x];
      // What is all foreground or all background is as it is; of what is not there no color counts.
      if (level == 255 || level == 0) {
        memcpy(target, pixel, 3);
        memcpy(rear, pixel, 3);
        continue;
      }
      const uint8_t *guess = estimate + y * row + 3 * x, *guess_behind = behind + y * row + 3 * x;
      float alpha = (float)level / 255, inside = 1 / (float)(sum[6] ? sum[6] : 1);
      float outside = 1 / (float)(sum[7] ? sum[7] : 1);
      for (int k = 0; k < 3; k++) {
        float front = sum[6] ? (float)sum[k] * inside : guess[k];
        float back = sum[7] ? (float)sum[3 + k] * outside : guess_behind[k];
        float rest = (float)pixel[k] - alpha * front - (1 - alpha) * back;
        float value = front + alpha * rest;
        value = value > 0 ? (value < 255 ? value : 255) : 0;
        target[k] = (uint8_t)(int32_t)(value + 0.5f);
        rear[k] = (uint8_t)(int32_t)(back + 0.5f);
      }
    }
  }
}
