#include <string.h>

#include "face_kernels.h"

#pragma STDC FP_CONTRACT OFF

typedef float four __attribute__((vector_size(16)));
typedef int32_t words __attribute__((vector_size(16)));
typedef uint16_t halfwords __attribute__((vector_size(16)));

// Pixels that are worked out together.
enum { BLOCK = 16 };

// Written so that NaN becomes the lower end.
static inline __attribute__((always_inline)) float clamped(float value, float low, float high) {
  value = value > low ? value : low;
  return value < high ? value : high;
}

// A position of the crop, in pixels of the image. A pixel around the image is enough: beyond it nothing changes
// any more.
typedef struct {
  float start_x, start_y, right_x, right_y, width, height;
} grid_row;

static inline __attribute__((always_inline)) float place_x(const grid_row *row, int32_t column) {
  return clamped(row->start_x + (float)column * row->right_x, -1, row->width);
}

static inline __attribute__((always_inline)) float place_y(const grid_row *row, int32_t column) {
  return clamped(row->start_y + (float)column * row->right_y, -1, row->height);
}

// The pixel to the left of a position, or above it. Never negative after the addition, so that truncation is the floor.
static inline __attribute__((always_inline)) int32_t before(float place) { return (int32_t)(place + 1) - 1; }

static inline __attribute__((always_inline)) float mixed(float a, float b, float c, float d, float along, float down) {
  float upper = a + (b - a) * along, lower = c + (d - c) * along;
  return upper + (lower - upper) * down;
}

static void pixel_at(const plb_face_image *image, int32_t x, int32_t y, int32_t is_black, float *levels) {
  if (x < 0 || y < 0 || x >= image->width || y >= image->height) {
    if (is_black) {
      levels[0] = levels[1] = levels[2] = 0;
      return;
    }
    x = x < 0 ? 0 : x >= image->width ? image->width - 1 : x;
    y = y < 0 ? 0 : y >= image->height ? image->height - 1 : y;
  }
  const uint8_t *place = image->pixels + 3 * ((ptrdiff_t)y * image->stride + x);
  for (int32_t channel = 0; channel < 3; channel++) levels[channel] = place[channel];
}

// One position, wherever it lies.
static void sample_anywhere(
    const plb_face_image *image, const grid_row *row, int32_t column, int32_t is_black, float factor,
    float offset, float *result) {
  float x = place_x(row, column), y = place_y(row, column);
  int32_t left = before(x), top = before(y);
  float levels[4][3];
  for (int32_t i = 0; i < 4; i++) pixel_at(image, left + (i & 1), top + (i >> 1), is_black, levels[i]);
  for (int32_t channel = 0; channel < 3; channel++) {
    float value = mixed(
        levels[0][channel], levels[1][channel], levels[2][channel], levels[3][channel], x - (float)left,
        y - (float)top);
    result[channel] = value * factor + offset;
  }
}

// Whether four neighbors of a position lie in the image, and the byte after them too.
static inline __attribute__((always_inline)) int32_t is_inside(
    const plb_face_image *image, const grid_row *row, int32_t column) {
  int32_t left = before(place_x(row, column)), top = before(place_y(row, column));
  return left >= 0 && top >= 0 && left + 2 < image->width && top + 1 < image->height;
}

static inline __attribute__((always_inline)) uint32_t load(const uint8_t *place) {
  uint32_t codes;
  memcpy(&codes, place, sizeof codes);
  return codes;
}

// A block of positions with all their neighbors in the image: the compiler works on many of them at once.
static inline __attribute__((always_inline)) void sample_inside(
    const plb_face_image *image, const grid_row *row, int32_t first, float factor, float offset,
    float *result) {
  float along[BLOCK], down[BLOCK];
  int32_t left[BLOCK], top[BLOCK];
  uint32_t a[BLOCK], b[BLOCK], c[BLOCK], d[BLOCK];
  for (int32_t i = 0; i < BLOCK; i++) {
    float x = place_x(row, first + i), y = place_y(row, first + i);
    left[i] = before(x);
    top[i] = before(y);
    along[i] = x - (float)left[i];
    down[i] = y - (float)top[i];
  }
  for (int32_t i = 0; i < BLOCK; i++) {
    const uint8_t *place = image->pixels + 3 * ((ptrdiff_t)top[i] * image->stride + left[i]);
    const uint8_t *below = place + 3 * image->stride;
    a[i] = load(place);
    b[i] = load(place + 3);
    c[i] = load(below);
    d[i] = load(below + 3);
  }
  for (int32_t channel = 0; channel < 3; channel++) {
    // Red is the lowest byte: all machines that this runs on are little-endian.
    int32_t shift = 8 * channel;
    for (int32_t i = 0; i < BLOCK; i++) {
      float value = mixed(
          (float)(int32_t)(a[i] >> shift & 255), (float)(int32_t)(b[i] >> shift & 255),
          (float)(int32_t)(c[i] >> shift & 255), (float)(int32_t)(d[i] >> shift & 255), along[i], down[i]);
      result[3 * i + channel] = value * factor + offset;
    }
  }
}

// Whether a position and all behind it towards another one lie on one side of the image, with a pixel between.
static inline __attribute__((always_inline)) int32_t is_beyond(
    const plb_face_image *image, const grid_row *row, int32_t column, int32_t last) {
  float x = place_x(row, column), y = place_y(row, column), other_x = place_x(row, last), other_y = place_y(row, last);
  return (x <= -1 && other_x <= -1) || (y <= -1 && other_y <= -1)
      || (x >= (float)image->width && other_x >= (float)image->width)
      || (y >= (float)image->height && other_y >= (float)image->height);
}

PLB_CLONES
void plb_face_sample(
    const plb_face_image *image, const plb_face_grid *grid, int32_t row, int32_t width,
    int32_t is_black, float factor, float offset, float *result) {
  grid_row places = {
    grid->origin_x + (float)row * grid->down_x, grid->origin_y + (float)row * grid->down_y,
    grid->right_x, grid->right_y, (float)image->width, (float)image->height,
  };
  for (int32_t column = 0; column < width;) {
    // Positions go on in one direction: where both ends lie inside, all do.
    if (column + BLOCK <= width && is_inside(image, &places, column)
        && is_inside(image, &places, column + BLOCK - 1)) {
      sample_inside(image, &places, column, factor, offset, result + 3 * (ptrdiff_t)column);
      column += BLOCK;
    } else if (is_black && column + BLOCK <= width && is_beyond(image, &places, column, column + BLOCK - 1)) {
      for (int32_t i = 0; i < 3 * BLOCK; i++) result[3 * (ptrdiff_t)column + i] = offset;
      column += BLOCK;
    } else {
      sample_anywhere(image, &places, column, is_black, factor, offset, result + 3 * (ptrdiff_t)column);
      column += 1;
    }
  }
}

PLB_CLONES
void plb_face_reduce(
    const uint8_t *first, ptrdiff_t stride, int32_t side, int32_t start, int32_t step, int32_t columns,
    int32_t rows, uint16_t *sums, float *totals, uint8_t *result) {
  // Two lines of `side` pixels: half as many make that means are rounded half up, and half a level more that no mean
  // is near a whole number. Single precision then cuts all of them where they should be cut.
  float share = 1 / (float)(2 * side), half = (float)side + 0.5f;
  ptrdiff_t count = 3 * (ptrdiff_t)side * columns;
  for (int32_t row = 0; row < rows; row++) {
    const uint8_t *upper_line = first + 3 * ((ptrdiff_t)row * side + start) * stride;
    const uint8_t *lower_line = upper_line + 3 * step * stride;
    // Lines first, over neighbors in memory.
    for (ptrdiff_t i = 0; i < count; i++) sums[i] = (uint16_t)(upper_line[i] + lower_line[i]);
    const uint16_t *place = sums;
    for (int32_t column = 0; column < columns; column++) {
      // Two pixels at a time, and two levels of the next, which are ignored: 128 sums of two levels
      // fit 16 bits.
      halfwords pairs = {0}, codes = {0};
      for (int32_t i = 0; i < side / 2; i++, place += 6) {
        memcpy(&codes, place, sizeof codes);
        pairs += codes;
      }
      words lower = __builtin_convertvector(__builtin_shufflevector(pairs, pairs, 0, 1, 2, 3), words);
      words upper = __builtin_convertvector(__builtin_shufflevector(pairs, pairs, 3, 4, 5, 6), words);
      lower += upper;
      if (side & 1) {
        memcpy(&codes, place, sizeof codes);
        lower += __builtin_convertvector(__builtin_shufflevector(codes, codes, 0, 1, 2, 3), words);
        place += 3;
      }
      four total = __builtin_convertvector(lower, four);
      memcpy(totals + 3 * (ptrdiff_t)column, &total, sizeof total);
    }
    for (int32_t i = 0; i < 3 * columns; i++) result[i] = (uint8_t)(int32_t)((totals[i] + half) * share);
    result += 3 * (ptrdiff_t)columns;
  }
}
