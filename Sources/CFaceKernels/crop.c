#include <string.h>

#include "face_kernels.h"

#pragma STDC FP_CONTRACT OFF

typedef float four __attribute__((vector_size(16)));
typedef uint16_t halfwords __attribute__((vector_size(16)));
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

// The sums of the levels of three or four rows, or of any number; 256 of 8 bits fit 16.
static inline __attribute__((always_inline)) void add_rows(
    const uint8_t *place, ptrdiff_t step, int32_t lines, ptrdiff_t count, uint16_t *sums) {
  const uint8_t *second = place + step, *third = second + step, *fourth = third + step;
  if (lines == 4) {
    for (ptrdiff_t i = 0; i < count; i++) sums[i] = (uint16_t)(place[i] + second[i] + third[i] + fourth[i]);
  } else if (lines == 3) {
    for (ptrdiff_t i = 0; i < count; i++) sums[i] = (uint16_t)(place[i] + second[i] + third[i]);
  } else {
    for (ptrdiff_t i = 0; i < count; i++) sums[i] = place[i];
    for (int32_t line = 1; line < lines; line++) {
      place += step;
      for (ptrdiff_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + place[i]);
    }
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
    // Rows first, over neighbors in memory.
    add_rows(first + 3 * ((ptrdiff_t)row * side + start) * stride, 3 * step * stride, lines, count, sums);
    const uint16_t *square = sums;
    for (int32_t column = 0; column < columns; column++) {
      // Two pixels at a time, and two levels of the next, which nobody looks at: 128 sums of up to five rows
      // still fit 16 bits.
      halfwords pairs = {0}, codes;
      const uint16_t *next = square + 3 * (ptrdiff_t)side;
      for (; square + 6 <= next; square += 6) {
        memcpy(&codes, square, sizeof codes);
        pairs += codes;
      }
      for (int32_t channel = 0; channel < 3; channel++) {
        uint32_t total = (uint32_t)pairs[channel] + pairs[channel + 3] + area / 2;
        if (square < next) total += square[channel];
        *result++ = (uint8_t)((total * reciprocal) >> 40);
      }
      square = next;
    }
  }
}
