#include <string.h>

#include "face_kernels.h"

#pragma STDC FP_CONTRACT OFF

typedef float four __attribute__((vector_size(16)));
typedef uint16_t halfwords __attribute__((vector_size(8)));
typedef uint32_t words __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(4)));

static inline __attribute__((always_inline)) four splat(float value) { return (four){value, value, value, value}; }

// Red, green, blue and what follows them, which nobody looks at.
static inline __attribute__((always_inline)) four load(const uint8_t *place) {
  bytes codes;
  memcpy(&codes, place, sizeof codes);
  return __builtin_convertvector(codes, four);
}

static inline __attribute__((always_inline)) four load_at(const plb_face_picture *picture, int32_t x, int32_t y, int32_t is_black) {
  if (x < 0 || y < 0 || x >= picture->width || y >= picture->height) {
    if (is_black) return splat(0);
    x = x < 0 ? 0 : x >= picture->width ? picture->width - 1 : x;
    y = y < 0 ? 0 : y >= picture->height ? picture->height - 1 : y;
  }
  const uint8_t *place = picture->pixels + 3 * ((ptrdiff_t)y * picture->stride + x);
  return (four){place[0], place[1], place[2], 0};
}

// Written so that NaN becomes the lower end.
static inline __attribute__((always_inline)) float clamped(float value, float low, float high) {
  value = value > low ? value : low;
  return value < high ? value : high;
}

PLB_FACE_CLONES
void plb_face_sample(
    const plb_face_picture *picture, const plb_face_grid *grid, int32_t row, int32_t width,
    int32_t is_black, float factor, float offset, float *result) {
  float start_x = grid->origin_x + (float)row * grid->down_x;
  float start_y = grid->origin_y + (float)row * grid->down_y;
  float right = (float)picture->width, bottom = (float)picture->height;
  for (int32_t column = 0; column < width; column++) {
    // A pixel around the picture is enough: beyond it nothing changes any more.
    float x = clamped(start_x + (float)column * grid->right_x, -1, right);
    float y = clamped(start_y + (float)column * grid->right_y, -1, bottom);
    // Never negative after the addition, so that truncation is the floor.
    int32_t left = (int32_t)(x + 1) - 1, top = (int32_t)(y + 1) - 1;
    float along = x - (float)left, down = y - (float)top;
    four a, b, c, d;
    // A load of four bytes must stay in the row: the last pixel of a picture has only three.
    if (left >= 0 && top >= 0 && left + 2 < picture->width && top + 1 < picture->height) {
      const uint8_t *place = picture->pixels + 3 * ((ptrdiff_t)top * picture->stride + left);
      const uint8_t *below = place + 3 * picture->stride;
      a = load(place);
      b = load(place + 3);
      c = load(below);
      d = load(below + 3);
    } else {
      a = load_at(picture, left, top, is_black);
      b = load_at(picture, left + 1, top, is_black);
      c = load_at(picture, left, top + 1, is_black);
      d = load_at(picture, left + 1, top + 1, is_black);
    }
    four upper = a + (b - a) * splat(along), lower = c + (d - c) * splat(along);
    four value = (upper + (lower - upper) * splat(down)) * splat(factor) + splat(offset);
    // A whole store where the next pixel writes over the fourth number, which is none.
    if (column + 1 < width) memcpy(result + 3 * (ptrdiff_t)column, &value, sizeof value);
    else memcpy(result + 3 * (ptrdiff_t)column, &value, 3 * sizeof(float));
  }
}

PLB_FACE_CLONES
void plb_face_reduce(
    const uint8_t *first, ptrdiff_t stride, int32_t side, int32_t start, int32_t step, int32_t lines,
    int32_t columns, int32_t rows, uint16_t *sums, uint8_t *result) {
  uint32_t area = (uint32_t)side * (uint32_t)lines;
  // A multiplication in place of a division: exact for all sums of 8-bit levels in squares of up to
  // 256 × 256, since 2^40 / area is rounded up.
  uint64_t reciprocal = ((uint64_t)1 << 40) / area + 1;
  ptrdiff_t count = 3 * (ptrdiff_t)side * columns;
  for (int32_t row = 0; row < rows; row++) {
    memset(sums, 0, (size_t)(count + 1) * sizeof *sums);
    // Rows first, over neighbors in memory; 256 levels of 8 bits fit 16.
    for (int32_t line = 0; line < lines; line++) {
      const uint8_t *place =
          first + 3 * ((ptrdiff_t)row * side + start + (ptrdiff_t)line * step) * stride;
      for (ptrdiff_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + place[i]);
    }
    const uint16_t *square = sums;
    for (int32_t column = 0; column < columns; column++) {
      // Red, green, blue and the next pixel's red, which nobody looks at.
      words total = {area / 2, area / 2, area / 2, 0};
      for (int32_t i = 0; i < side; i++, square += 3) {
        halfwords sum;
        memcpy(&sum, square, sizeof sum);
        total += __builtin_convertvector(sum, words);
      }
      *result++ = (uint8_t)((total[0] * reciprocal) >> 40);
      *result++ = (uint8_t)((total[1] * reciprocal) >> 40);
      *result++ = (uint8_t)((total[2] * reciprocal) >> 40);
    }
  }
}
