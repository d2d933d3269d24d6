#include "stereo_kernels.h"

#include <string.h>

// As many pixels as are described at once.
enum { PIXELS = 64, GRADIENT_LIMIT = 45, AROUND = 3, BESIDE = 4 };
typedef uint8_t pixels_u8 __attribute__((ext_vector_type(PIXELS), aligned(1)));
typedef int16_t pixels_i16 __attribute__((ext_vector_type(PIXELS), aligned(2)));

#define load(from) (*(const pixels_u8 *)(from))
#define store(to, value) (*(pixels_u8 *)(to) = (value))
#define wide(from) __builtin_convertvector(load(from), pixels_i16)
#define least(a, b) __builtin_elementwise_min(a, b)
#define most(a, b) __builtin_elementwise_max(a, b)
// Without the carry of a sum of two bytes.
#define mean(a, b) (((a) & (b)) + (((a) ^ (b)) >> 1))

// One bit for each of 48 neighbors: whether it is darker.
static inline __attribute__((always_inline)) void census(
    const uint8_t *row, ptrdiff_t stride, uint8_t *planes, ptrdiff_t plane) {
  pixels_u8 own = load(row), bits = (uint8_t)0;
  int bit = 0;
  for (int v = -AROUND; v <= AROUND; v++) {
    for (int u = -AROUND; u <= AROUND; u++) {
      if (u == 0 && v == 0) continue;
      bits = load(row + v * stride + u) < own ? bits | (uint8_t)(1 << (bit & 7)) : bits;
      bit++;
      if (bit & 7) continue;
      store(planes + (bit / 8 - 1) * plane, bits);
      bits = (uint8_t)0;
    }
  }
}

static inline __attribute__((always_inline)) void gradient(
    const uint8_t *row, ptrdiff_t stride, uint8_t *result) {
  pixels_i16 limit = GRADIENT_LIMIT;
  pixels_i16 value = wide(row - stride + 1) - wide(row - stride - 1) + wide(row + stride + 1)
                     - wide(row + stride - 1) + (wide(row + 1) - wide(row - 1)) * (int16_t)2;
  value = most(least(value, limit), -limit) + limit;
  store(result, __builtin_convertvector(value, pixels_u8));
}

// The values of pixels with their least and maximum within half a pixel.
static inline __attribute__((always_inline)) void bound(
    const uint8_t *before, const uint8_t *values, const uint8_t *after, uint8_t *planes,
    ptrdiff_t plane) {
  pixels_u8 value = load(values);
  pixels_u8 left = mean(load(before), value), right = mean(load(after), value);
  store(planes, value);
  store(planes + plane, least(value, least(left, right)));
  store(planes + 2 * plane, most(value, most(left, right)));
}

static inline __attribute__((always_inline)) void describe(
    const uint8_t *row, ptrdiff_t stride, uint8_t *planes, ptrdiff_t plane) {
  uint8_t gradients[3][PIXELS];
  census(row, stride, planes, plane);
  for (int i = 0; i < 3; i++) gradient(row + i - 1, stride, gradients[i]);
  planes += PLB_CENSUS_PLANES * plane;
  bound(gradients[0], gradients[1], gradients[2], planes, plane);
  bound(row - 1, row, row + 1, planes + 3 * plane, plane);
}

PLB_CLONES
void plb_stereo_features(
    const uint8_t *row, ptrdiff_t stride, ptrdiff_t count, uint8_t *features, ptrdiff_t plane) {
  if (count >= PIXELS) {
    // The last pixels of a row are described once more with those before them.
    for (ptrdiff_t x = 0; x < count; x += PIXELS) {
      ptrdiff_t start = x + PIXELS <= count ? x : count - PIXELS;
      describe(row + start, stride, features + start, plane);
    }
    return;
  }
  enum { LENGTH = PIXELS + 2 * BESIDE };
  uint8_t rows[2 * AROUND + 1][LENGTH] = {0}, planes[PLB_FEATURE_PLANES][PIXELS];
  for (int v = -AROUND; v <= AROUND; v++)
    memcpy(rows[v + AROUND], row + v * stride - BESIDE, (size_t)(count + 2 * BESIDE));
  describe(rows[AROUND] + BESIDE, LENGTH, planes[0], PIXELS);
  for (int i = 0; i < PLB_FEATURE_PLANES; i++)
    memcpy(features + i * plane, planes[i], (size_t)count);
}

PLB_CLONES
void plb_stereo_reverse(
    const uint8_t *features, ptrdiff_t plane, ptrdiff_t width, ptrdiff_t first, uint8_t *result,
    ptrdiff_t length) {
  for (int i = 0; i < PLB_FEATURE_PLANES; i++) {
    const uint8_t *source = features + i * plane;
    uint8_t *restrict target = result + i * length;
    ptrdiff_t top = width - 1 - first;
    ptrdiff_t begin = top - (width - 1), end = top + 1;
    begin = begin < 0 ? 0 : begin > length ? length : begin;
    end = end < begin ? begin : end > length ? length : end;
    for (ptrdiff_t j = 0; j < begin; j++) target[j] = source[width - 1];
    for (ptrdiff_t j = begin; j < end; j++) target[j] = source[top - j];
    for (ptrdiff_t j = end; j < length; j++) target[j] = source[0];
  }
}
